"""Intervals of 95% for ratios over matches, by resampling whole matches.

Plays of one match depend on each other, so matches are drawn, not plays (with replacement, as
many as there are). More than `BLOCKS` matches are first joined into that many blocks of matches
in order, which bounds the cost and also allows for streaks. The draws are seeded: the same
matches always have the same interval.

The plain percentile interval is too narrow for few matches, so each side is widened by
t / 1.96 · √(n / (n − 1)), with t of n − 1 degrees of freedom. There is no interval below `FEWEST`
matches, nor where all matches are alike (five wins of five), since resampling then shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import erfc, log1p, sqrt
from operator import itemgetter
from random import Random
from typing import Any, Final, NamedTuple

RESAMPLES: Final = 400
BLOCKS: Final = 100
FEWEST: Final = 5
_SEED: Final = "ratuki careers"
_Z: Final = 1.959964
_TAIL: Final = 0.025

Draw = Callable[[Sequence[float]], Any]
"""Picks the drawn elements of a sequence."""


class Estimate(NamedTuple):
    """A ratio, and its 95% interval: None for too few matches, or none that differ."""

    value: float
    low: float | None
    high: float | None
    matches: int


def estimate(top: Sequence[float], bottom: Sequence[float]) -> Estimate | None:
    """Σ top / Σ bottom over matches, one element for each in order; None if it is undefined.

    A match whose bottom is 0 says nothing and is not counted.
    """
    pairs = [pair for pair in zip(top, bottom, strict=True) if pair[1]]
    whole = sum(below for _, below in pairs)
    if not whole:
        return None
    value, matches = sum(above for above, _ in pairs) / whole, len(pairs)
    if matches < FEWEST:
        return Estimate(value, None, None, matches)
    tops, bottoms = (_blocks(side) for side in zip(*pairs, strict=True))
    ratios = sorted(sum(draw(tops)) / sum(draw(bottoms)) for draw in draws(len(tops)))
    if ratios[0] == ratios[-1]:
        return Estimate(value, None, None, matches)
    wider = quantile(len(tops) - 1) / _Z * sqrt(len(tops) / (len(tops) - 1))
    low, high = ratios[round(_TAIL * RESAMPLES)], ratios[round((1 - _TAIL) * RESAMPLES) - 1]
    return Estimate(value, value - wider * (value - low), value + wider * (high - value), matches)


def comparison(first: Estimate, other: Estimate) -> int:
    """1 if the first interval is wholly above the other, -1 if wholly below, 0 otherwise."""
    if first.low is None or first.high is None or other.low is None or other.high is None:
        return 0
    return (first.low > other.high) - (first.high < other.low)


def _blocks(values: Sequence[float]) -> list[float]:
    """At most `BLOCKS` sums of consecutive values, of numbers as even as possible."""
    count = len(values)
    if count <= BLOCKS:
        return list(values)
    edges = [count * block // BLOCKS for block in range(BLOCKS + 1)]
    return [sum(values[since:until]) for since, until in pairwise(edges)]


@lru_cache(maxsize=BLOCKS)
def draws(count: int) -> tuple[Draw, ...]:
    """The seeded draws among `count` (at least 2) elements."""
    randomness, every = Random(f"{_SEED} {count}"), range(count)
    return tuple(itemgetter(*randomness.choices(every, k=count)) for _ in range(RESAMPLES))


def quantile(freedom: float) -> float:
    """The 97.5% quantile of Student's t (Cornish-Fisher; within 1% from 4 degrees on)."""
    z, v = _Z, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / v + second / v**2 + third / v**3


def tail(t: float, freedom: float) -> float:
    """The probability that Student's t exceeds a value (Wallace, 1959)."""
    z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom))
    return erfc(z / sqrt(2) * (1 if t > 0 else -1)) / 2
