"""Probabilities as they are sent and stored: few digits, and still a sum of 1."""

from __future__ import annotations

from collections.abc import Sequence


def rounded(p: Sequence[float], digits: int) -> list[float]:
    """Probabilities with so many digits that sum to 1 (within float error), as `p` does.

    Each is rounded down; the largest remainders, earlier seats first, get what is missing.
    """
    unit = 10**digits
    counts = [int(share * unit) for share in p]
    by_remainder = sorted(range(len(p)), key=lambda seat: counts[seat] - p[seat] * unit)
    for seat in by_remainder[: unit - sum(counts)]:
        counts[seat] += 1
    return [count / unit for count in counts]
