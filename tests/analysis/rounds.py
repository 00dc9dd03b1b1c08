"""A round that tests go on from."""

from games.engine.cards import deck_of
from games.engine.editions import house_rules
from games.engine.events import Deal, Draw, Event, Play
from games.records.log import Header, Seat
from replays.timeline import Timeline

PILE = ("B1a", "B2a", "B3a", "B4a", "B3b", "B4b")
"""What seat 1 puts on slot 0, one by one."""


def a_round(*later: Event, hand: str = "A5a A1a A2a", edition: str = "usaopoly-2009") -> Timeline:
    """Seat 1 has put six cards on slot 0 by 2.0 s, the last one a 4; then these events."""
    rules = house_rules(edition)
    own, deck = hand.split(), deck_of(0, rules.deck)
    decks = (
        (*own, *(card for card in deck if card not in own)),
        (*PILE, *(card for card in deck_of(1, rules.deck) if card not in PILE)),
    )
    laid: list[Event] = [Play(1_000 + 200 * n, 1, card, 0) for n, card in enumerate(PILE)]
    drawn: list[Event] = [Draw(900 + 200 * (n + 1), 1, card) for n, card in enumerate(PILE[3:])]
    before = sorted(drawn + laid, key=lambda event: event.t)
    seats = (Seat("Ann", "bot"), Seat("Bea", "bot"))
    lines = [Header("made", edition, rules, seats), Deal(1, decks), *before, *later]
    return Timeline.of(lines)
