"""How fast and how well a person plays: the five levels, as data.

Times are lognormal: most are near the median, a few are much longer, none is negative. Each
is stored as the quantiles of its distribution, so drawing a time is one lookup.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from math import exp
from random import Random
from statistics import NormalDist
from typing import Any, Final

BITS: Final = 10
"""Quantiles and probabilities are in steps of 2 ** -BITS."""
WHOLE: Final = 1 << BITS


@dataclass(frozen=True, slots=True)
class Skill:
    """A person at a level. Times in ms, probabilities in units of 1 / WHOLE."""

    pace: tuple[int, ...]
    """Quantiles: from a movement to the next look, including taking in the card drawn."""
    reach: tuple[int, ...]
    """Quantiles: the time between the choice of a card and its arrival at a slot."""
    lag: int
    """From an event's publication to noticing it."""
    glance: int
    """Extra time for each slot between the one last looked at and the target."""
    hesitation: tuple[int, ...]
    """Quantiles: the length of a hesitation before a try."""
    hesitates: int
    """The probability of a hesitation."""
    slips: int
    """The probability that a try goes to a wrong slot or uses a wrong card."""
    overlooks: int
    """The probability that a look misses a card that would fit."""
    patience: int
    """Roughly how long a hoarder waits while nothing happens in the center."""

    def __reduce__(self) -> tuple[type[Skill], tuple[Any, ...]]:
        """Support pickle: a compiled instance has no state for pickle to set."""
        return Skill, tuple(getattr(self, field.name) for field in fields(self))


def quantiles(median: float, sigma: float) -> tuple[int, ...]:
    """WHOLE equally probable values of a lognormal distribution, ascending, in whole ms."""
    normal = NormalDist()
    return tuple(
        round(median * exp(sigma * normal.inv_cdf((step + 0.5) / WHOLE))) for step in range(WHOLE)
    )


LEVELS: Final = range(1, 6)
DEFAULT_LEVEL: Final = 3
#         pace reach lag glance hesitates slips overlooks
_TABLE: Final = {
    1: (930, 350, 220, 60, 0.28, 0.055, 0.40),
    2: (835, 300, 195, 50, 0.21, 0.044, 0.33),
    3: (760, 260, 170, 40, 0.15, 0.034, 0.27),
    4: (705, 230, 152, 32, 0.11, 0.026, 0.23),
    5: (655, 205, 138, 25, 0.08, 0.019, 0.19),
}


@cache
def skill_of(level: int) -> Skill:
    """The person at a level, 1 to 5."""
    pace, reach, lag, glance, hesitates, slips, overlooks = _TABLE[level]
    return Skill(
        pace=quantiles(pace, 0.38),
        reach=quantiles(reach, 0.32),
        lag=lag,
        glance=glance,
        hesitation=quantiles(pace * 0.8, 0.5),
        hesitates=round(hesitates * WHOLE),
        slips=round(slips * WHOLE),
        overlooks=round(overlooks * WHOLE),
        patience=pace * 9,
    )


def network_lag(randomness: Random) -> int:
    """A player's network delay to the host and back, in ms: mostly near 40, sometimes much more."""
    return round(randomness.lognormvariate(3.7, 0.5))
