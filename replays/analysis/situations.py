"""Situations: each card laid on a stack, as each seat finds it, with its outcome.

A situation ends with the next play on that stack or with the round. The figures are the shares
taken within a time, among those that the round's end did not cut off before. A stack that is played
on is not taken. Intervals are Wilson's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from games.engine.cards import FACE, WILD
from games.engine.events import Play
from games.engine.fitting import FREE
from games.engine.message import Message, decimal
from games.engine.table import Table, apply
from replays.analysis.players.figures import INTERVALS, VALUES
from replays.analysis.players.intervals import wilson
from replays.analysis.winning.position import FIVE
from replays.timeline import Round, Timeline

VERSION: Final = 4
"""Raised when the situations of the same log change."""
HEIGHTS: Final = (1, 2, 4, 7, 10, 15)
"""The fewest cards of each class of heights."""
WITHIN_MS: Final = (500, 1_000, 2_000, 5_000, 10_000)
"""The times within which a stack is taken or not."""
SOON: Final = WITHIN_MS.index(2_000)
"""The time in a sentence."""
OWN, OTHERS, GROWN, OVER = range(4)
"""How one ends: taken, by its seat or another, played on, or with the round."""


class Kind(NamedTuple):
    """The key of like situations. The height is by `HEIGHTS`. In hand: a 5 (1), a wild (2) or both
    (3)."""

    top: int
    height: int
    hand: int


@dataclass(slots=True)
class Situation:
    """One seat's situation, since the line `seq` at `t`, until the line `until` after `ms`.

    `alike`: the seats at that stack with one of this kind. They share its outcome.
    """

    kind: Kind
    seat: int
    t: int
    seq: int
    alike: int = 1
    ms: int = 0
    end: int = OVER
    until: int = 0


def situations(played: Round) -> list[Situation]:
    table, found = played.table(), list[Situation]()
    by_stack: dict[int, list[Situation]] = {}
    for event, seq in zip(played.events, played.seqs, strict=True):
        apply(table, event)
        if isinstance(event, Play):
            for ended in by_stack.pop(event.stack, ()):
                own = ended.seat == event.seat
                ended.end = GROWN if event.takes is None else OWN if own else OTHERS
                ended.ms, ended.until = event.t - ended.t, seq
            if table.tops[event.stack] != FREE:
                kinds = list(_kinds(table, event.stack))
                like = ((at, kind, kinds.count(kind)) for at, kind in enumerate(kinds))
                laid = [Situation(kind, at, event.t, seq, alike) for at, kind, alike in like]
                by_stack[event.stack] = laid
                found += laid
    for left in by_stack.values():
        for situation in left:
            situation.ms, situation.until = table.t - situation.t, played.seqs[-1]
    return found


def _kinds(table: Table, slot: int) -> Iterator[Kind]:
    height = bisect_right(HEIGHTS, len(table.stacks[slot])) - 1
    for hand in table.hands:
        faces = {FACE[card] for card in hand}
        yield Kind(table.tops[slot], height, (FIVE in faces) + 2 * (WILD in faces))


def situation_at(played: Round, seq: int, seat: int) -> Situation | None:
    """The one that a seat was in before a line: the one that it ended, or else the highest."""
    there = [one for one in situations(played) if one.seat == seat and one.seq < seq <= one.until]
    return max(there, key=lambda one: (one.until == seq, one.kind.height), default=None)


_TIMES: Final = len(WITHIN_MS)
COUNTS: Final = 3 * _TIMES + 2
"""For each time: not cut off, taken by their seat, taken by anyone. Then the stacks, and all."""
Cell = tuple[list[float], list[int]]
"""The counts of a kind in a match, and the first place: round, seq, seat."""
Cells = dict[str, Cell]
"""By hand."""


def add(counts: list[float], situation: Situation) -> None:
    for at, ms in enumerate(WITHIN_MS):
        ended = situation.ms < ms
        counts[at] += not (ended and situation.end == OVER)
        counts[_TIMES + at] += ended and situation.end == OWN
        counts[2 * _TIMES + at] += ended and situation.end in (OWN, OTHERS)
    counts[-2] += 1 / situation.alike
    counts[-1] += 1


def tally(timeline: Timeline) -> dict[str, Cells]:
    """The cells of a match by top and height."""
    by_stack: dict[str, Cells] = {}
    for played in timeline.rounds:
        for situation in situations(played):
            top, height, hand = situation.kind
            place = [played.number, situation.seq, situation.seat]
            cells = by_stack.setdefault(f"{top}.{height}", {})
            add(cells.setdefault(str(hand), ([0] * COUNTS, place))[0], situation)
    return by_stack


ENOUGH: Final = 10
"""The fewest situations that show a share."""
ALIKE: Final = 1.25
"""Those of a match are alike in how soon they are taken. So many count as one."""


class Share(TypedDict):
    """A share and its 95% interval, as numbers and in words."""

    value: float
    low: float
    high: float
    text: Message
    interval: Message


class Row(TypedDict):
    """The shares taken within a time, by the player with that hand (`you`) and by `anyone`."""

    name: Message
    situations: int
    figures: dict[str, Share]


def summed(counts: Iterable[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip([0] * COUNTS, *counts, strict=True)]


def by_time(counts: Sequence[float]) -> list[Row]:
    apart = counts[-2] / max(1, counts[-1])
    return [
        Row(
            name=Message("{seconds} s", seconds=decimal(ms / 1_000, 1 if ms % 1_000 else 0)),
            situations=int(whole),
            figures={
                "you": _share(counts[_TIMES + at], whole, whole),
                "anyone": _share(counts[2 * _TIMES + at], whole, whole * apart),
            },
        )
        for at, (ms, whole) in enumerate(zip(WITHIN_MS, counts, strict=False))
        if whole >= ENOUGH
    ]


def _share(count: float, whole: float, weight: float) -> Share:
    value = count / whole
    low, high = wilson(value, weight / ALIKE)
    said = [decimal(100 * part, 0) for part in (value, low, high)]
    return Share(
        value=round(value, 4),
        low=round(low, 4),
        high=round(high, 4),
        text=VALUES["%"].filled({"number": said[0]}),
        interval=INTERVALS["%"].filled({"low": said[1], "high": said[2]}),
    )
