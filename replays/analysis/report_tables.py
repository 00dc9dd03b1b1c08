"""The tables of a match's report as CSV: one line for each player, moment, judged try or mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from replays.analysis.csv_text import csv_text, harmless
from replays.analysis.figures import CHARTS
from replays.analysis.findings import Findings
from replays.analysis.match_report import players_csv

PLAYERS: Final = "players"
TABLES: Final = (PLAYERS, "moments", "judgements", *CHARTS)
"""The names of the tables; of a chart, its numbers."""
_MOMENT: Final = ("seq", "round", "t_ms", "kind", "players", "delta", "text")
_JUDGED: Final = ("seq", "round", "t_ms", "player", "verdict", "text")


def table_csv(name: str, findings: Findings) -> str:
    """One of `TABLES`. Raises ValueError if there is none of that name."""
    names = findings.names
    if name == PLAYERS:
        return players_csv(findings)
    if name == "moments":
        moments = (
            (*one[:4], ", ".join(names[seat] for seat in one.seats), round(one.delta, 4), one.text)
            for one in findings.moments
        )
        return _csv(_MOMENT, moments)
    if name == "judgements":
        judged = (
            (one.seq, one.round, one.t, names[one.seat], one.verdict, one.text)
            for one in findings.judgements
        )
        return _csv(_JUDGED, judged)
    if name not in CHARTS:
        raise ValueError(f"expected one of {', '.join(TABLES)}, found {name!r}")
    chart = CHARTS[name](findings)
    return _csv(chart.columns, chart.rows)


def _csv(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    return csv_text(columns, ([_cell(value) for value in row] for row in rows))


def _cell(value: object) -> str | int | float:
    if isinstance(value, int | float):
        return value
    return "" if value is None else harmless(str(value))
