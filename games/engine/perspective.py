"""Perspective: the facts of the table that a viewer may see. The only redaction there is.

A person at the table sees the stacks, every card played and taken, and how many cards each pile
has, but no hand, no face-down pile, and no card that went back to a hand. (Tied cards were played
before they were discarded. Late and mistaken ones were not.) A seat also sees its own hand and its
discards. The order of a draw pile is hidden from everyone, including its owner.

A hidden card is always `HIDDEN[seat]`, so its size gives nothing away.
"""

from collections.abc import Container
from typing import Final

from games.engine.cards import HIDDEN, Card
from games.engine.events import Deal, Discard, Draw, Event, Late, Miss
from games.engine.table import HAND

Viewer = int | None
"""A seat, or None for a spectator."""

SPECTATOR: Final = None


def see_deal(deal: Deal, viewer: Viewer) -> Deal:
    """The deal as a viewer sees it: at most the viewer's own first hand."""
    return _deal(
        deal,
        tuple(
            (deck[:HAND] if seat == viewer else (HIDDEN[seat],) * len(deck[:HAND]))
            + (HIDDEN[seat],) * len(deck[HAND:])
            for seat, deck in enumerate(deal.decks)
        ),
    )


def see_drawn(deal: Deal, drawn: Container[Card]) -> Deal:
    """The deal as it is known once these cards have been drawn: all hands, no draw pile."""
    return _deal(
        deal,
        tuple(
            deck[:HAND] + tuple(card if card in drawn else HIDDEN[seat] for card in deck[HAND:])
            for seat, deck in enumerate(deal.decks)
        ),
    )


def _deal(deal: Deal, decks: tuple[tuple[Card, ...], ...]) -> Deal:
    """The deal with these decks. Without the seed, which would reveal the others."""
    return Deal(deal.round, decks, deal.fair and deal.fair._replace(seed=""))


def see(event: Event, viewer: Viewer) -> Event:
    """The event as a viewer sees it. The same object if nothing in it is hidden."""
    if not isinstance(event, Draw | Discard | Late | Miss) or event.seat == viewer:
        return event
    hidden = event._replace(card=HIDDEN[event.seat])
    return hidden._replace(number=None) if isinstance(hidden, Late | Miss) else hidden
