"""The course of the rounds in a chart: points on one time axis, and stacks.

All charts use the same points, so that one cursor can go through all of them. They contain
public facts: stacks, takes, ties and the number of cards in each place. A figure has each
point's seq and numbers; the page that shows it puts them into words.

Everything comes from outlines (`games.records.outline`), limited to what a chart can show, so
a chart's points and cost are bounded whatever the log contains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from games.engine.events import End, Event, Play, Tie
from games.records import outline
from games.records.log import Header
from games.records.outline import Outline, StackOutline
from games.records.plural import counted
from replays.timeline import Timeline

PAUSE_MS: Final = 3_000
"""The gap between rounds of a whole match, to keep them visibly apart."""
MOST: Final = 1_600
"""Moments in a whole match; the chart is about half as many points wide."""
MOST_STRIPS: Final = 2_000
"""Cards in the stacks of a whole match."""
LEAST: Final = 2
"""The fewest points, and stacks, per round of a whole match."""


_NOTABLE: Final = (Play, Tie, End)


class Share(NamedTuple):
    """How much of each round is shown in a match with that many rounds."""

    points: int
    stacks: int


def share(rounds: int) -> Share:
    """The share of each round in a chart of `rounds` rounds."""
    most = max(LEAST, MOST // max(1, rounds))
    return Share(most, max(LEAST, most // 2))


class PlacedRound(NamedTuple):
    """Where a round is on the axis; `offset` and `duration` in ms."""

    played: Outline
    offset: int
    duration: int


class ChartPoint(NamedTuple):
    """One event, or none for the deal. `x`: ms on the axis, `middle`: each seat's center cards."""

    seq: int
    x: int
    event: Event | None
    middle: tuple[int, ...]
    scores: tuple[int, ...]
    """For each seat, its total if the round ended now."""
    height: int
    """Cards in the stack that the event concerns, including the one played."""


class Course:
    """One round of a match, or all of them if `whole`, as points and stacks.

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
        self.placed = list(_placed(self.rounds))
        self.points = list(self._points())
        self.stacks = _highest(self.placed)

    @classmethod
    def of(cls, timeline: Timeline, number: int | None = None) -> Course:
        """The course of one round, or (None) of all. Raises LookupError if there is no such."""
        played = [one for one in timeline.rounds if number in (None, one.number)]
        if number is not None and not played:
            raise LookupError(f"no round {number}")
        rounds = [
            outline.outline(one.deal, one.seq, list(zip(one.seqs, one.events, strict=True)))
            for one in played
        ]
        return cls(timeline.header, rounds, whole=number is None)

    @property
    def seats(self) -> range:
        return range(len(self.names))

    @property
    def end(self) -> int:
        """The last event's position on the axis, in ms."""
        return max((placed.offset + placed.duration for placed in self.placed), default=0)

    @property
    def all_stacks(self) -> bool:
        """Whether no stack is left out."""
        return len(self.stacks) == sum(played.laid for played in self.rounds)

    @cached_property
    def fed(self) -> list[list[int]]:
        """Who fed whom, over all rounds shown (`Outline.fed`)."""
        matrix = [[0] * (len(self.names) + 1) for _ in self.names]
        for played in self.rounds:
            for row, more in zip(matrix, played.fed, strict=True):
                row[:] = map(sum, zip(row, more, strict=True))
        return matrix

    @property
    def events_left_out(self) -> str:
        """In words, whether events are left out; empty if not."""
        shown = sum(len(played.snapshots) - 1 for played in self.rounds)
        events = sum(played.events for played in self.rounds)
        if shown == events or (self.whole and self._plays_shown):
            return ""
        return f"Shows {shown:,} of {events:,} events, those that matter most."

    @property
    def stacks_left_out(self) -> str:
        """In words, whether stacks are left out; empty if not."""
        if self.all_stacks:
            return ""
        laid = sum(played.laid for played in self.rounds)
        return f"Shows the {len(self.stacks):,} highest of {counted(laid, 'stack')}."

    @property
    def rounds_left_out(self) -> str:
        """In words, whether rounds are left out; empty if not."""
        return f"{counted(self.missing, 'round')} could not be drawn." if self.missing else ""

    @property
    def _plays_shown(self) -> bool:
        """Whether no play is left out: a whole match never shows draws and mistakes."""
        shown = sum(isinstance(m.event, Play) for points in self.points for m in points)
        return shown == sum(sum(map(sum, played.fed)) for played in self.rounds)

    def _points(self) -> Iterator[list[ChartPoint]]:
        totals: tuple[int, ...] = (0,) * len(self.names)
        for placed in self.placed:
            yield [
                self._point(snapshot, placed.offset, totals) for snapshot in placed.played.snapshots
            ]
            if self.whole and placed.played.totals is not None:
                totals = placed.played.totals

    def _point(self, snapshot: outline.Snapshot, offset: int, base: tuple[int, ...]) -> ChartPoint:
        event = snapshot.event
        return ChartPoint(
            snapshot.seq,
            offset + (event.t if event else 0),
            event,
            snapshot.middle,
            tuple(before + now for before, now in zip(base, snapshot.points, strict=True)),
            snapshot.height,
        )


def _shared(rounds: Sequence[Outline]) -> Iterator[Outline]:
    most = share(len(rounds))
    for played in rounds:
        yield played.thinned(*most, idle=False)


def _placed(rounds: Iterable[Outline]) -> Iterator[PlacedRound]:
    offset = 0
    for played in rounds:
        yield PlacedRound(played, offset, played.duration_ms)
        offset += played.duration_ms + PAUSE_MS


def _highest(placed: Sequence[PlacedRound]) -> list[tuple[PlacedRound, StackOutline]]:
    """The stacks to draw, each with its round: the highest, as many as there is room for."""
    every = [(placed, stack) for placed in placed for stack in placed.played.stacks]
    room, kept = MOST_STRIPS, set[int]()
    for place in sorted(range(len(every)), key=lambda place: -len(every[place][1].seats)):
        room -= len(every[place][1].seats)
        if room < 0:
            break
        kept.add(place)
    return [one for place, one in enumerate(every) if place in kept]


def notable(point: ChartPoint) -> bool:
    """Whether a point changes the center stacks or starts or ends a round."""
    return point.event is None or isinstance(point.event, _NOTABLE)
