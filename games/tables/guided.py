"""A guided round: a newcomer's first one, at a real table.

The law: it is one round with two patient bots that wait for the player (`games.bots.patient`).
Its decks are not shuffled but laid out, so that each rule is met early and in an order that can be
followed; its record says so (`DEALS`), its deal has no seed, and only its player may see it. There
is no hurry: nobody plays on for the player, and no round stalls.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, Final

from games.bots.patient import PATIENT, PATIENT_LEVEL
from games.engine.cards import COPIES, DECK_LETTERS, FACE, FACE_LETTERS, Card
from games.engine.editions import DEFAULT_EDITION
from games.engine.events import Deal
from games.people.person import Person
from games.records.ids import new_id
from games.tables.plan import Plan, new_plan

DEALS: Final = ("deals", "laid out for a guided round")
"""The tag of its record."""
_DECKS: Final = (
    "1 2 4  5 4 3 2 3 R 5 1 3 2 1",
    "1 4 5  2 3 2 1 3 4 2 3 5 1 R",
    "1 5 4  2 3 1 2 3 3 4 2 5 1 R",
)
"""The player's deck and the bots', from the top; the first three are the hand."""


def _deck(seat: int, faces: str) -> tuple[Card, ...]:
    """The deck with these faces in this order."""
    used: Counter[str] = Counter()
    cards = []
    for face in faces.split():
        cards.append(f"{DECK_LETTERS[seat]}{face}{COPIES[used[face]]}")
        used[face] += 1
    return tuple(cards)


_LAID_OUT: Final = tuple(_deck(seat, faces) for seat, faces in enumerate(_DECKS))
_COUNTS: Final = Counter(FACE[card] for card in _LAID_OUT[0])
RULES: Final[dict[str, Any]] = {
    "deck": [_COUNTS[face] for face in range(1, len(FACE_LETTERS) + 1)],
    "speedy": True,
    "stall_ms": 0,
}


def guided_plan(person: Person, name: str) -> Plan:
    """A guided round for somebody, by link only and unwatched."""
    plan = new_plan(new_id(9), DEFAULT_EDITION, len(_DECKS), RULES)
    plan = plan.sit(person, name, 0, beginner=True)
    for number in range(1, len(_DECKS)):
        plan = plan.seat_bot(PATIENT, PATIENT_LEVEL, f"{PATIENT} {number}")
    return replace(
        plan,
        key=new_id(24),
        watching=False,
        chat=False,
        maker=person,
        bot_after_ms=0,
        guided=True,
        tags=dict([DEALS]),
    )


def guided_deal() -> Deal:
    """Its only deal."""
    return Deal(1, _LAID_OUT)
