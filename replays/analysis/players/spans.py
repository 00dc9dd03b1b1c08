"""Means of what a player's matches show, over any span of them, and whether two spans differ.

The spread over matches includes `IMAGINED` matches between equals, since few matches say little
about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import hypot, sqrt
from typing import Final, NamedTuple

from replays.analysis.players.intervals import NORMAL, quantile, tail
from replays.analysis.players.signs import KINDS
from replays.analysis.players.worth import worth

IMAGINED: Final = 10


class Gain(NamedTuple):
    """Points a match, and the edges of their interval of 95%."""

    points: float
    low: float
    high: float


class Mean(NamedTuple):
    """A mean over matches, and its standard error."""

    points: float
    error: float
    freedom: int

    @property
    def doubt(self) -> float:
        """The probability of so large a cost by chance."""
        return tail(-self.points / self.error, self.freedom)

    def less(self, other: Mean) -> Mean:
        """By how much it is above another."""
        error, freedom = hypot(self.error, other.error), min(self.freedom, other.freedom)
        return Mean(self.points - other.points, error, freedom)

    def gain(self, price: float = 0.0) -> Gain:
        """With the interval. `price`: the standard error of its price, as a share."""
        own = quantile(self.freedom) * self.error
        either = hypot(own, NORMAL * price * self.points)
        return Gain(self.points, self.points - either, self.points + either)

    def cost(self, kind: str) -> Gain:
        """The gain from avoiding it."""
        return self._replace(points=-self.points).gain(price_error(kind))


class Spans:
    """Values of a player's matches in the order of time, summed up to each of them."""

    def __init__(self, values: Sequence[float], equal: Sequence[float]) -> None:
        """`equal`: the variance of each match between equals."""
        self._sums = list(accumulate(values, initial=0.0))
        self._squares = list(accumulate((value * value for value in values), initial=0.0))
        self._equal = list(accumulate(equal, initial=0.0))

    def __len__(self) -> int:
        return len(self._sums) - 1

    def mean(self, first: int, end: int) -> Mean:
        """Over the matches from `first` to before `end`: at least one."""
        count = end - first
        mean = (self._sums[end] - self._sums[first]) / count
        squares = self._squares[end] - self._squares[first] - count * mean * mean
        equal = (self._equal[end] - self._equal[first]) / count
        freedom = count - 1 + IMAGINED
        error = sqrt((max(0.0, squares) + IMAGINED * equal) / freedom / count)
        return Mean(mean, error, freedom)


def price_error(kind: str) -> float:
    """The standard error of a kind's price, as a share of it."""
    return worth().errors[KINDS.index(kind)]


def between_equals(kind: str, rounds: Sequence[int]) -> list[float]:
    """The variance of a kind's cost between equals, in matches of so many rounds."""
    spread = worth().spread[KINDS.index(kind)]
    return [spread * spread * count for count in rounds]
