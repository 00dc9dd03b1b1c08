"""How strong a player is among the site's bots: by who was ahead of whom in matches with them.

A match is worth what it tells. A result that was nearly sure weighs nearly nothing, so the level
can't be won from easy ones, however slightly the model is off there. The latest matches
count that tell as much together as `ENOUGH`: someone who improves is not held back by the past.
"""

from collections.abc import Sequence
from math import exp, log
from statistics import fmean
from typing import Final, NamedTuple

from replays.analysis.winning.position import STRENGTHS

FEWEST: Final = 5
"""The fewest matches that show a level."""
ENOUGH: Final = 12.0
"""In Fisher's information: a standard error of .3, less than half a level."""
_SHARP, _LONGER = 1.2, 0.5
"""How the strength decides who is ahead after one round, and the power of the rounds by which it
decides more: fitted to pairs of bots in simulated matches."""
_LAPSE: Final = 0.02
"""How often a result says nothing about strength, as when somebody is called away."""
_SPREAD: Final = 1.2
"""How strong players are before anything is known: around the bots' mean, with this deviation."""
_STEPS: Final = 6
_GRID: Final = [step / 20 for step in range(-70, 71)]
_EDGES: Final = 0.025, 0.975


class Met(NamedTuple):
    """A match with named bots: for each of them its strength, and whether the player was ahead."""

    rounds: int
    results: Sequence[tuple[float, bool]]


class Level(NamedTuple):
    """The bot that is as strong, and the levels in the interval of 95%."""

    temper: str
    level: int
    low: int
    high: int
    strength: float
    """With its interval, in the unit of `STRENGTHS`."""
    least: float
    most: float


def level_of(met: Sequence[Met]) -> Level | None:
    """The level after these matches, oldest first. None after too few."""
    if len(met) < FEWEST:
        return None
    strength = least = most = 0.0
    for _ in range(_STEPS):
        told, first, middle = 0.0, len(met), strength
        while first and told < ENOUGH:
            first -= 1
            told += _information(met[first], middle)
        strength, least, most = _strength(met[first:], middle)
    level, low, high = (_nearest(at) for at in (strength, least, most))
    temper = min(STRENGTHS, key=lambda name: abs(STRENGTHS[name][level - 1] - strength))
    return Level(temper, level, low, high, strength, least, most)


def _nearest(strength: float) -> int:
    """The level whose bots are on average nearest to a strength."""
    means = [fmean(of_level) for of_level in zip(*STRENGTHS.values(), strict=True)]
    return 1 + min(range(len(means)), key=lambda place: abs(means[place] - strength))


def _strength(met: Sequence[Met], middle: float) -> tuple[float, float, float]:
    """The mean of the strength, and the edges of its interval, after these matches.

    `middle`: about that strong. It decides what each of them weighs.
    """
    weights = [_weights(match, middle) for match in met]
    said = [
        sum(
            _log_likelihood(match, weighed, strength)
            for match, weighed in zip(met, weights, strict=True)
        )
        - (strength / _SPREAD) ** 2 / 2
        for strength in _GRID
    ]
    most = max(said)
    odds = [exp(each - most) for each in said]
    whole = sum(odds)
    mean = sum(strength * each for strength, each in zip(_GRID, odds, strict=True)) / whole
    edges: list[float] = []
    so_far = 0.0
    for strength, each in zip(_GRID, odds, strict=True):
        so_far += each / whole
        while len(edges) < len(_EDGES) and so_far >= _EDGES[len(edges)]:
            edges.append(strength)
    return mean, edges[0], edges[-1]


def _weights(match: Met, middle: float) -> list[float]:
    """What each result weighs: the less, the surer it was. Those of one match depend on each
    other, so together they count at most once."""
    chances = (_ahead(middle - bot, match.rounds) for bot, _ in match.results)
    return [(4 * p * (1 - p)) ** 2 / len(match.results) for p in chances]


def _log_likelihood(match: Met, weights: Sequence[float], strength: float) -> float:
    """The logarithm of how likely its results are."""
    chances = (_ahead(strength - bot, match.rounds) for bot, _ in match.results)
    each = zip(weights, match.results, chances, strict=True)
    return sum(weight * log(p if was else 1 - p) for weight, (_, was), p in each)


def _information(match: Met, strength: float) -> float:
    """How much one more such match would tell of a player of that strength."""
    sharp = _SHARP * match.rounds**_LONGER
    chances = [_ahead(strength - bot, match.rounds) for bot, _ in match.results]
    slopes = [sharp * (p - _LAPSE / 2) * (1 - _LAPSE / 2 - p) / (1 - _LAPSE) for p in chances]
    each = zip(_weights(match, strength), slopes, chances, strict=True)
    return sum(weight * slope**2 / (p * (1 - p)) for weight, slope, p in each)


def _ahead(stronger: float, rounds: int) -> float:
    """The chance to be ahead of a bot in a match of so many rounds."""
    usual = 1 / (1 + exp(-_SHARP * rounds**_LONGER * stronger))
    return _LAPSE / 2 + (1 - _LAPSE) * usual
