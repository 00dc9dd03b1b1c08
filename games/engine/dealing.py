"""Dealing: each deck is shuffled separately, with randomness passed in."""

from __future__ import annotations

from typing import Protocol

from games.engine.cards import Card, deck_of
from games.engine.editions import Rules
from games.engine.events import Deal


class Randomness(Protocol):
    """What shuffles: `random.Random(seed)` in simulations, `random.SystemRandom()` live."""

    def shuffle(self, x: list[Card], /) -> None:
        """Shuffle the list in place."""


def shuffled(rules: Rules, seats: int, number: int, randomness: Randomness) -> Deal:
    """The deal of round `number`: one shuffled deck per seat, top card first."""
    decks = []
    for seat in range(seats):
        deck = list(deck_of(seat, rules.deck))
        randomness.shuffle(deck)
        decks.append(tuple(deck))
    return Deal(number, tuple(decks))
