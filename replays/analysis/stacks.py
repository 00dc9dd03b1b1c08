"""Every stack of a round, from its first card to the one that took it, and counts of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from games.engine.cards import Card
from games.engine.events import Event, Play


@dataclass(slots=True)
class Stack:
    """One stack. `end` (ms) and `taker` (a seat) are None until it is taken."""

    slot: int
    start: int
    end: int | None = None
    taker: int | None = None
    cards: list[Card] = field(default_factory=list)
    """Bottom first, including the taking card."""
    seats: list[int] = field(default_factory=list)
    """The seat that played each card."""
    plays: list[int] = field(default_factory=list)
    """The number of the event in which each card was played."""
    times: list[int] = field(default_factory=list)
    """When each was played, in ms."""


def stacks(events: Iterable[Event], numbers: Iterable[int] | None = None) -> list[Stack]:
    """The stacks, in the order they were started. `numbers` of the events: by default from 1."""
    started: list[Stack] = []
    growing: dict[int, Stack] = {}
    for number, event in zip(numbers or count(1), events, strict=False):
        if not isinstance(event, Play):
            continue
        if event.stack not in growing:
            growing[event.stack] = Stack(event.stack, event.t)
            started.append(growing[event.stack])
        _lay(growing[event.stack], event, number)
        if event.takes is not None:
            del growing[event.stack]
    return started


def _lay(stack: Stack, play: Play, number: int) -> None:
    stack.cards.append(play.card)
    stack.seats.append(play.seat)
    stack.plays.append(number)
    stack.times.append(play.t)
    if play.takes is not None:
        stack.end, stack.taker = play.t, play.seat


def takes(stacks: Iterable[Stack], seats: int) -> list[int]:
    """For each seat, the number of stacks it took."""
    counts = [0] * seats
    for stack in stacks:
        if stack.taker is not None:
            counts[stack.taker] += 1
    return counts


def fed(stacks: Iterable[Stack], seats: int) -> tuple[tuple[int, ...], ...]:
    """A row for each seat: how many of its cards each seat took, then how many no seat took."""
    matrix = [[0] * (seats + 1) for _ in range(seats)]
    for stack in stacks:
        column = seats if stack.taker is None else stack.taker
        for seat in stack.seats:
            matrix[seat][column] += 1
    return tuple(map(tuple, matrix))
