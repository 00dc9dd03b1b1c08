"""The players' table: one row per seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Final, NamedTuple, cast

from games.engine.cards import OWNER
from games.engine.events import Late, Miss, Play, Tie
from replays.analysis.chances import Chance
from replays.analysis.missed_takes import missed_takes, separate_moments
from replays.analysis.report_json import PlayerCells
from replays.analysis.round_chances import RoundChances, round_chances
from replays.analysis.windows import PLAYED
from replays.timeline import Round, Timeline

COLUMNS: Final = (
    "points",
    "takes",
    "cards_a_take",
    "late",
    "ties",
    "misses",
    "missed_takes",
    "missed_moments",
    "reaction_ms",
    "plays_a_minute",
    "unplayed_share",
)
PUBLIC: Final = ("takes", "cards_a_take", "late", "ties", "misses")
"""Those shown during the match. The others need the hands, mean little yet, or are on the board,
which is never behind."""
_DIGITS: Final = 4


class PlayerRow(NamedTuple):
    """The figures of a seat, by column. None: unknown."""

    seat: int
    cells: dict[str, float | None]


class _Tally:
    """The counts of one seat."""

    def __init__(self) -> None:
        self.done: Counter[type] = Counter()
        self.takes = self.missed = self.missed_moments = self.cards = 0
        self.reactions: list[int] = []
        self.open_ms = 0


def player_table(
    timeline: Timeline,
    lags: Sequence[float | None],
    known: Sequence[RoundChances] | None = None,
) -> list[PlayerRow]:
    """One row per seat. `lags`: each seat's in ms. `known`: each round's chances, if computed."""
    if known is None:
        known = [round_chances(played, lags) for played in timeline.rounds]
    seats = range(len(timeline.names))
    tallies = [_Tally() for _ in seats]
    for played, of_round in zip(timeline.rounds, known, strict=True):
        _count(played, tallies)
        _react(of_round.listed, tallies)
        for tally, open_ms in zip(tallies, of_round.open_ms, strict=True):
            tally.open_ms += open_ms
    duration = sum(played.duration_ms for played in timeline.rounds)
    return [_row(seat, tallies[seat], timeline.totals[seat], duration) for seat in seats]


def public_table(timeline: Timeline) -> list[PlayerRow]:
    """The `PUBLIC` columns, from a log that may hide the hands."""
    seats = range(len(timeline.names))
    tallies = [_Tally() for _ in seats]
    for played in timeline.rounds:
        _count(played, tallies)
    duration = sum(played.duration_ms for played in timeline.rounds)
    rows = [_row(seat, tallies[seat], 0, duration) for seat in seats]
    return [row._replace(cells={name: row.cells[name] for name in PUBLIC}) for row in rows]


def rows_json(rows: Sequence[PlayerRow]) -> list[PlayerCells]:
    return [
        cast(
            PlayerCells,
            {"seat": row.seat, **{name: rounded(cell) for name, cell in row.cells.items()}},
        )
        for row in rows
    ]


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _count(played: Round, tallies: Sequence[_Tally]) -> None:
    for event in played.events:
        if isinstance(event, Tie):
            for card in event.cards:
                tallies[OWNER[card]].done[Tie] += 1
        elif isinstance(event, Play | Late | Miss):
            tally = tallies[event.seat]
            tally.done[type(event)] += 1
            if isinstance(event, Play) and event.takes is not None:
                tally.takes += 1
                tally.cards += event.takes


def _react(chances: Sequence[Chance], tallies: Sequence[_Tally]) -> None:
    for chance in chances:
        if chance.window.end == PLAYED:
            tallies[chance.window.seat].reactions.append(chance.window.ms)
    missed = missed_takes([chance.window for chance in chances])
    for seat, tally in enumerate(tallies):
        mine = [lost for lost in missed if lost.seat == seat]
        tally.missed_moments += max(separate_moments(mine), default=0)
        tally.missed += len(mine)


def _row(seat: int, tally: _Tally, points: int, duration: int) -> PlayerRow:
    done = tally.done
    cells: dict[str, float | None] = {
        "points": points,
        "takes": tally.takes,
        "cards_a_take": tally.cards / tally.takes if tally.takes else None,
        "late": done[Late],
        "ties": done[Tie],
        "misses": done[Miss],
        "missed_takes": tally.missed,
        "missed_moments": tally.missed_moments,
        "reaction_ms": median(tally.reactions) if tally.reactions else None,
        "plays_a_minute": 60_000 * done[Play] / duration if duration else None,
        "unplayed_share": tally.open_ms / duration if duration else None,
    }
    return PlayerRow(seat, cells)
