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
from games.engine.events import Event, Play
from games.engine.fitting import FREE
from games.engine.message import Message, decimal
from games.engine.table import apply
from replays.analysis.players.figures import INTERVALS, VALUES
from replays.analysis.players.intervals import wilson
from replays.analysis.winning.position import FIVE
from replays.timeline import Round, Timeline

VERSION: Final = 3
"""Raised when the situations of the same log change."""
HEIGHTS: Final = (1, 2, 4, 7, 10, 15)
"""The fewest cards of each class of heights."""
WITHIN_MS: Final = (250, 500, 1_000, 2_000, 5_000, 10_000)
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
    """One seat's situation. It ended `ms` after the line with that seq laid the card."""

    kind: Kind
    seat: int
    t: int
    seq: int
    ms: int = 0
    end: int | None = None


def situations(played: Round) -> list[Situation]:
    """Those of a round."""
    reader = _Reader(played)
    for event, seq in zip(played.events, played.seqs, strict=True):
        reader.read(event, seq)
    reader.finish()
    return reader.found


def situation_at(played: Round, seq: int, seat: int) -> Situation | None:
    """The one that a seat was in before a line: on that line's stack, or else on the highest."""
    reader = _Reader(played)
    for event, at in zip(played.events, played.seqs, strict=True):
        if at == seq:
            highest = max(reader.open.values(), key=lambda of: of[0].kind.height, default=None)
            there = reader.open.get(getattr(event, "stack", -1), highest)
            return there[seat] if there else None
        reader.read(event, at)
    return None


class _Reader:
    def __init__(self, played: Round) -> None:
        self._table = played.table()
        self.found: list[Situation] = []
        self.open: dict[int, list[Situation]] = {}
        """By slot, one for each seat."""
        self._last = 0

    def read(self, event: Event, seq: int) -> None:
        if isinstance(event, Play):
            self._close(event)
        apply(self._table, event)
        self._last = event.t
        if isinstance(event, Play) and self._table.tops[event.stack] != FREE:
            kinds = enumerate(self._kinds(event.stack))
            self.open[event.stack] = [Situation(kind, at, event.t, seq) for at, kind in kinds]
            self.found += self.open[event.stack]

    def _kinds(self, slot: int) -> Iterator[Kind]:
        table = self._table
        height = bisect_right(HEIGHTS, len(table.stacks[slot])) - 1
        for hand in table.hands:
            faces = {FACE[card] for card in hand}
            yield Kind(table.tops[slot], height, (FIVE in faces) + 2 * (WILD in faces))

    def _close(self, play: Play) -> None:
        for situation in self.open.pop(play.stack, ()):
            situation.ms = play.t - situation.t
            situation.end = (
                GROWN if play.takes is None else OWN if situation.seat == play.seat else OTHERS
            )

    def finish(self) -> None:
        for slot in self.open.values():
            for situation in slot:
                situation.ms, situation.end = self._last - situation.t, OVER


_TIMES: Final = len(WITHIN_MS)
COUNTS: Final = 3 * _TIMES + 1
"""Counts. For each time: not cut off, taken by their seat, taken by another. Then all."""
Counts = Sequence[int]
Cell = tuple[list[int], list[list[int]]]
"""The counts of a kind, and some places: match, round, seq, seat."""
Cells = dict[str, Cell]
"""By hand."""


def add(counts: list[int], situation: Situation) -> None:
    for at, ms in enumerate(WITHIN_MS):
        ended = situation.ms < ms
        counts[at] += not (ended and situation.end == OVER)
        counts[_TIMES + at] += ended and situation.end == OWN
        counts[2 * _TIMES + at] += ended and situation.end == OTHERS
    counts[-1] += 1


def tally(timeline: Timeline, match: int = 0) -> dict[str, Cells]:
    """The counts of a match by top and height, then as `Cells`, each with its first place."""
    by_stack: dict[str, Cells] = {}
    for played in timeline.rounds:
        for situation in situations(played):
            top, height, hand = situation.kind
            place = [match, played.number, situation.seq, situation.seat]
            cells = by_stack.setdefault(f"{top}.{height}", {})
            add(cells.setdefault(str(hand), ([0] * COUNTS, [place]))[0], situation)
    return by_stack


ENOUGH: Final = 10
"""The fewest situations that show a share."""
YOU, ANOTHER, ANYBODY = "you", "another", "anybody"
_LABELS: Final = {
    YOU: Message("by that player"),
    ANOTHER: Message("by another"),
    ANYBODY: Message("by anyone"),
}
ALIKE: Final = 2.0
"""The seats at one stack share its outcome in takes by others. So many situations count as one."""


class Share(TypedDict):
    """A share and its 95% interval, as numbers and in words, with its whole."""

    value: float
    low: float
    high: float
    label: Message
    text: Message
    interval: Message


class Row(TypedDict):
    """A row: the number of situations, and its figures by column."""

    name: Message
    situations: int
    figures: dict[str, Share]


def summed(counts: Iterable[Counts]) -> list[int]:
    """The sum of some counts."""
    return [sum(column) for column in zip([0] * COUNTS, *counts, strict=True)]


def by_time(counts: Counts) -> list[Row]:
    """The shares taken within each time, and by whom. Times with too few cases are left out."""
    return [
        Row(name=_within(at), situations=counts[at], figures=_taken(counts, at))
        for at in range(_TIMES)
        if counts[at] >= ENOUGH
    ]


def _taken(counts: Counts, at: int) -> dict[str, Share]:
    own, others, whole = counts[_TIMES + at], counts[2 * _TIMES + at], counts[at]
    shares = {YOU: (own, 1.0), ANOTHER: (others, ALIKE), ANYBODY: (own + others, ALIKE)}
    return {who: _share(_LABELS[who], count, whole, by) for who, (count, by) in shares.items()}


def _within(at: int) -> Message:
    digits = 0 if WITHIN_MS[at] % 1_000 == 0 else 2 if WITHIN_MS[at] % 100 else 1
    return Message("{seconds} s", seconds=decimal(WITHIN_MS[at] / 1_000, digits))


def _share(label: Message, count: int, whole: int, alike: float) -> Share:
    value = count / whole
    low, high = wilson(value, whole / alike)
    said = [decimal(100 * part, 0) for part in (value, low, high)]
    return Share(
        value=round(value, 4),
        low=round(low, 4),
        high=round(high, 4),
        label=label,
        text=VALUES["%"].filled({"number": said[0]}),
        interval=INTERVALS["%"].filled({"low": said[1], "high": said[2]}),
    )
