"""A round in outline: what a chart of it can show and no more, however long the round is.

A round has few plays, since each one uses up a card: at most 780. Draws, discards, ties, late
tries and misses are unlimited. So an outline keeps the snapshots that matter most (`chosen`), up
to a limit, along with sums over all of them; it is read instead of the lines.

It uses only counts of cards, which everyone sees, so a round's outline is the same from every
perspective.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from games.engine.cards import OWNER
from games.engine.events import Deal, Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.table import HAND
from games.records.notation import parse_line, write_line

T = TypeVar("T")
FULL: Final = 1_200
"""Snapshots kept of a round that has a chart to itself."""
BRIEF: Final = 20
"""Snapshots kept of a round that is one of many in a chart."""
BRIEF_STACKS: Final = 6

_RANK: Final = {End: 0, Out: 0, Play: 2, Tie: 3, Late: 3, Miss: 4, Draw: 5, Discard: 5}
_TAKE: Final = 1
IDLE: Final = 4
"""Events of this rank and above change nothing in the center stacks."""


class Snapshot(NamedTuple):
    """A position and the event that led to it (None for the deal)."""

    seq: int
    event: Event | None
    middle: tuple[int, ...]
    """For each seat, its cards in the center stacks."""
    points: tuple[int, ...]
    """For each seat, its round score if the round ended now."""
    height: int = 0
    """Cards in the stack that the event concerns, including the one played."""


class StackOutline(NamedTuple):
    """A stack from start to take; `end` and `taker` are None if nobody took it."""

    slot: int
    seats: tuple[int, ...]
    """Who played each card, bottom first, including the taking card."""
    times: tuple[int, ...]
    """When each was played, in ms."""
    seqs: tuple[int, ...]
    """The seq of each play."""
    taker: int | None = None

    @property
    def end(self) -> int | None:
        """When it was taken, in ms."""
        return None if self.taker is None else self.times[-1]


class Outline(NamedTuple):
    """A round, bounded in size; `events`, `laid` and `fed` count the whole round."""

    round: int
    seq: int
    """The deal's."""
    events: int
    duration_ms: int
    totals: tuple[int, ...] | None
    """After the round; None if it has not ended."""
    snapshots: tuple[Snapshot, ...]
    """The first is the deal's."""
    stacks: tuple[StackOutline, ...]
    laid: int
    """How many stacks were started."""
    fed: tuple[tuple[int, ...], ...]
    """A row for each seat: how many of its cards each seat took; the last number is nobody's."""

    def thinned(self, most: int, stacks: int, *, idle: bool = True) -> Outline:
        """A copy of the highest stacks and fewer snapshots; without `idle`, no draws or misses."""
        events = [snapshot.event for snapshot in self.snapshots[1:]]
        kept = chosen(events, most, IDLE + 2 if idle else IDLE)
        snapshots = (self.snapshots[0], *(self.snapshots[place + 1] for place in kept))
        return self._replace(snapshots=snapshots, stacks=tuple(highest(self.stacks, stacks)))


def outline(
    deal: Deal, seq: int, rows: Sequence[tuple[int, Event]], most: int = FULL, stacks: int = FULL
) -> Outline:
    """The outline of a round: its deal and events, each with its seq.

    A round that has not ended is taken as far as it has come.
    """
    seats = len(deal.decks)
    walk = _Walk(deal)
    kept = set(chosen([event for _, event in rows], most))
    snapshots = [Snapshot(seq, None, walk.middle, walk.points)]
    for place, (number, event) in enumerate(rows):
        snapshot = walk.step(number, event, kept=place in kept)
        if snapshot:
            snapshots.append(snapshot)
    last = rows[-1][1] if rows else None
    laid = walk.stacks()
    return Outline(
        deal.round,
        seq,
        len(rows),
        last.t if last else 0,
        last.totals if isinstance(last, End) else None,
        tuple(snapshots),
        tuple(highest(laid, stacks)),
        len(laid),
        fed(laid, seats),
    )


def chosen(events: Sequence[Event | None], most: int, ranks: int = IDLE + 2) -> list[int]:
    """The places of the events that matter most, in order, at most `most`.

    Ends come first, then takes, plays, ties and late tries, misses, and what moves no card to
    the center. A kind with too many is sampled evenly. The last event is always included.
    """
    by_rank: list[list[int]] = [[] for _ in range(ranks)]
    for place, event in enumerate(events):
        rank = _rank(event)
        if rank < ranks:
            by_rank[rank].append(place)
    kept = {len(events) - 1} if events else set[int]()
    for places in by_rank:
        kept.update(evenly(places, most - len(kept)))
    return sorted(kept)


def _rank(event: Event | None) -> int:
    if type(event) is Play and event.takes:
        return _TAKE
    return _RANK[type(event)] if event else 0


def evenly(values: Sequence[int], most: int) -> Sequence[int]:
    """At most `most` of the values, evenly spaced, including the first and the last."""
    if len(values) <= most:
        return values
    if most < 2:
        return values[-1:] if most == 1 else ()
    step = (len(values) - 1) / (most - 1)
    return [values[round(place * step)] for place in range(most)]


def highest(stacks: Sequence[StackOutline], most: int) -> list[StackOutline]:
    """The highest `most` of the stacks, in their original order."""
    return _longest(stacks, [len(stack.seats) for stack in stacks], most)


def _longest(values: Sequence[T], lengths: Sequence[int], most: int) -> list[T]:
    if len(values) <= most:
        return list(values)
    order = sorted(range(len(values)), key=lambda place: -lengths[place])
    return [values[place] for place in sorted(order[:most])]


class Laid(Protocol):
    """A stack: who played its cards, and who took it."""

    @property
    def seats(self) -> Sequence[int]: ...
    @property
    def taker(self) -> int | None: ...


def fed(stacks: Iterable[Laid], seats: int) -> tuple[tuple[int, ...], ...]:
    """Who fed whom (`Outline.fed`) in these stacks."""
    matrix = [[0] * (seats + 1) for _ in range(seats)]
    for stack in stacks:
        column = seats if stack.taker is None else stack.taker
        for seat in stack.seats:
            matrix[seat][column] += 1
    return tuple(map(tuple, matrix))


class _Walk:
    """The counts of a round, event by event."""

    def __init__(self, deal: Deal) -> None:
        self.middle = (0,) * len(deal.decks)
        self._points = [HAND - len(deck) for deck in deal.decks]
        self.points = tuple(self._points)
        # For each slot, the seat, time and seq of each card.
        self._growing: list[list[tuple[int, int, int]]] = [[] for _ in deal.decks]
        self._done: list[StackOutline] = []

    def step(self, seq: int, event: Event, *, kept: bool) -> Snapshot | None:
        """Count the event; returns its snapshot if it is to be kept."""
        slot: int | None = getattr(event, "stack", None)
        met = self._growing[slot] if slot is not None else []
        height = len(met) + isinstance(event, Play)
        self._move(seq, event)
        if not kept:
            return None
        return Snapshot(seq, event, self.middle, self.points, height)

    def _move(self, seq: int, event: Event) -> None:
        match event:
            case Play():
                self._play(seq, event)
            case Draw():
                self._score(event.seat, 1)
            case Discard():
                self._score(event.seat, -1)
            case Tie():
                for card in event.cards:
                    self._score(OWNER[card], -1)
            case End():
                self.points = event.scores
            case _:
                return

    def _score(self, seat: int, points: int) -> None:
        self._points[seat] += points
        self.points = tuple(self._points)

    def _play(self, seq: int, play: Play) -> None:
        stack = self._growing[play.stack]
        stack.append((play.seat, play.t, seq))
        if play.takes is not None:
            self._score(play.seat, play.takes)
            self._done.append(self._stack(play.stack, play.seat))
            self._growing[play.stack] = []
        middle = [0] * len(self.middle)
        for growing in self._growing:
            for card in growing:
                middle[card[0]] += 1
        self.middle = tuple(middle)

    def _stack(self, slot: int, taker: int | None) -> StackOutline:
        seats, times, seqs = zip(*self._growing[slot], strict=True)
        return StackOutline(slot, seats, times, seqs, taker)

    def stacks(self) -> list[StackOutline]:
        """All stacks so far, in the order they were started."""
        left = [self._stack(slot, None) for slot, cards in enumerate(self._growing) if cards]
        return sorted([*self._done, *left], key=lambda stack: stack.seqs[0])


# --- As text ------------------------------------------------------------------------------


def write(drawn: Outline) -> str:
    rows = [
        (m.seq, m.event and write_line(m.event), m.middle, m.points, m.height)
        for m in drawn.snapshots
    ]
    return json.dumps(drawn._replace(snapshots=tuple(rows)), separators=(",", ":"))  # type: ignore[arg-type]


def read(text: str | bytes, most: int = FULL, stacks: int = FULL) -> Outline:
    """Read an outline back; all but `most` of its snapshots are dropped before they are parsed."""
    number, seq, events, ms, totals, rows, laid, count, matrix = json.loads(text)
    first, *others = rows
    kept = [first, *(others[place] for place in evenly(range(len(others)), most))]
    return Outline(
        number,
        seq,
        events,
        ms,
        totals and tuple(totals),
        tuple(map(_snapshot, kept)),
        tuple(map(_stack, _longest(laid, [len(seats) for _, seats, *_ in laid], stacks))),
        count,
        tuple(map(tuple, matrix)),
    )


def _snapshot(row: list[Any]) -> Snapshot:
    seq, line, middle, points, height = row[:5]  # earlier releases wrote two more
    event = parse_line(line.encode(), 2) if line else None
    assert event is None or isinstance(event, Event)
    return Snapshot(seq, event, tuple(middle), tuple(points), height)


def _stack(row: list[Any]) -> StackOutline:
    slot, seats, times, seqs, taker = row
    return StackOutline(slot, tuple(seats), tuple(times), tuple(seqs), taker)


def cut(drawn: Outline, until: int) -> Outline:
    """The outline of the round up to and including line `until`, made from what was kept."""
    snapshots = tuple(snapshot for snapshot in drawn.snapshots if snapshot.seq <= until)
    last = snapshots[-1].event
    stacks = tuple(_stacks_until(drawn.stacks, until))
    return drawn._replace(
        events=until - drawn.seq,
        duration_ms=last.t if last else 0,
        totals=last.totals if isinstance(last, End) else None,
        snapshots=snapshots,
        stacks=stacks,
        laid=len(stacks),
        fed=fed(stacks, len(drawn.fed)),
    )


def _stacks_until(stacks: Iterable[StackOutline], until: int) -> Iterator[StackOutline]:
    for stack in stacks:
        count = sum(seq <= until for seq in stack.seqs)
        if count == len(stack.seqs):
            yield stack
        elif count:
            seats, times, seqs = stack.seats[:count], stack.times[:count], stack.seqs[:count]
            yield StackOutline(stack.slot, seats, times, seqs)
