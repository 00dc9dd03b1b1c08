"""Perspective: what a viewer may see of the table's facts. The only redaction there is.

A person standing at the table sees the stacks, what is laid and taken, and how many cards
lie everywhere, but no hand, no pile that lies face down, and no card that went back into
a hand. (Tied cards were laid before they were discarded; late and mistaken ones were not.)
A seat sees its own hand and what it discards besides. The order of a draw pile is hidden
from everybody, its owner included.

A hidden card is `HIDDEN[seat]`, whatever it is, so that nothing can be read from its size.
"""

from __future__ import annotations

from typing import Final

from games.engine.cards import HIDDEN
from games.engine.events import Deal, Discard, Draw, Event, Late, Miss
from games.engine.table import HAND

Viewer = int | None
"""A seat, or None: a spectator without any seat's view."""

SPECTATOR: Final = None


def see_deal(deal: Deal, viewer: Viewer) -> Deal:
    """The deal as a viewer sees it: the own first hand at most."""
    return Deal(
        deal.round,
        tuple(
            (deck[:HAND] if seat == viewer else (HIDDEN[seat],) * len(deck[:HAND]))
            + (HIDDEN[seat],) * len(deck[HAND:])
            for seat, deck in enumerate(deal.decks)
        ),
    )


def see(event: Event, viewer: Viewer) -> Event:
    """The event as a viewer sees it; the very same where nothing in it is hidden."""
    if not isinstance(event, Draw | Discard | Late | Miss) or event.seat == viewer:
        return event
    hidden = event._replace(card=HIDDEN[event.seat])
    return hidden._replace(number=None) if isinstance(hidden, Late | Miss) else hidden
