"""A guided round: a newcomer's first one, at a real table.

The law: it is one round with two patient bots that wait for the player (`games.bots.patient`). Its
decks are laid out, so that each rule is met early and in an order that can be followed: a hand, the
cards after it, and a rest that is shuffled in one of some tried ways. The table's id chooses the
way, so that another host deals the same, and another round another one. Its record says so
(`DEALS`), its deal has no seed, and only its player may see it. There is no hurry: no bot takes
over for the player, and no round stalls.
"""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, Final

from games.bots.patient import PATIENT, PATIENT_LEVEL, PATIENT_NAMES
from games.engine.cards import COPIES, DECK_LETTERS, FACE, FACE_LETTERS, Card
from games.engine.editions import DEFAULT_EDITION
from games.engine.events import Deal
from games.engine.table import HAND
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
"""The player's deck and the bots', from the top. The first three cards are the hand."""
_KEPT: Final = 6
"""How many cards of each deck stay on top, the hand in any order."""
SHUFFLES: Final = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 11),
    *(12, 13, 16, 17, 18, 19, 21, 23, 24, 27),
    *(29, 30, 31, 32, 33, 34, 35, 36, 38, 39),
    *(40, 41, 42, 43, 44, 45, 46, 47, 50, 51),
)
"""The ways to shuffle the rest with which all rules appear, however fast the player is."""


def _deck(seat: int, faces: str) -> tuple[Card, ...]:
    """The deck with these faces in this order."""
    used: Counter[str] = Counter()
    cards = []
    for face in faces.split():
        cards.append(f"{DECK_LETTERS[seat]}{face}{COPIES[used[face]]}")
        used[face] += 1
    return tuple(cards)


def _shuffled(faces: str, random: Random) -> str:
    """The same faces in another order."""
    every = faces.split()
    hand, rest = every[:HAND], every[_KEPT:]
    random.shuffle(hand)
    random.shuffle(rest)
    return " ".join([*hand, *every[HAND:_KEPT], *rest])


_COUNTS: Final = Counter(FACE[card] for card in _deck(0, _DECKS[0]))
RULES: Final[dict[str, Any]] = {
    "deck": [_COUNTS[face] for face in range(1, len(FACE_LETTERS) + 1)],
    "speedy": True,
    "stall_ms": 0,
}


def guided_plan(person: Person, name: str) -> Plan:
    """A guided round for a player, by link only and unwatched."""
    plan = new_plan(new_id(9), DEFAULT_EDITION, len(_DECKS), RULES)
    plan = plan.sit(person, name, 0, beginner=True)
    for bot in PATIENT_NAMES:
        plan = plan.seat_bot(PATIENT, PATIENT_LEVEL, bot)
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


def guided_deal(match: str) -> Deal:
    """The only deal of the round with that id."""
    return laid_out(Random(match).choice(SHUFFLES))


def laid_out(shuffle: int) -> Deal:
    """The deal of one of `SHUFFLES`."""
    random = Random(shuffle)
    decks = [_shuffled(faces, random) for faces in _DECKS]
    return Deal(1, tuple(_deck(seat, faces) for seat, faces in enumerate(decks)))
