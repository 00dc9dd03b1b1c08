"""What stayed in the middle: each seat's cards in stacks that nobody has taken."""

from __future__ import annotations

from collections.abc import Iterable

from replays.analysis.stacks import Stack


def left(stacks: Iterable[Stack], seats: int) -> list[int]:
    """For each seat, its cards still in the middle."""
    counts = [0] * seats
    for stack in stacks:
        if stack.taker is None:
            for seat in stack.seats:
                counts[seat] += 1
    return counts
