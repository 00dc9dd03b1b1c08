"""Tables as CSV that spreadsheets can open without harm."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

Cell = str | int | float


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """The text of a table with a line of headings."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def harmless(text: str) -> str:
    """A text, such as a name, that spreadsheets do not take for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
