"""Intervals of 95% for ratios over matches.

Plays of one match depend on each other, so what differs is counted by match: the delta method
gives the error of a ratio of sums. Shares where no match differs (five wins of five) have Wilson's
interval. There is none below `FEWEST` matches, nor of any other ratio where no match differs.
"""

from collections.abc import Sequence
from math import erfc, log1p, sqrt
from typing import Final, NamedTuple

FEWEST: Final = 5
NORMAL: Final = 1.959964
_LEAST: Final = 1e-9


class Estimate(NamedTuple):
    """A ratio, and its 95% interval: None for too few matches, or none that differ."""

    value: float
    low: float | None
    high: float | None
    matches: int


def estimate(
    top: Sequence[float], bottom: Sequence[float], *, share: bool = False
) -> Estimate | None:
    """Σ top / Σ bottom over matches. None if it is undefined. `share`: of cases that are counted.

    A match whose bottom is 0 is not counted.
    """
    pairs = [pair for pair in zip(top, bottom, strict=True) if pair[1]]
    whole = sum(below for _, below in pairs)
    if not whole:
        return None
    value, matches = sum(above for above, _ in pairs) / whole, len(pairs)
    if matches < FEWEST:
        return Estimate(value, None, None, matches)
    squares = sum((above - value * below) ** 2 for above, below in pairs)
    if squares > _LEAST:
        either = quantile(matches - 1) * sqrt(squares * matches / (matches - 1)) / whole
        return Estimate(value, value - either, value + either, matches)
    if share and value in (0, 1):
        return Estimate(value, *wilson(value, whole), matches)
    return Estimate(value, None, None, matches)


def wilson(share: float, cases: float) -> tuple[float, float]:
    """The interval of a share of independent cases (Wilson, 1927)."""
    square = NORMAL * NORMAL / cases
    middle = (share + square / 2) / (1 + square)
    either = sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return max(0.0, middle - either), min(1.0, middle + either)


def quantile(freedom: float) -> float:
    """The 97.5% quantile of Student's t (Cornish-Fisher, within 1% for 4 or more degrees)."""
    z, v = NORMAL, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / v + second / v**2 + third / v**3


def tail(t: float, freedom: float) -> float:
    """The probability that Student's t exceeds a value (Wallace, 1959)."""
    z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom))
    return erfc(z / sqrt(2) * (1 if t > 0 else -1)) / 2
