"""Actions: what a seat asks for. Only the Referee turns asking into facts."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.cards import Card


class Try(NamedTuple):
    """Lay a hand card on a slot; `number`: the number a wild is tried as.

    `seen`: how many events of the round that player's screen had shown, None for all
    that had been settled when the try arrived.
    """

    seat: int
    card: Card
    stack: int
    number: int | None = None
    seen: int | None = None


class DrawOne(NamedTuple):
    """Draw the top card of the own draw pile."""

    seat: int


class DiscardOne(NamedTuple):
    """Lay a hand card on the own discard pile."""

    seat: int
    card: Card


class Shout(NamedTuple):
    """Say OUT."""

    seat: int


class Abandon(NamedTuple):
    """Everybody gives the match up."""

    seat: int = -1


Action = Try | DrawOne | DiscardOne | Shout | Abandon


class Refusal(NamedTuple):
    """Why an action came to nothing: the rule's name, words, and ms still to wait (0: none)."""

    action: Action
    rule: str
    message: str
    wait_ms: int = 0
