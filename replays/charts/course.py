"""What charts are drawn from: the points and stacks of a round, or the sums of a match's rounds.

All charts of a round use the same points, so that one cursor can go through all of them. They
contain public facts: stacks, takes, ties and the number of cards in each place. A figure has each
point's seq and numbers; the page that shows it puts them into words.

Everything comes from outlines (`games.records.outline`), limited to what a chart can show, so
a chart's points and cost are bounded whatever the log contains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from games.engine.events import Event
from games.records import outline
from games.records.log import Header
from games.records.outline import Outline
from games.records.plural import counted
from replays.timeline import Timeline

MOST_STACKS: Final = 800
"""Stacks of a whole match whose takes its charts lead to; what was taken is summed over all."""
LEAST: Final = 2
"""The fewest of them per round."""


class Share(NamedTuple):
    """How much of each round of a match is read: what its charts show are sums."""

    points: int
    stacks: int


def share(rounds: int) -> Share:
    """The share of each round in a chart of `rounds` rounds: its end, and its highest stacks."""
    return Share(1, max(LEAST, MOST_STACKS // max(1, rounds)))


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


class Course:
    """One round of a match as points and stacks, or all of them, if `whole`, as their sums.

    `missing`: how many rounds of the match cannot be drawn.
    """

    def __init__(
        self, header: Header, rounds: Sequence[Outline], *, whole: bool, missing: int = 0
    ) -> None:
        self.rules = header.rules
        self.names = tuple(seat.name for seat in header.seats)
        self.whole = whole
        self.missing = missing
        self.rounds = list(_shared(rounds) if whole else rounds)
        self.stacks = [stack for played in self.rounds for stack in played.stacks]

    @classmethod
    def of(cls, timeline: Timeline, number: int | None = None) -> Course:
        """The course of one round, or (None) of all. Raises LookupError if there is no such."""
        played = [
            each_round for each_round in timeline.rounds if number in (None, each_round.number)
        ]
        if number is not None and not played:
            raise LookupError(f"no round {number}")
        rounds = [
            outline.outline(
                each_round.deal,
                each_round.seq,
                list(zip(each_round.seqs, each_round.events, strict=True)),
            )
            for each_round in played
        ]
        return cls(timeline.header, rounds, whole=number is None)

    @property
    def seats(self) -> range:
        return range(len(self.names))

    @property
    def duration(self) -> int:
        """The last event's t, in ms."""
        return max((played.duration_ms for played in self.rounds), default=0)

    @property
    def all_stacks(self) -> bool:
        """Whether no stack is left out."""
        return len(self.stacks) == sum(played.laid for played in self.rounds)

    @cached_property
    def points(self) -> list[ChartPoint]:
        """Those of the round, in order."""
        return [_point(snapshot) for played in self.rounds for snapshot in played.snapshots]

    @cached_property
    def totals(self) -> list[tuple[int, ...]]:
        """Each seat's total after each round, and so far in one that has not ended."""
        by_round: list[tuple[int, ...]] = []
        before: tuple[int, ...] = (0,) * len(self.names)
        for played in self.rounds:
            now = tuple(map(sum, zip(before, played.snapshots[-1].points, strict=True)))
            before = now if played.totals is None else played.totals
            by_round.append(before)
        return by_round

    @cached_property
    def fed(self) -> list[list[int]]:
        """Who fed whom, over all rounds shown (`Outline.fed`)."""
        return summed((played.fed for played in self.rounds), len(self.names))

    @property
    def events_left_out(self) -> str:
        """In words, whether events of a round are left out; empty if not."""
        shown = sum(len(played.snapshots) - 1 for played in self.rounds)
        events = sum(played.events for played in self.rounds)
        if self.whole or shown == events:
            return ""
        return f"Shows {shown:,} of {events:,} events, those that matter most."

    @property
    def rounds_left_out(self) -> str:
        """In words, whether rounds are left out; empty if not."""
        return f"{counted(self.missing, 'round')} could not be drawn." if self.missing else ""


def summed(matrices: Iterable[Sequence[Sequence[int]]], seats: int) -> list[list[int]]:
    """The sum of matrices of who fed whom."""
    total = [[0] * (seats + 1) for _ in range(seats)]
    for matrix in matrices:
        for row, more in zip(total, matrix, strict=True):
            row[:] = map(sum, zip(row, more, strict=True))
    return total


def _point(snapshot: outline.Snapshot) -> ChartPoint:
    event = snapshot.event
    return ChartPoint(
        snapshot.seq,
        event.t if event else 0,
        event,
        snapshot.middle,
        snapshot.points,
        snapshot.height,
    )


def _shared(rounds: Sequence[Outline]) -> Iterator[Outline]:
    most = share(len(rounds))
    for played in rounds:
        yield played.thinned(*most, idle=False)
