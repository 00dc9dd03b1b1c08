"""The taker: takes whenever it can, the highest stack first, and otherwise plays what fits."""

from __future__ import annotations

from games.bots.base import Bot
from games.compiled import mypyc_attr
from games.engine.cards import Card


@mypyc_attr(allow_interpreted_subclasses=True)
class Taker(Bot):
    """Grabs even a stack of one card; keeps its 5s and wilds from the discard pile for long."""

    temper = "taker"

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """A take is worth its height, anything else a little."""
        return 10 + self.view.heights[slot] if takes else 1
