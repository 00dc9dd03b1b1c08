"""What stayed in the center: each seat's cards in stacks that nobody took."""

from __future__ import annotations

from collections.abc import Iterable

from replays.analysis.stacks import Stack


def left(stacks: Iterable[Stack], seats: int) -> list[int]:
    """For each seat, its cards still in the center stacks."""
    counts = [0] * seats
    for stack in stacks:
        if stack.taker is None:
            for seat in stack.seats:
                counts[seat] += 1
    return counts
