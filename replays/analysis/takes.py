"""How many stacks each seat took."""

from __future__ import annotations

from collections.abc import Iterable

from replays.analysis.stacks import Stack


def takes(stacks: Iterable[Stack], seats: int) -> list[int]:
    """For each seat, the number of stacks it took."""
    counts = [0] * seats
    for stack in stacks:
        if stack.taker is not None:
            counts[stack.taker] += 1
    return counts
