"""Situations: each card laid on a stack, as each seat finds it, with its outcome.

A situation ends with the next play on that stack or with the round. The seat's choice is its first
movement: for that stack at any time, elsewhere only `DECIDED_MS` after the card, since an earlier
one was decided on before.

The figures are the shares taken within a time, among those that the round's end did not cut off
before. A stack that is played on is not taken. Intervals are Wilson's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from games.bots.tempo import movements
from games.engine.cards import FACE, WILD
from games.engine.events import Discard, Draw, Event, Late, Play
from games.engine.fitting import FREE
from games.engine.message import Message, decimal
from games.engine.scoring import raw_scores
from games.engine.table import apply
from replays.analysis.open_takes import DECIDED_MS
from replays.analysis.players.figures import INTERVALS, VALUES
from replays.analysis.players.intervals import wilson
from replays.analysis.winning.position import FIVE
from replays.timeline import Round, Timeline

VERSION: Final = 2
"""Raised when the situations of the same log change."""
HEIGHTS: Final = (1, 2, 4, 7, 10, 15)
"""The fewest cards of each class of heights."""
APART: Final = 10
"""Points that count as behind or ahead."""
WITHIN_MS: Final = (250, 500, 1_000, 2_000, 5_000, 10_000)
"""The times within which a stack is taken or not."""
SOON, LAST = WITHIN_MS.index(2_000), len(WITHIN_MS) - 1
"""The times in a sentence, and by rank."""
OWN, OTHERS, GROWN, OVER = range(4)
"""How one ends: taken, by its seat or another, played on, or with the round."""
TOOK, TRIED, BUILT, ELSEWHERE, DREW, DISCARDED, NOTHING = range(7)
"""The seat's choice. `TRIED`: for the stack, but late, tied or by mistake."""


class Kind(NamedTuple):
    """The key of like situations. The height is by `HEIGHTS`. In hand: a 5 (1), a wild (2) or both
    (3). Score: behind the best other (0), level (1) or ahead (2)."""

    top: int
    height: int
    hand: int
    score: int
    rank: int


@dataclass(slots=True)
class Situation:
    """One seat's situation. It ended `ms` after the line with that seq laid the card."""

    kind: Kind
    seat: int
    t: int
    seq: int
    ms: int = 0
    end: int | None = None
    choice: int = NOTHING


def situations(played: Round, ranks: Sequence[int]) -> list[Situation]:
    """Those of a round. `ranks`: each seat's."""
    reader = _Reader(played, ranks)
    for event, seq in zip(played.events, played.seqs, strict=True):
        reader.read(event, seq)
    reader.finish()
    return reader.found


def situation_at(played: Round, seq: int, seat: int, rank: int) -> Situation | None:
    """The one that a seat was in before a line: on that line's stack, or else on the highest."""
    reader = _Reader(played, [rank] * len(played.header.seats))
    for event, at in zip(played.events, played.seqs, strict=True):
        if at == seq:
            highest = max(reader.open.values(), key=lambda of: of[0].kind.height, default=None)
            there = reader.open.get(getattr(event, "stack", -1), highest)
            return there[seat] if there else None
        reader.read(event, at)
    return None


class _Reader:
    def __init__(self, played: Round, ranks: Sequence[int]) -> None:
        self._table, self._ranks, self._before = played.table(), ranks, played.before
        self.found: list[Situation] = []
        self.open: dict[int, list[Situation]] = {}
        """By slot, one for each seat."""
        self._undecided: list[dict[int, Situation]] = [{} for _ in ranks]
        self._last = 0

    def read(self, event: Event, seq: int) -> None:
        for seat, _ in movements(event):
            self._choose(seat, event)
        if isinstance(event, Play):
            self._close(event)
        apply(self._table, event)
        self._last = event.t
        if isinstance(event, Play) and self._table.tops[event.stack] != FREE:
            self._open(event, seq)

    def _open(self, play: Play, seq: int) -> None:
        kinds = enumerate(self._kinds(play.stack))
        self.open[play.stack] = made = [Situation(kind, at, play.t, seq) for at, kind in kinds]
        self.found += made
        for seat, situation in enumerate(made):
            self._undecided[seat][play.stack] = situation

    def _kinds(self, slot: int) -> Iterator[Kind]:
        table = self._table
        height = bisect_right(HEIGHTS, len(table.stacks[slot])) - 1
        standing = [sum(both) for both in zip(self._before, raw_scores(table), strict=True)]
        for seat, hand in enumerate(table.hands):
            faces = {FACE[card] for card in hand}
            lead = standing[seat] - max(standing[:seat] + standing[seat + 1 :])
            score = 1 + (lead >= APART) - (lead <= -APART)
            held = (FIVE in faces) + 2 * (WILD in faces)
            yield Kind(table.tops[slot], height, held, score, self._ranks[seat])

    def _choose(self, seat: int, event: Event) -> None:
        """Make this movement the choice in those situations of a seat of which it is one."""
        for slot, situation in list(self._undecided[seat].items()):
            early = event.t - situation.t < DECIDED_MS
            if getattr(event, "stack", None) == slot:
                if isinstance(event, Late) and early and situation.end is None:
                    continue  # for the card below
                took = BUILT if getattr(event, "takes", None) is None else TOOK
                situation.choice = took if isinstance(event, Play) else TRIED
            elif situation.end is None:
                if early:
                    continue
                drew = DREW if isinstance(event, Draw) else ELSEWHERE
                situation.choice = DISCARDED if isinstance(event, Discard) else drew
            del self._undecided[seat][slot]

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


CHOICES: Final = (
    Message("took it"),
    Message("tried and failed"),
    Message("played on it"),
    Message("played elsewhere"),
    Message("drew a card"),
    Message("discarded a card"),
    Message("did nothing while it was open"),
)
_TIMES: Final = len(WITHIN_MS)
CHOSEN: Final = 3 * _TIMES
COUNTS: Final = CHOSEN + len(CHOICES)
"""Counts. For each time: not cut off, taken by their seat, taken by another. Then each choice."""
Counts = Sequence[int]
Cell = tuple[list[int], list[list[int]]]
"""The counts of a kind, and some places: match, round, seq, seat."""
Cells = dict[str, Cell]
"""By hand, score and rank, with dots between them."""


def add(counts: list[int], situation: Situation) -> None:
    for at, ms in enumerate(WITHIN_MS):
        ended = situation.ms < ms
        counts[at] += not (ended and situation.end == OVER)
        counts[_TIMES + at] += ended and situation.end == OWN
        counts[2 * _TIMES + at] += ended and situation.end == OTHERS
    counts[CHOSEN + situation.choice] += 1


def tally(timeline: Timeline, ranks: Sequence[int], match: int = 0) -> dict[str, Cells]:
    """The counts of a match by top and height, then as `Cells`, each with its first place."""
    by_stack: dict[str, Cells] = {}
    for played in timeline.rounds:
        for situation in situations(played, ranks):
            top, height, *others = situation.kind
            place = [match, played.number, situation.seq, situation.seat]
            cells = by_stack.setdefault(f"{top}.{height}", {})
            add(cells.setdefault(".".join(map(str, others)), ([0] * COUNTS, [place]))[0], situation)
    return by_stack


ENOUGH: Final = 10
"""The fewest situations that show a share."""
YOU, ANOTHER, ANYBODY = "you", "another", "anybody"
_LABELS: Final = {
    YOU: Message("by that player"),
    ANOTHER: Message("by another"),
    ANYBODY: Message("by anyone"),
    "share": Message("share"),
}
ALIKE, ALIKE_BY_RANK = 2.0, 1.5
"""The seats at one stack share its outcome in takes by others. So many situations, of any rank and
of one rank, count as one."""


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

    name: Message | str
    situations: int
    figures: dict[str, Share]


def summed(counts: Iterable[Counts]) -> list[int]:
    """The sum of some counts."""
    return [sum(column) for column in zip([0] * COUNTS, *counts, strict=True)]


def size(counts: Counts) -> int:
    """How many situations were counted."""
    return sum(counts[CHOSEN:])


def by_time(counts: Counts, *, ranked: bool = False) -> list[Row]:
    """The shares taken within each time, and by whom. Times with too few cases are left out.

    `ranked`: they are of one rank.
    """
    alike = ALIKE_BY_RANK if ranked else ALIKE
    return [
        Row(name=_within(at), situations=counts[at], figures=_taken(counts, at, alike))
        for at in range(len(WITHIN_MS))
        if counts[at] >= ENOUGH
    ]


def _taken(counts: Counts, at: int, alike: float) -> dict[str, Share]:
    own, others, whole = counts[_TIMES + at], counts[2 * _TIMES + at], counts[at]
    shares = {YOU: (own, 1.0), ANOTHER: (others, alike), ANYBODY: (own + others, alike)}
    return {who: _share(_LABELS[who], count, whole, by) for who, (count, by) in shares.items()}


def _within(at: int) -> Message:
    digits = 0 if WITHIN_MS[at] % 1_000 == 0 else 2 if WITHIN_MS[at] % 100 else 1
    return Message("{seconds} s", seconds=decimal(WITHIN_MS[at] / 1_000, digits))


def by_choice(counts: Counts) -> list[Row]:
    """The seat's next action, the most frequent first."""
    made = sorted(zip(CHOICES, counts[CHOSEN:], strict=True), key=lambda pair: -pair[1])
    whole = size(counts)
    return [
        Row(
            name=name,
            situations=count,
            figures={"share": _share(_LABELS["share"], count, whole)},
        )
        for name, count in made
        if count
    ]


def by_rank(ranks: Iterable[tuple[str, Counts]]) -> list[Row]:
    """How often players of each rank took it, where enough is known."""
    return [
        Row(
            name=name,
            situations=size(counts),
            figures={
                f"taken within {WITHIN_MS[at] // 1_000} s": {
                    **_taken(counts, at, ALIKE_BY_RANK)[YOU],
                    "label": Message("taken within {time}", time=_within(at)),
                }
                for at in (SOON, LAST)
            },
        )
        for name, counts in ranks
        if counts[LAST] >= ENOUGH
    ]


def _share(label: Message, count: int, whole: int, alike: float = 1.0) -> Share:
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
