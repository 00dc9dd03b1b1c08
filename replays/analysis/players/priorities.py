"""A player's main weaknesses: the costliest, compared with players of their strength.

Strength is the cost of all a player's weaknesses against the others there. Among players of
different strength, each kind usually has its share of that cost (`Worth.usual`). A cost beyond that
share sets a player apart from others of the same strength, measured by the other kinds. So no one
is advised to be quicker merely because the others at the table are better at everything. Luck does
not count either, as it would if strength were the score.

A weakness is shown if it had a cost in so many matches that chance is an unlikely reason: beyond
two standard errors. With all kinds tried together (Holm, 1979), at most `FALSE` of players see a
false one. Its spread over matches includes `IMAGINED` matches between equals, since few matches say
little about it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot, sqrt
from typing import Final, NamedTuple

from replays.analysis.players import intervals
from replays.analysis.players.intervals import NORMAL, quantile, tail
from replays.analysis.players.signs import KINDS
from replays.analysis.players.worth import Cost, beyond, worth

FEWEST: Final = 8
"""The fewest matches that show any."""
FALSE: Final = 0.05
MOST: Final = 3
LEAST: Final = 2.0
"""Points a match: less is not worth a word."""
ERRORS: Final = 2
IMAGINED: Final = 10


class Priced(NamedTuple):
    """A match of a player: its rounds, and the cost of each kind."""

    match: int
    rounds: int
    costs: Mapping[str, Cost]

    def beyond(self, kind: str) -> float:
        """A kind's cost beyond its usual share."""
        points, fitted = [self.costs[name].points for name in KINDS], worth()
        return beyond(points, fitted.usual, fitted.tells)[KINDS.index(kind)]


class Gain(NamedTuple):
    """Points a match, and the edges of their interval of 95%."""

    points: float
    low: float
    high: float


class Priority(NamedTuple):
    """A weakness: the gain without it, the player's own figure and that of the others at the same
    tables, and the match where it showed most."""

    kind: str
    gain: Gain
    own: float
    others: float
    shown: Priced
    matches: int

    @property
    def cost(self) -> Cost:
        """Its cost in that match, and where it showed."""
        return self.shown.costs[self.kind]


class _Mean(NamedTuple):
    """A kind's mean cost over matches."""

    points: float
    error: float
    freedom: int

    @property
    def doubt(self) -> float:
        """The probability of so large a cost by chance."""
        return tail(-self.points / self.error, self.freedom)


def priorities(played: Sequence[Priced], match: int | None = None) -> list[Priority]:
    """At most `MOST`, the costliest first. None after too few matches.

    `match`: the match to show an example from, if it is among them.
    """
    means = {kind: _mean(played, kind) for kind in KINDS} if len(played) >= FEWEST else {}
    told = [kind for kind in _beyond_chance(means) if _worth_telling(kind, means[kind])]
    costliest = sorted(told, key=lambda kind: means[kind].points)[:MOST]
    here = [priced for priced in played if priced.match == match]
    return [_priority(kind, means[kind], played, here) for kind in costliest]


def change(before: Sequence[Priced], after: Sequence[Priced], kind: str) -> Gain | None:
    """By how much a kind costs less in the later matches. None after too few matches."""
    if min(len(before), len(after)) < intervals.FEWEST:
        return None
    first, last = _mean(before, kind), _mean(after, kind)
    error = sqrt(first.error**2 + last.error**2)
    freedom = min(first.freedom, last.freedom)
    return _gain(kind, _Mean(first.points - last.points, error, freedom))


def _mean(played: Sequence[Priced], kind: str) -> _Mean:
    count, spread = len(played), worth().spread[KINDS.index(kind)]
    beyond = [priced.beyond(kind) for priced in played]
    mean = sum(beyond) / count
    equal = spread * spread * sum(priced.rounds for priced in played) / count
    squares = sum((points - mean) ** 2 for points in beyond)
    freedom = count - 1 + IMAGINED
    return _Mean(mean, sqrt((squares + IMAGINED * equal) / freedom / count), freedom)


def _beyond_chance(means: Mapping[str, _Mean]) -> list[str]:
    ranked = sorted(means, key=lambda kind: means[kind].doubt)
    for place, kind in enumerate(ranked):
        if means[kind].doubt > FALSE / (len(ranked) - place):
            return ranked[:place]
    return ranked


def _worth_telling(kind: str, mean: _Mean) -> bool:
    """Whether it cost enough, and surely, whatever its price is off by."""
    return mean.points <= -max(LEAST, ERRORS * mean.error) and _gain(kind, mean).low > 0


def _priority(kind: str, mean: _Mean, played: Sequence[Priced], here: Sequence[Priced]) -> Priority:
    places = [priced for priced in here or played if priced.costs[kind].round] or played
    shown = min(places, key=lambda priced: priced.costs[kind].points)
    own, others = (
        sum(getattr(priced.costs[kind], side) for priced in played) / len(played)
        for side in ("own", "others")
    )
    return Priority(kind, _gain(kind, mean), own, others, shown, len(played))


def _gain(kind: str, mean: _Mean) -> Gain:
    """The gain from avoiding a cost. The interval includes the error of the price, too."""
    points, price = -mean.points, worth().errors[KINDS.index(kind)]
    either = hypot(quantile(mean.freedom) * mean.error, NORMAL * price * points)
    return Gain(points, points - either, points + either)
