"""The runner: sheds its cards as fast as it can and says OUT as soon as it may."""

from games.bots.base import Bot, Persona, keeping
from games.compiled import mypyc_attr
from games.engine.cards import FACE, WILD, Card


@mypyc_attr(allow_interpreted_subclasses=True)
class Runner(Bot):
    """Keeps nothing back, plays the card that makes the next one fit, and ignores points."""

    temper = "runner"
    persona = Persona(
        "Tamsin", "hurries to shout OUT", "M9 8h0M14.5 8h0M8 12.5q4 3 6.5-.5M4.5 7h1.5M4.5 10h1"
    )
    KEEP = keeping(1, 1, 1, 1, 1, 1)

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """The more cards in hand could follow on the slot, the better."""
        if takes:
            return 2.5
        left = number or FACE[card]
        return 1 + sum(
            other != card and (FACE[other] == WILD or abs(FACE[other] - left) == 1)
            for other in self.view.hand
        )

    def shouts(self) -> bool:
        return True
