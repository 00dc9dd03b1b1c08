"""The players' table: one row per seat, with the log lines behind each cell."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final, NamedTuple, cast

from games.engine.cards import OWNER
from games.engine.events import Late, Miss, Play, Tie
from replays.analysis.chances import Chance
from replays.analysis.missed_takes import missed_takes, separate_moments
from replays.analysis.report_json import PlayerCells, TableCell
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


class Cell(NamedTuple):
    """A value, None if unknown, and the seqs of the lines that it comes from."""

    value: float | None
    seqs: tuple[int, ...] = ()


class PlayerRow(NamedTuple):
    seat: int
    cells: dict[str, Cell]


class _Tally:
    """The counts of one seat."""

    def __init__(self) -> None:
        self.seqs: dict[str, list[int]] = {
            name: [] for name in ("plays", "takes", "late", "ties", "misses", "missed")
        }
        self.missed_moments = 0
        self.cards = 0
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
        _react(played, of_round.listed, tallies)
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
            {
                "seat": row.seat,
                **{name: _cell(cell) for name, cell in row.cells.items()},
            },
        )
        for row in rows
    ]


def _cell(cell: Cell) -> TableCell:
    return {"value": rounded(cell.value), "seqs": list(cell.seqs)}


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _count(played: Round, tallies: Sequence[_Tally]) -> None:
    for event, seq in zip(played.events, played.seqs, strict=True):
        if isinstance(event, Play):
            tally = tallies[event.seat]
            tally.seqs["plays"].append(seq)
            if event.takes is not None:
                tally.seqs["takes"].append(seq)
                tally.cards += event.takes
        elif isinstance(event, Late):
            tallies[event.seat].seqs["late"].append(seq)
        elif isinstance(event, Miss):
            tallies[event.seat].seqs["misses"].append(seq)
        elif isinstance(event, Tie):
            for card in event.cards:
                tallies[OWNER[card]].seqs["ties"].append(seq)


def _react(played: Round, chances: Sequence[Chance], tallies: Sequence[_Tally]) -> None:
    seq_of = {
        event.card: seq
        for event, seq in zip(played.events, played.seqs, strict=True)
        if isinstance(event, Play)
    }
    for chance in chances:
        window, tally = chance.window, tallies[chance.window.seat]
        if window.end == PLAYED:
            tally.reactions.append(window.ms)
    missed = missed_takes([chance.window for chance in chances])
    for seat, tally in enumerate(tallies):
        mine = [lost for lost in missed if lost.seat == seat]
        tally.missed_moments += max(separate_moments(mine), default=0)
        tally.seqs["missed"] += [seq_of[lost.play.card] for lost in mine if lost.play]


def _row(seat: int, tally: _Tally, points: int, duration: int) -> PlayerRow:
    seqs = {name: tuple(noted) for name, noted in tally.seqs.items()}
    takes, plays = seqs["takes"], seqs["plays"]
    cells = {
        "points": Cell(points),
        "takes": Cell(len(takes), takes),
        "cards_a_take": Cell(tally.cards / len(takes) if takes else None, takes),
        "late": Cell(len(seqs["late"]), seqs["late"]),
        "ties": Cell(len(seqs["ties"]), seqs["ties"]),
        "misses": Cell(len(seqs["misses"]), seqs["misses"]),
        "missed_takes": Cell(len(seqs["missed"]), seqs["missed"]),
        "missed_moments": Cell(tally.missed_moments),
        "reaction_ms": Cell(median(tally.reactions) if tally.reactions else None, plays),
        "plays_a_minute": Cell(60_000 * len(plays) / duration if duration else None, plays),
        "unplayed_share": Cell(tally.open_ms / duration if duration else None),
    }
    return PlayerRow(seat, cells)
