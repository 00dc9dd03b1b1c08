"""The taker: takes whenever it can, the highest stack first, and otherwise plays what fits."""

from games.bots.base import Bot, Persona
from games.compiled import mypyc_attr
from games.engine.cards import Card


@mypyc_attr(allow_interpreted_subclasses=True)
class Taker(Bot):
    """Grabs even a stack of one card. Keeps its 5s and wilds from the discard pile for long."""

    temper = "taker"
    persona = Persona("Ragna", "takes whenever it can", "M6.5 8h0M13.5 8h0M5.5 11.5q4.5 5.5 9 0z")

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """A take is worth its height, anything else a little."""
        return 10 + self.view.heights[slot] if takes else 1
