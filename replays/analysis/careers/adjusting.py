"""Figures adjusted for who sat opposite: what is a player's own, and what the others bring about.

A seat's figure in a match is modelled as what is usual, plus what its player adds, plus the mean
of what the others at the table bring about in their opponents: by being quicker than usual, and
each in a way of their own. Each player has both effects, which are shrunk: towards nothing, the
more so the fewer matches show them and the less players differ at all. How much they differ, and
how much matches do, is estimated from the same matches.

A player is compared with everybody else of the same kind (people, or bots): the others' effects
come from the matches without the player's own figures, so that nobody is compared with themselves.
What is not known of the opponents widens the interval; opponents met nowhere else say nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from operator import mul
from statistics import fmean
from typing import Any, Final, NamedTuple

from replays.analysis.careers.intervals import FEWEST

SWEEPS: Final = 6
"""How often the effects are estimated in turn; more change little."""
IMAGINED: Final = 10
"""So many matches of everybody else's spread are added to a player's own spread."""
INEXACT: Final = 1 / 3
"""How far an adjustment may be wrong, as a share of it: sums are only about what happens."""
_TEMPO: Final = "tempo"
_FREE: Final = 1e9
"""The variance of an effect that is not shrunk."""

Who = tuple[str, str]
"""A player's name, and whether it is a human or a bot there: one name can be both."""
Tables = Mapping[int, Sequence[Who]]
"""Who sat in each match, by its number."""
_Found = dict[Any, float]


class Row(NamedTuple):
    """One figure of one seat in one match: a ratio, and what it is a ratio of."""

    match: int
    who: Who
    value: float
    weight: float
    tempo: float
    """How much quicker than usual the others at the table are."""


class Adjusted(NamedTuple):
    """A player's figure beside the one usual against the same opponents."""

    own: float
    usual: float
    error: float
    """The standard error of the difference."""
    spread: float
    """The standard deviation of what players add."""
    freedom: float
    """The degrees of freedom of the error."""


class _Part(NamedTuple):
    """The rows in which one effect has a share."""

    places: Sequence[int]
    shares: Sequence[float]
    """Of the effect, in each of them."""
    pulls: Sequence[float]
    """Share times weight of each."""
    weight: float
    """The sum of weights times squared shares."""


class Effects:
    """What is usual, what each player adds, and what each causes in opponents, all estimated."""

    def __init__(self, rows: Sequence[Row], tables: Tables) -> None:
        """`tables`: who sat in each match, also those of whom there is no row."""
        self._tables = tables
        self._weights = [row.weight for row in rows]
        self._rest = [row.value for row in rows]
        """What the estimates so far do not explain of each row."""
        self._kinds = _parts(rows, lambda row: {row.who[1]: 1.0})
        self._tempo = _parts(rows, lambda row: {_TEMPO: row.tempo})
        self._own = _parts(rows, lambda row: {row.who: 1.0})
        self._opposite = _parts(rows, lambda row: others(tables, row))
        self.usual: _Found = dict.fromkeys(self._kinds, 0.0)
        self.by_tempo: _Found = {_TEMPO: 0.0}
        """What quick opponents bring about, for each unit of tempo."""
        self.added: _Found = dict.fromkeys(self._own, 0.0)
        self.caused: _Found = dict.fromkeys(self._opposite, 0.0)
        self.unsure: _Found = {}
        """The variance of each estimate of `caused`."""
        self.noise = 0.0
        self._estimate(self.usual, self._kinds, _FREE)
        self.noise = self._spread()
        self.adds = self.causes = self.noise / IMAGINED
        """The variances of what players add and cause."""
        for _ in range(SWEEPS if self.noise else 0):
            self.adds = fmean(self._estimate(self.added, self._own, self.adds).values())
            squares = self._estimate(self.caused, self._opposite, self.causes)
            self.causes = fmean(squares.values())
            self._estimate(self.usual, self._kinds, _FREE)
            self._estimate(self.by_tempo, self._tempo, _FREE)
            self.noise = self._spread() or self.noise
        for player, part in self._opposite.items() if self.noise else ():
            known = self.causes * part.weight + self.noise
            self.unsure[player] = self.causes * self.noise / known

    def _spread(self) -> float:
        """The variance of what is left of the rows, for a row of weight 1."""
        squares = sum(w * rest * rest for w, rest in zip(self._weights, self._rest, strict=True))
        return squares / max(1, len(self._rest) - len(self.usual))

    def _estimate(self, effects: _Found, parts: Mapping[Any, _Part], variance: float) -> _Found:
        """Estimate each effect of a kind anew, all others given; their expected squares."""
        rest, squares = self._rest, {}
        for name, (places, shares, pulls, weight) in parts.items():
            before, known = effects[name], variance * weight + self.noise
            pulled = sum(map(mul, pulls, [rest[place] for place in places])) + before * weight
            effects[name] = after = variance * pulled / known if known else 0.0
            for place, share in zip(places, shares, strict=True):
                rest[place] -= (after - before) * share
            squares[name] = after * after + (variance * self.noise / known if known else 0.0)
        return squares


def adjusted(effects: Effects, rows: Sequence[Row], tables: Tables) -> Adjusted | None:
    """A player's figure beside the usual one, from their own rows; None if there is no knowing."""
    if len(rows) < FEWEST or not effects.noise or rows[0].who[1] not in effects.usual:
        return None
    whole = sum(row.weight for row in rows)
    shares: _Found = defaultdict(float)
    for row in rows:
        for other, share in others(tables, row).items():
            shares[other] += share * row.weight / whole
    met = sum(share * effects.caused.get(other, 0.0) for other, share in shares.items())
    met += effects.by_tempo[_TEMPO] * sum(row.tempo * row.weight for row in rows) / whole
    unsure = sum(
        share * share * effects.unsure.get(other, effects.causes) for other, share in shares.items()
    )
    own = sum(row.value * row.weight for row in rows) / whole
    squares = sum(row.weight * (row.value - own) ** 2 for row in rows)
    freedom = len(rows) - 1 + IMAGINED
    spread = (squares + IMAGINED * effects.noise) / freedom
    usual, unsure = effects.usual[rows[0].who[1]] + met, unsure + (met * INEXACT) ** 2
    error = sqrt(spread / whole + unsure)
    adds = effects.adds * len(effects.added) + max(0.0, (own - usual) ** 2 - error * error)
    return Adjusted(own, usual, error, sqrt(adds / (len(effects.added) + 1)), freedom)


def others(tables: Tables, row: Row) -> _Found:
    """Who sat opposite, and the share of each."""
    opposite = [who for who in tables[row.match] if who != row.who]
    return {who: 1 / len(opposite) for who in opposite}


def _parts(rows: Sequence[Row], shares: Callable[[Row], Mapping[Any, float]]) -> dict[Any, _Part]:
    """The part of each effect that has a share in some row."""
    by_name: dict[Any, list[tuple[int, float]]] = defaultdict(list)
    for place, row in enumerate(rows):
        for name, share in shares(row).items():
            by_name[name].append((place, share))
    return {name: _part(rows, pairs) for name, pairs in by_name.items()}


def _part(rows: Sequence[Row], pairs: Sequence[tuple[int, float]]) -> _Part:
    places, shares = zip(*pairs, strict=True)
    pulls = [share * rows[place].weight for place, share in pairs]
    return _Part(places, shares, pulls, sum(map(mul, pulls, shares)))
