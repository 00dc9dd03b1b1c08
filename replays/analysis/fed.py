"""Who fed whom: how many cards each seat played onto stacks that each seat took."""

from __future__ import annotations

from collections.abc import Iterable

from replays.analysis.stacks import Stack


def fed(stacks: Iterable[Stack], seats: int) -> list[list[int]]:
    """`fed[i][j]`: cards of seat i in stacks that seat j took, including the taking card."""
    matrix = [[0] * seats for _ in range(seats)]
    for stack in stacks:
        if stack.taker is not None:
            for seat in stack.seats:
                matrix[seat][stack.taker] += 1
    return matrix
