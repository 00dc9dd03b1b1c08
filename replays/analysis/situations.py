"""Situations: each card laid on a stack, as each seat finds it, and what became of it.

One ends with the next play on that stack or with the round. What its seat chose is the first
movement of its hand: for that stack whenever it came, elsewhere only `DECIDED_MS` after the card,
since an earlier one was decided on before. What followed within `WORTH_MS` (score pile less draw
and discard pile) need not be what the choice caused.

What is told is the share that was taken by then; stacks that are played on leave the situation,
those that a round's end cuts off count half in their span of time (Aalen and Johansen). Counts
come in groups of whole matches: leaving out each in turn gives the intervals (the jackknife).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

from typing_extensions import TypedDict

from games.bots.tempo import movements
from games.engine.cards import FACE, WILD
from games.engine.events import Discard, Draw, Event, Late, Play
from games.engine.fitting import FREE
from games.engine.scoring import raw_scores
from games.engine.table import apply
from replays.analysis.open_takes import DECIDED_MS
from replays.analysis.players.intervals import FEWEST, quantile
from replays.analysis.winning.position import FIVE
from replays.timeline import Round, Timeline

VERSION: Final = 1
"""Raised when the situations of the same log change."""
HEIGHTS: Final = (1, 2, 4, 7, 10, 15)
"""The fewest cards of each class of heights."""
APART: Final = 10
"""Points that count as behind or ahead."""
WORTH_MS: Final = 10_000
EDGES_MS: Final = (250, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000)
"""The ends of the spans of time for which situations are counted."""
SOON, LAST = EDGES_MS.index(2_000), len(EDGES_MS) - 1
"""The spans that are told in a sentence, and by rank."""
OWN, OTHERS, GROWN, OVER = range(4)
"""How one ends: taken, by its seat or another; played on; with the round."""
TOOK, TRIED, BUILT, ELSEWHERE, DREW, DISCARDED, NOTHING = range(7)
"""What its seat chose; `TRIED`: for the stack, but late, tied or by mistake."""


class Kind(NamedTuple):
    """What situations are alike in: the height by `HEIGHTS`; in hand a 5 (1), a wild (2) or both
    (3); behind the best other (0), level (1) or ahead (2)."""

    top: int
    height: int
    hand: int
    score: int
    rank: int


@dataclass(slots=True)
class Situation:
    """One of a seat; it ended `ms` after the line with that seq laid the card."""

    kind: Kind
    seat: int
    t: int
    seq: int
    ms: int = 0
    end: int | None = None
    choice: int = NOTHING
    gained: int = 0


def situations(played: Round, ranks: Sequence[int]) -> list[Situation]:
    """Those of a round; `ranks`: of each seat."""
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
        self._times, self._points = [0], [raw_scores(self._table)]

    def read(self, event: Event, seq: int) -> None:
        for seat, _ in movements(event):
            self._choose(seat, event)
        if isinstance(event, Play):
            self._close(event)
        apply(self._table, event)
        self._times.append(event.t)
        self._points.append(raw_scores(self._table))
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
        standing = [sum(both) for both in zip(self._before, self._points[-1], strict=True)]
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
                situation.ms, situation.end = self._times[-1] - situation.t, OVER
        for situation in self.found:
            situation.gained = (
                self._at(situation.t + WORTH_MS)[situation.seat]
                - self._at(situation.t)[situation.seat]
            )

    def _at(self, t: int) -> tuple[int, ...]:
        return self._points[bisect_right(self._times, t) - 1]


CHOICES: Final = (
    *("took it", "tried and failed", "played on it", "played elsewhere", "drew", "discarded"),
    "did nothing while it was open",
)
TIMES: Final = 4 * len(EDGES_MS)
GAINS: Final = TIMES + len(CHOICES)
COUNTS: Final = GAINS + len(CHOICES)
"""Counts: how each ended in which span of time, how often each was chosen, what was gained."""
Counts = Sequence[int]
Cell = tuple[list[int], list[list[int]]]
"""The counts of a kind, and some places: match, round, seq, seat."""
Cells = dict[str, Cell]
"""By hand, score and rank, with dots between them."""


def add(counts: list[int], situation: Situation) -> None:
    if situation.end is not None and situation.ms < EDGES_MS[-1]:
        counts[situation.end * len(EDGES_MS) + bisect_right(EDGES_MS, situation.ms)] += 1
    counts[TIMES + situation.choice] += 1
    counts[GAINS + situation.choice] += situation.gained


def tally(timeline: Timeline, ranks: Sequence[int], match: int = 0) -> dict[str, Cells]:
    """The counts of a match by top and height, then as `Cells`; of each its first place."""
    by_stack: dict[str, Cells] = {}
    for played in timeline.rounds:
        for situation in situations(played, ranks):
            top, height, *others = situation.kind
            place = [match, played.number, situation.seq, situation.seat]
            cells = by_stack.setdefault(f"{top}.{height}", {})
            add(cells.setdefault(".".join(map(str, others)), ([0] * COUNTS, [place]))[0], situation)
    return by_stack


ENOUGH: Final = 30
"""Of fewer situations nothing is told."""
YOU, ANOTHER, ANYBODY = "you", "another", "anybody"
_GAINED: Final = "points gained within 10 s"
_WITHIN: Final = tuple(f"{ms / 1_000:g} s" for ms in EDGES_MS)


class Share(TypedDict):
    """A figure, the edges of its 95% interval (null: too few matches), and both in words."""

    value: float
    low: float | None
    high: float | None
    text: str
    interval: str


class Row(TypedDict):
    """Of how many situations it tells, and its figures by column."""

    name: str
    situations: int
    figures: dict[str, Share]


def summed(counts: Iterable[Counts]) -> list[int]:
    """The sum of some counts."""
    return [sum(column) for column in zip([0] * COUNTS, *counts, strict=True)]


def size(counts: Counts) -> int:
    """How many situations were counted."""
    return sum(counts[TIMES:GAINS])


def ended(counts: Counts) -> tuple[list[float], list[float]]:
    """The shares taken by the end of each span: by the seat itself, and by another."""
    left, open_, own, others = float(size(counts)), 1.0, [0.0], [0.0]
    for at in range(len(EDGES_MS)):
        ends = [counts[end * len(EDGES_MS) + at] for end in (OWN, OTHERS, GROWN, OVER)]
        exposed = left - ends[OVER] / 2
        each = open_ / exposed if exposed > 0 else 0.0
        own.append(own[-1] + each * ends[OWN])
        others.append(others[-1] + each * ends[OTHERS])
        open_ -= each * sum(ends[:OVER])
        left -= sum(ends)
    return own[1:], others[1:]


def by_time(groups: Sequence[Counts]) -> list[Row]:
    """By when it was taken, and by whom."""

    def told(counts: Counts) -> list[float]:
        own, others = ended(counts)
        return [number for a, b in zip(own, others, strict=True) for number in (a, b, a + b)]

    shares, count, by = _estimated(groups, told, "%"), size(summed(groups)), (YOU, ANOTHER, ANYBODY)
    return [
        Row(name=time, situations=count, figures=dict(zip(by, of, strict=True)))
        for time, of in zip(_WITHIN, zip(*[iter(shares)] * 3, strict=True), strict=True)
    ]


def by_choice(groups: Sequence[Counts]) -> list[Row]:
    """What its seat did next, the most frequent first."""
    whole = summed(groups)
    shares = _estimated(groups, lambda of: [count / size(of) for count in of[TIMES:GAINS]], "%")
    gains = _estimated(
        groups,
        lambda of: [a / (b or 1) for a, b in zip(of[GAINS:], of[TIMES:GAINS], strict=True)],
    )
    rows = zip(CHOICES, whole[TIMES:GAINS], shares, gains, strict=True)
    made = sorted((row for row in rows if row[1]), key=lambda row: -row[1])
    return [
        Row(name=name, situations=n, figures={"share": a, _GAINED: b}) for name, n, a, b in made
    ]


def by_rank(ranks: Mapping[str, Sequence[Counts]]) -> list[Row]:
    """How players of each rank fare, where enough is known."""
    rows = []
    for name, groups in ranks.items():
        count = size(summed(groups))
        if count >= ENOUGH:
            own = _estimated(groups, lambda of: [ended(of)[0][at] for at in (SOON, LAST)], "%")
            (gain,) = _estimated(groups, lambda of: [sum(of[GAINS:]) / size(of)])
            figures = {
                f"taken within {_WITHIN[SOON]}": own[0],
                f"taken within {_WITHIN[LAST]}": own[1],
            }
            figures[_GAINED] = gain
            rows.append(Row(name=name, situations=count, figures=figures))
    return rows


def _estimated(
    groups: Sequence[Counts], told: Callable[[Counts], list[float]], unit: str = ""
) -> list[Share]:
    """The figures that are told of counts, each a share (%) or in points."""
    whole, some = summed(groups), [group for group in groups if size(group)]
    values, count = told(whole), len(some)
    if count < FEWEST:
        return [_share((value,), unit) for value in values]
    without = [told([a - b for a, b in zip(whole, group, strict=True)]) for group in some]
    shares = []
    for value, column in zip(values, zip(*without, strict=True), strict=True):
        squares = sum((estimate - sum(column) / count) ** 2 for estimate in column)
        wide = quantile(count - 1) * sqrt(squares * (count - 1) / count)
        edges = value, value - wide, value + wide
        shares.append(_share([min(1.0, max(0.0, edge)) for edge in edges] if unit else edges, unit))
    return shares


def _share(edges: Sequence[float], unit: str) -> Share:
    said = [f"{100 * edge:.0f}" if unit else f"{edge:+.1f}".replace("-", "−") for edge in edges]
    value, low, high = (*(round(edge, 4) for edge in edges), None, None)[:3]
    interval = f"{said[1]} to {said[2]}{unit}" if said[1:] else ""
    return Share(value=value or 0, low=low, high=high, text=f"{said[0]}{unit}", interval=interval)
