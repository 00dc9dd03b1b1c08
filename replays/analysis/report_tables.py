"""The tables of a match's report as CSV: one line for each player, moment, judged try, missed
take, race or point of the curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

from replays.analysis.csv_text import csv_text, harmless
from replays.analysis.findings import Findings, Missed
from replays.analysis.match_report import players_csv
from replays.analysis.missed_takes import taker
from replays.analysis.players.points_words import TITLES, points_json
from replays.analysis.race_cards import RaceCard
from replays.analysis.triggers import TRIGGERS
from replays.analysis.winning.series import CLOCK

PLAYERS: Final = "players"
_PLACE: Final = ("seq", "round", "t_ms")
_COLUMNS: Final[dict[str, Sequence[str]]] = {
    "moments": (*_PLACE, "kind", "players", "delta", "text"),
    "judgements": (*_PLACE, "player", "verdict", "text"),
    "missed-takes": (
        *("seq", "round", "from_ms", "to_ms", "player", "card", "stack", "cards", "taker"),
        *("free_ms", "cause", "delta"),
    ),
    "curve": (*_PLACE, "what"),  # and the names
    "points": ("player", "points", *(title.lower() for title in TITLES.values())),
    "races": (
        *(*_PLACE, "stack", "kind", "first", "behind", "ms behind", "cards"),
        *("flip time, ms", "with equal connections (estimate)"),
    ),
    "reactions": ("player", *TRIGGERS),
}
TABLES: Final = (PLAYERS, *_COLUMNS)
"""The names of the tables."""
Row = tuple[object, ...]


def table_csv(name: str, findings: Findings) -> str:
    """One of `TABLES`. Raises ValueError if there is none of that name."""
    if name == PLAYERS:
        return players_csv(findings)
    if name not in TABLES:
        raise ValueError(f"expected one of {', '.join(TABLES)}, found {name!r}")
    columns = (*_COLUMNS[name], *(findings.names if name == "curve" else ()))
    rows = _rows(name, findings)
    return csv_text(columns, ([_cell(value) for value in row] for row in rows))


def _rows(name: str, findings: Findings) -> Iterable[Row]:
    names = findings.names
    if name == "moments":
        return (
            (
                *moment[:4],
                ", ".join(names[seat] for seat in moment.seats),
                round(moment.delta, 4),
                moment.text,
            )
            for moment in findings.moments
        )
    if name == "judgements":
        return (
            (
                judgement.seq,
                judgement.round,
                judgement.t,
                names[judgement.seat],
                judgement.verdict,
                judgement.text,
            )
            for judgement in findings.judgements
        )
    if name == "missed-takes":
        return (_missed(take, names) for take in findings.costliest_missed)
    if name == "curve":
        happened = (point for point in findings.curve if point.cause != CLOCK)
        return (
            (point.seq, point.round, point.t, point.cause, *(round(p, 3) for p in point.p))
            for point in happened
        )
    if name == "points":
        told = points_json(findings.points_by_seat, names)
        return ((names[row["seat"]], row["score"], *row["parts"].values()) for row in told)
    if name == "races":
        return (_race(race, names) for race in findings.race_cards)
    return ((who, *_medians(findings, seat)) for seat, who in enumerate(names))


def _missed(take: Missed, names: Sequence[str]) -> Row:
    window, by = take.chance.window, taker(take.chance.window)
    return (
        *(take.seq, take.round, window.since, window.until, names[window.seat], window.card),
        *(window.slot + 1, window.cards, None if by is None else names[by]),
        *(take.chance.free_ms, take.chance.cause, round(take.delta, 4)),
    )


def _race(race: RaceCard, names: Sequence[str]) -> Row:
    first, *others = (names[attempt.seat] for attempt in race.attempts)
    equal = names[race.equal_lines] if isinstance(race.equal_lines, int) else race.equal_lines
    behind = (", ".join(others), race.attempts[-1].margin_ms)
    place = (race.seq, race.round, race.t, race.slot + 1)
    return (*place, race.kind, first, *behind, race.cards, race.flip_ms, equal)


def _medians(findings: Findings, seat: int) -> Iterable[float | None]:
    """How long a card that could be played waited in hand, by what had made it playable."""
    for trigger in TRIGGERS:
        reactions = [of_round.seats[seat].reactions.get(trigger) for of_round in findings.tempo]
        times = [
            reaction.median_ms
            for reaction in reactions
            if reaction and reaction.median_ms is not None
        ]
        yield median(times) if times else None


def _cell(value: object) -> str | int | float:
    if isinstance(value, int | float):
        return value
    return "" if value is None else harmless(str(value))
