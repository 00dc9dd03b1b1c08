"""What ties are about: how many cards a tied card alone would have taken."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from games.engine.cards import FACE, WILD
from games.engine.editions import Rules
from games.engine.events import Play, Tie

_FIVE: Final = 5


class Stakes:
    """Follows the plays of one round.

    A tie's line does not say what its wilds were played as, so where they may stand for a
    number, wilds are not known to take.
    """

    def __init__(self, rules: Rules) -> None:
        self._certain = {_FIVE} if rules.wild_as_number else {_FIVE, WILD}
        self._heights: dict[int, int] = defaultdict(int)

    def read(self, play: Play) -> None:
        self._heights[play.stack] = 0 if play.takes is not None else self._heights[play.stack] + 1

    def of(self, tie: Tie) -> int:
        """The cards that each tied card alone would have taken, itself included; 0 if not all of
        them would have taken."""
        height = self._heights[tie.stack]
        taking = height and all(FACE[card] in self._certain for card in tie.cards)
        return height + 1 if taking else 0
