"""The first fault of an uploaded record, shown beside its line."""

from __future__ import annotations

from itertools import islice
from typing import BinaryIO, Final, NamedTuple

from games.records.log import RecordFault

AROUND: Final = 2
"""How many lines are shown above and below the faulty one."""
WIDTH: Final = 300
"""How much of a line is shown, in characters."""
_READ: Final = 1 << 16


class ShownLine(NamedTuple):
    """A line of the file, cut when long."""

    number: int
    text: str
    faulty: bool


class ShownFault(NamedTuple):
    """What is wrong, and the lines around it."""

    line: int
    message: str
    lines: list[ShownLine]


def shown_fault(file: BinaryIO, fault: RecordFault) -> ShownFault:
    """The fault with the lines around it, read from the beginning of the file."""
    file.seek(0)
    first = max(1, fault.line - AROUND)
    rows = enumerate(iter(lambda: file.readline(_READ), b""), 1)
    lines = [
        ShownLine(number, _visible(raw), number == fault.line)
        for number, raw in islice(rows, first - 1, fault.line + AROUND)
    ]
    return ShownFault(fault.line, fault.message, lines)


def _visible(raw: bytes) -> str:
    """A line as it can be shown: invisible characters are written as their numbers."""
    text = raw[: 4 * WIDTH].rstrip(b"\n").decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[:WIDTH])
    return shown + "…" if len(text) > WIDTH else shown
