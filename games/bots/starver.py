"""The starver: never plays a 4 under someone's likely 5, and buries other players' 4s."""

from typing import Final

from games.bots.base import Bot, Persona, keeping
from games.compiled import mypyc_attr
from games.engine.cards import FACE, Card

FOUR: Final = 4
LIKELY: Final = 0.7
"""If the others are expected to have this many 5s, a 4 is not safe."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Starver(Bot):
    """Counts the 5s played. Plays its own 4s only when others can't use them."""

    temper = "starver"
    persona = Persona(
        "Corvin",
        "keeps 4s from other players",
        "M5 6.5 8.5 8M15 6.5 11.5 8M7 10h0M13 10h0M7 14.5q3-2.5 6 0",
    )
    KEEP = keeping(1, 2, 3, 1, 4, 5)

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """Takes first, then 3s on 4s, then cards that lead downwards, and 4s when it is safe."""
        top = self.view.tops[slot]
        if takes:
            return 10 + self.view.heights[slot]
        left = number or FACE[card]
        if left == FOUR:
            return 1 if self.restless or self.expected_fives() < LIKELY else 0
        if top == FOUR:
            return 8
        return 4 if left < top else 2

    def expected_fives(self) -> float:
        """How many 5s the others have, if each has them spread evenly over its cards."""
        view = self.view
        return sum(
            view.held(seat) * view.fives(seat) / (view.held(seat) + view.left(seat) or 1)
            for seat in range(view.seats)
            if seat != view.seat
        )
