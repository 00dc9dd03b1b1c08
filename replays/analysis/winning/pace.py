"""How quick the hands are in this round, and usually.

Some players keep their pace, that of others returns to its mean, and some become faster or slower
for good. For each kind, the means are estimated from all rounds so far (a Kalman filter), and how
well it foretold them says how likely it is. What is observed are the shares of the movements in a
round, while every player has cards to turn over: one who has none moves less.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from typing import Final, NamedTuple

SPREAD: Final = 0.3
"""The variance of a count of movements over its mean. Players move more evenly than by chance."""
_IMAGINED: Final = 1
"""Movements added to each count, so that a hand may rest."""
_APART: Final = 0.012
"""Before anything is known, the variance of the logarithm of a hand's mean share."""


class Kind(NamedTuple):
    """How players' paces change."""

    likely: float
    """Before anything is known."""
    changing: float
    """0 for those who keep their pace, 1 for those who drift."""
    varies: float = 0.0
    """The variance of the logarithm of a share in one round around its mean."""
    drifts: float = 0.0
    """The variance of a step of the mean from one round to the next."""


KINDS: Final = (
    Kind(0.6, 0.0),
    Kind(0.3, 0.5, varies=0.04),
    Kind(0.1, 1.0, drifts=0.04),
)
"""Those who keep their pace, as the site's bots do; those whose pace returns; those who drift."""


class Belief(NamedTuple):
    """What the rounds so far say if the players are of one kind. Paces are logarithms of shares,
    by seat, compared with the table's mean."""

    kind: Kind
    log_odds: float
    mean: Sequence[float]
    now: Sequence[float]
    """In this round."""
    error: float
    """The variance of each mean."""

    def seen(self, shares: Sequence[float], chance: float) -> Belief:
        """With the shares of this round, which have so much variance by chance."""
        apart = self.error + self.kind.varies
        whole = apart + chance
        off = [share - mean for share, mean in zip(shares, self.mean, strict=True)]
        square = sum([each * each for each in off])
        return Belief(
            self.kind,
            self.log_odds - ((len(off) - 1) * log(whole) + square / whole) / 2,
            [mean + self.error / whole * by for mean, by in zip(self.mean, off, strict=True)],
            [mean + apart / whole * by for mean, by in zip(self.mean, off, strict=True)],
            self.error * (1 - self.error / whole),
        )

    def next_round(self) -> Belief:
        return self._replace(now=self.mean, error=self.error + self.kind.drifts)


class Paces(NamedTuple):
    """By seat, as in a `Belief`."""

    now: list[float]
    mean: list[float]
    changing: float
    """From 0 if all keep their pace to 1 if it drifts. A half if it returns to its mean."""


def at_first(seats: int) -> list[Belief]:
    even = [0.0] * seats
    return [Belief(kind, log(kind.likely), even, even, _APART) for kind in KINDS]


@lru_cache(maxsize=32)
def after(seats: int, rounds: Sequence[Sequence[int]]) -> Sequence[Belief]:
    """After rounds with such movements."""
    beliefs: Sequence[Belief] = at_first(seats)
    for moved in rounds:
        beliefs = a_round_later(beliefs, moved)
    return beliefs


def a_round_later(beliefs: Sequence[Belief], moved: Sequence[int]) -> Sequence[Belief]:
    return [belief.next_round() for belief in seen(beliefs, moved)]


def seen(beliefs: Sequence[Belief], moved: Sequence[float]) -> Sequence[Belief]:
    """With the movements of each seat in this round so far."""
    if not any(moved):
        return beliefs
    seats = len(moved)
    logs = [log(count + _IMAGINED) for count in moved]
    usual = sum(logs) / seats
    shares = [each - usual for each in logs]
    chance = SPREAD / seats * sum([1 / (count + _IMAGINED) for count in moved])
    return [belief.seen(shares, chance) for belief in beliefs]


def paces(beliefs: Sequence[Belief]) -> Paces:
    """What to expect, each kind by how likely it is."""
    most = max([belief.log_odds for belief in beliefs])
    odds = [exp(belief.log_odds - most) for belief in beliefs]
    whole, seats = sum(odds), len(beliefs[0].mean)
    now, mean, changing = [0.0] * seats, [0.0] * seats, 0.0
    for each, belief in zip(odds, beliefs, strict=True):
        likely = each / whole
        changing += likely * belief.kind.changing
        for seat in range(seats):
            now[seat] += likely * belief.now[seat]
            mean[seat] += likely * belief.mean[seat]
    return Paces(now, mean, changing)
