"""The tables of a match's report as CSV: one line for each player, moment, judged try, missed
take or mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from replays.analysis.csv_text import csv_text, harmless
from replays.analysis.figures import CHARTS
from replays.analysis.findings import Findings, Missed
from replays.analysis.match_report import players_csv
from replays.analysis.missed_takes import taker

PLAYERS: Final = "players"
TABLES: Final = (PLAYERS, "moments", "judgements", "missed-takes", *CHARTS)
"""The names of the tables; of a chart, its numbers."""
_MOMENT: Final = ("seq", "round", "t_ms", "kind", "players", "delta", "text")
_JUDGED: Final = ("seq", "round", "t_ms", "player", "verdict", "text")
_MISSED: Final = (
    *("seq", "round", "from_ms", "to_ms", "player", "card", "stack", "cards", "taker"),
    *("free_ms", "cause", "delta"),
)


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
    if name == "missed-takes":
        return _csv(_MISSED, (_missed(one, names) for one in findings.costliest_missed))
    if name not in CHARTS:
        raise ValueError(f"expected one of {', '.join(TABLES)}, found {name!r}")
    chart = CHARTS[name](findings)
    return _csv(chart.columns, chart.rows)


def _missed(one: Missed, names: Sequence[str]) -> tuple[object, ...]:
    window, by = one.chance.window, taker(one.chance.window)
    return (
        *(one.seq, one.round, window.since, window.until, names[window.seat], window.card),
        *(window.slot + 1, window.cards, None if by is None else names[by]),
        *(one.chance.free_ms, one.chance.cause, round(one.delta, 4)),
    )


def _csv(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    return csv_text(columns, ([_cell(value) for value in row] for row in rows))


def _cell(value: object) -> str | int | float:
    if isinstance(value, int | float):
        return value
    return "" if value is None else harmless(str(value))
