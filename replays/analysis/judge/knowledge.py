"""A seat's knowledge at a moment, and possible places of the hidden cards.

The table is folded from the events as that seat could see them (`games.engine.perspective`), so a
card that it could not see has no influence. The cards it has not seen are dealt anew to the hands
and piles where cards are hidden.

Players keep some cards and discard others: half the cards in opponents' hands are 5s, but only one
in seven in their piles. So a card is dealt to a hand or a pile by the weight of its face, as
measured on matches between the site's bots.
"""

from collections.abc import Sequence
from math import log
from random import Random
from typing import Final

from games.engine.cards import FACE, HIDDEN, WILD, Card, deck_of
from games.engine.events import Event
from games.engine.perspective import see, see_deal
from games.engine.table import Table
from replays.timeline import Round

HELD: Final[dict[str, tuple[float, ...]]] = {
    "usaopoly-2009": (0.53, 0.53, 0.60, 0.70, 3.77, 2.24),
    "hasbro-2010": (0.64, 0.64, 0.71, 0.75, 4.23, 1.08),
    "gamerules": (0.61, 0.61, 0.70, 0.71, 3.97, 1.34),
}
"""By edition, how much more likely cards of each face (1 to 5, wild) lie in another's hand."""


class Knowledge:
    """What a seat could know after the first `known` events of a round."""

    def __init__(self, played: Round, seat: int, known: int) -> None:
        shown = Round(played.header, see_deal(played.deal, seat), played.seq, played.before)
        self.events: list[Event] = [see(event, seat) for event in played.events[:known]]
        shown.events = self.events
        self.seat = seat
        self._table = shown.table(known)
        self._weights = HELD[played.header.edition]
        self._unseen = [self._unseen_of(owner) for owner in range(self._table.seats)]
        self._count_unplayed()

    def _unseen_of(self, owner: int) -> list[Card]:
        """The cards of a seat that are not known to be anywhere."""
        table = self._table
        places = [table.hands[owner], table.draw_piles[owner], table.discard_piles[owner]]
        seen = {card for place in (*places, *table.stacks, *table.score_piles) for card in place}
        return [card for card in deck_of(owner, table.rules.deck) if card not in seen]

    def _count_unplayed(self) -> None:
        """The unplayed faces follow from the played ones, except after a hidden deal."""
        table = self._table
        hidden = set(HIDDEN)
        places = (*table.hands, *table.draw_piles, *table.discard_piles)
        unplayed = [card for place in places for card in place if card not in hidden]
        table.pool = [0] * (WILD + 1)
        for card in (*unplayed, *(card for unseen in self._unseen for card in unseen)):
            table.pool[FACE[card]] += 1
        table.faces = sum(1 << face for face, count in enumerate(table.pool) if count)

    def dealt(self, randomness: Random) -> Table:
        """A table that looks to this seat like the true one."""
        table = self._table.copy()
        for owner, unseen in enumerate(self._unseen):
            hand = table.hands[owner]
            cards = self._ordered(unseen, hand.count(HIDDEN[owner]), randomness)
            for place in (hand, table.draw_piles[owner], table.discard_piles[owner]):
                for at, card in enumerate(place):
                    if card == HIDDEN[owner]:
                        place[at] = cards.pop()
        return table

    def _ordered(self, unseen: Sequence[Card], held: int, randomness: Random) -> list[Card]:
        """The cards in random order. The last `held` of them are drawn by the faces' weights."""
        cards = list(unseen)
        if held:
            weights, draw = self._weights, randomness.random
            cards.sort(key=lambda card: log(1 - draw()) / weights[FACE[card] - 1])
        hand, cards = cards[len(cards) - held :], cards[: len(cards) - held]
        randomness.shuffle(cards)
        return cards + hand
