"""The runner: gets rid of its cards as fast as it can and says OUT the moment it may."""

from __future__ import annotations

from games.bots.base import Bot, keeping
from games.bots.view import Chance
from games.engine.cards import FACE, WILD


class Runner(Bot):
    """Holds nothing back, lays the card that lets the next one follow, and counts no points."""

    temper = "runner"
    KEEP = keeping(1, 1, 1, 1, 1, 1)

    def worth(self, chance: Chance) -> float:
        """The more cards of the hand could follow on the slot, the better."""
        left = 0 if chance.takes else chance.number or FACE[chance.card]
        return 1 + sum(
            card != chance.card and (FACE[card] == WILD or abs(FACE[card] - left) == 1)
            for card in self.view.hand
        )

    def shouts(self) -> bool:
        """At once."""
        return True
