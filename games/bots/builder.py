"""The builder: builds one stack high and keeps a 5 or a wild until it pays."""

from typing import Final

from games.bots.base import Bot, Persona, keeping
from games.compiled import mypyc_attr
from games.engine.cards import FACE, WILD, Card

PAYS: Final = {5: 5, WILD: 7}
"""The height, taking card included, from which a stack is worth a 5 or a wild."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Builder(Bot):
    """Plays on the highest stack. Takes a low one only when nothing else has happened for long."""

    temper = "builder"
    persona = Persona("Bertil", "builds high and waits to take", "M5 8.5h3.5M11.5 8.5H15M7 13.5h6")
    KEEP = keeping(1, 1, 2, 2, 4, 5)

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """High takes first, then building where it is highest. Low takes only out of impatience."""
        height = self.view.heights[slot]
        if not takes:
            return 1 + height
        if height + 1 >= PAYS[FACE[card]]:
            return 100 + height
        return 0.5 if self.restless else 0
