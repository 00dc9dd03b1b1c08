"""Actions: what a seat asks to do. Only the Referee turns them into facts."""

from typing import NamedTuple

from games.engine.cards import Card
from games.engine.message import Message


class Try(NamedTuple):
    """Play a hand card on a slot. `number`: the number a wild is played as.

    `seen`: how many of the round's events the player's screen had shown. None means every event
    settled before the try arrived.
    """

    seat: int
    card: Card
    stack: int
    number: int | None = None
    seen: int | None = None


class DrawOne(NamedTuple):
    seat: int


class DiscardOne(NamedTuple):
    seat: int
    card: Card


class Shout(NamedTuple):
    seat: int


class Abandon(NamedTuple):
    """All players give up the match."""

    seat: int = -1


Action = Try | DrawOne | DiscardOne | Shout | Abandon


class Refusal(NamedTuple):
    """Why an action was rejected: the rule's name, an explanation, ms left to wait (0: none)."""

    action: Action
    rule: str
    message: Message
    wait_ms: int = 0
