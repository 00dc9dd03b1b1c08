"""A card's life: its way from the deck through a hand and a stack to a score pile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from games.engine.cards import OWNER, Card
from games.engine.events import Discard, Draw, Play, Tie
from games.engine.table import HAND
from replays.analysis.moments.swings import Swing
from replays.timeline import Round

DECK: Final = "deck"
HELD: Final = "hand"
DISCARDED: Final = "discarded"
TIED: Final = "tied"
PLAYED: Final = "played"
TAKEN: Final = "taken"


class Stage(NamedTuple):
    """Where the card went. `seq` and `t` (ms) are those of the line that moved it."""

    seq: int
    t: int
    place: str
    """`deck`, `hand`, `discarded`, `tied` (discarded by a tie), `played` or `taken`."""
    seat: int
    """Whose pile or hand it is in, or who played or took it."""
    slot: int | None = None


def card_lives(played: Round) -> dict[Card, list[Stage]]:
    """The stages of every card in a round, in order."""
    lives = {
        card: [Stage(played.seq, 0, HELD if place < HAND else DECK, seat)]
        for seat, deck in enumerate(played.deal.decks)
        for place, card in enumerate(deck)
    }
    stacks: dict[int, list[Card]] = {}
    for event, seq in zip(played.events, played.seqs, strict=True):
        if isinstance(event, Draw):
            lives[event.card].append(Stage(seq, event.t, HELD, event.seat))
        elif isinstance(event, Discard):
            lives[event.card].append(Stage(seq, event.t, DISCARDED, event.seat))
        elif isinstance(event, Tie):
            for card in event.cards:
                lives[card].append(Stage(seq, event.t, TIED, OWNER[card], event.stack))
        elif isinstance(event, Play):
            stack = stacks.setdefault(event.stack, [])
            lives[event.card].append(Stage(seq, event.t, PLAYED, event.seat, event.stack))
            stack.append(event.card)
            if event.takes is not None:
                for card in stack:
                    lives[card].append(Stage(seq, event.t, TAKEN, event.seat, event.stack))
                stack.clear()
    return lives


def feeding_prices(played: Round, swings: Iterable[Swing]) -> dict[Card, float]:
    """The estimated change in win probability that each card fed brought its player.

    The change a take makes for that player is divided equally among the stack's cards, so the
    prices of the player's cards in a stack add up to their share of the take's effect.
    """
    changed = {swing.seq: swing for swing in swings}
    prices: dict[Card, float] = {}
    stacks: dict[int, list[Card]] = {}
    for event, seq in zip(played.events, played.seqs, strict=True):
        if not isinstance(event, Play):
            continue
        stack = stacks.setdefault(event.stack, [])
        stack.append(event.card)
        if event.takes is None:
            continue
        for card in stack:
            if OWNER[card] != event.seat and seq in changed:
                prices[card] = changed[seq].change(OWNER[card]) / len(stack)
        stack.clear()
    return prices
