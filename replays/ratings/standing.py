"""A rating as a value, and a match's effect on its players'.

Plackett and Luce's model in openskill's form: mu is the estimated skill, sigma how uncertain it is.
Two to five players are rated by their places alone, not by how far apart their totals are. Pages
show 1500 + 40 (mu - 25), give or take 80 sigma (95%): 1500 ± 667 for a new player.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from games.engine.message import spoken

_MODEL: Final = PlackettLuce()
BOTS: Final = "bots "
"""The prefix of a bots' ledger's name, before its edition."""
START: Final = 1_500
SCALE: Final = 40
SURE: Final = 5.0
"""A rating with a larger sigma is provisional: less certain than ± 400."""


class Standing(NamedTuple):
    """A rating after some matches."""

    mu: float
    sigma: float
    matches: int

    @property
    def rating(self) -> int:
        """On the scale that players see."""
        return START + round(SCALE * (self.mu - NEW.mu))

    @property
    def text(self) -> str:
        return spoken(self.rating)

    @property
    def doubt(self) -> int:
        """Half of the 95% interval that is shown."""
        return round(2 * SCALE * self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether it is too uncertain to be compared."""
        return self.sigma > SURE


NEW: Final = Standing(_MODEL.mu, _MODEL.sigma, 0)


def places(totals: Sequence[int]) -> list[int]:
    """Each seat's place by its total, 1 for the highest. Equal totals share a place."""
    return [1 + sum(other > total for other in totals) for total in totals]


def rated(before: Sequence[Standing], totals: Sequence[int]) -> list[Standing]:
    """The standings after a match that ended with these totals, in the same order."""
    teams = [[_MODEL.rating(mu=standing.mu, sigma=standing.sigma)] for standing in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places(totals)])
    return [
        Standing(team[0].mu, team[0].sigma, standing.matches + 1)
        for standing, team in zip(before, after, strict=True)
    ]
