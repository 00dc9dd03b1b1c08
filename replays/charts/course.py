"""The data of charts: the points and stacks of a round, or the sums of a match's rounds.

All charts of a round use the same points, so that one cursor can go through all of them. They
contain public facts: stacks, takes, ties and the number of cards in each place. A figure has each
point's seq and numbers. The page that shows it puts them into words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from games.engine.cards import OWNER
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Play, Tie
from games.engine.message import ENGLISH, Language, Message, render
from games.engine.table import HAND
from replays.analysis.marks import escape
from replays.analysis.stacks import Stack, fed, stacks
from replays.timeline import Round, Timeline


class ChartPoint(NamedTuple):
    """One event, or none for the deal. `x`: ms in the round, `middle`: each seat's center cards."""

    seq: int
    x: int
    event: Event | None
    middle: tuple[int, ...]
    scores: tuple[int, ...]
    """For each seat, its score if the round ended now."""
    height: int
    """Cards in the stack that the event concerns, including the one played."""


class ChartRound(NamedTuple):
    """A round as charts show it. `totals` are those after it, None if it has not ended."""

    round: int
    seq: int
    """The deal's."""
    duration_ms: int
    totals: tuple[int, ...] | None
    scores: tuple[int, ...]
    """For each seat, its score at the end, or so far."""
    stacks: list[Stack]
    """`Stack.plays` are seqs here."""
    fed: tuple[tuple[int, ...], ...]


class Course:
    """One round of a match as points and stacks, or (`whole`) all of them as their sums. For a
    reader who knows the players by these names and reads that language."""

    def __init__(
        self,
        timeline: Timeline,
        rounds: Sequence[Round],
        whole: bool,
        names: Sequence[str],
        language: Language = ENGLISH,
    ) -> None:
        self.rules = timeline.header.rules
        self.names = names
        self.whole = whole
        self._language = language
        self.rounds = list(map(_chart_round, rounds))
        self.stacks = [stack for played in self.rounds for stack in played.stacks]
        self._played = rounds

    @classmethod
    def of(
        cls,
        timeline: Timeline,
        number: int | None = None,
        names: Sequence[str] = (),
        language: Language = ENGLISH,
    ) -> Course:
        """The course of one round, or (None) of all. Raises LookupError if there is no such."""
        rounds = [played for played in timeline.rounds if number in (None, played.number)]
        if number is not None and not rounds:
            raise LookupError(f"no round {number}")
        return cls(timeline, rounds, number is None, names or timeline.names, language)

    def words(self, message: Message) -> str:
        """A message to the reader, for Plotly, which finds no markup in it."""
        return render(message, list(map(escape, self.names)), self._language)

    @property
    def seats(self) -> range:
        return range(len(self.names))

    @property
    def duration(self) -> int:
        """The last event's t, in ms."""
        return max((played.duration_ms for played in self.rounds), default=0)

    @cached_property
    def points(self) -> list[ChartPoint]:
        """Those of the round, in order."""
        return [point for played in self._played for point in points_of(played)]

    @cached_property
    def totals(self) -> list[tuple[int, ...]]:
        """Each seat's total after each round, and so far in one that has not ended."""
        by_round: list[tuple[int, ...]] = []
        before: tuple[int, ...] = (0,) * len(self.names)
        for played in self.rounds:
            now = tuple(map(sum, zip(before, played.scores, strict=True)))
            before = now if played.totals is None else played.totals
            by_round.append(before)
        return by_round

    @cached_property
    def fed(self) -> list[list[int]]:
        """The fed cards by pair, over all rounds shown (`replays.analysis.stacks.fed`)."""
        return summed((played.fed for played in self.rounds), len(self.names))


def summed(matrices: Iterable[Sequence[Sequence[int]]], seats: int) -> list[list[int]]:
    """The sum of matrices of who fed whom."""
    total = [[0] * (seats + 1) for _ in range(seats)]
    for matrix in matrices:
        for row, more in zip(total, matrix, strict=True):
            row[:] = map(sum, zip(row, more, strict=True))
    return total


def _chart_round(played: Round) -> ChartRound:
    (last,) = deque(points_of(played), maxlen=1)
    laid = stacks(played.events, played.seqs)
    return ChartRound(
        played.number,
        played.seq,
        played.duration_ms,
        played.end and played.end.totals,
        last.scores,
        laid,
        fed(laid, len(played.deal.decks)),
    )


def points_of(played: Round) -> Iterator[ChartPoint]:
    """The deal and every event of a round, with the public counts after it."""
    growing: list[list[int]] = [[] for _ in played.deal.decks]  # who played each card of a stack
    middle = [0] * len(growing)
    scores = [HAND - len(deck) for deck in played.deal.decks]
    yield ChartPoint(played.seq, 0, None, tuple(middle), tuple(scores), 0)
    for seq, event in zip(played.seqs, played.events, strict=True):
        height = 0
        match event:
            case Play():
                stack = growing[event.stack]
                stack.append(event.seat)
                middle[event.seat] += 1
                height = len(stack)
                if event.takes is not None:
                    scores[event.seat] += event.takes
                    for seat in stack:
                        middle[seat] -= 1
                    stack.clear()
            case Draw():
                scores[event.seat] += 1
            case Discard():
                scores[event.seat] -= 1
            case Tie():
                height = len(growing[event.stack])
                for card in event.cards:
                    scores[OWNER[card]] -= 1
            case Late() | Miss():
                height = len(growing[event.stack])
            case End():
                scores = list(event.scores)
        yield ChartPoint(seq, event.t, event, tuple(middle), tuple(scores), height)


# --- A whole match as cells: one for each round, or for a few if there are very many --------------


MOST_CELLS: Final = 30
"""With five players and five owners' colours, that is half of the eye's capacity."""


class Cell(NamedTuple):
    """Rounds `first` to `last`. `seq` is the first one's deal, `fed` is theirs alone."""

    first: int
    last: int
    seq: int
    fed: list[list[int]]
    totals: tuple[int, ...]
    """Each seat's total after them."""

    @property
    def rounds(self) -> int:
        return self.last - self.first + 1

    @property
    def played(self) -> list[int]:
        """For each seat, its cards put into the center."""
        return [sum(row) for row in self.fed]

    @property
    def taken(self) -> list[int]:
        """For each seat, the cards that it took."""
        return [sum(column) for column in zip(*self.fed, strict=True)][:-1]

    @property
    def left(self) -> int:
        return sum(row[-1] for row in self.fed)

    @property
    def name(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


def per_cell(rounds: int) -> int:
    return max(1, -(-rounds // MOST_CELLS))


def cells(course: Course) -> list[Cell]:
    """The cells, in order. The last may have fewer rounds."""
    size, seats = per_cell(len(course.rounds)), len(course.names)
    listed: list[Cell] = []
    for start in range(0, len(course.rounds), size):
        some = course.rounds[start : start + size]
        totals = course.totals[start + len(some) - 1]
        fed = summed((played.fed for played in some), seats)
        listed.append(Cell(some[0].round, some[-1].round, some[0].seq, fed, totals))
    return listed
