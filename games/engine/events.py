"""Events: the facts of a round, in the order in which they happened.

Each says what happened fully enough that `games.engine.table.apply` can move the cards
without knowing the rules. `t` is whole ms since the round began. A field that is None
was not said; `number` is what a wild stands for (``as`` in a record).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.engine.cards import Card

MAX_T: Final = 86_400_000
"""The latest t of an event, in ms: a round lasts a day at most."""


class Deal(NamedTuple):
    """A round begins: for each seat its shuffled deck, top card first; three go to the hand."""

    round: int
    decks: tuple[tuple[Card, ...], ...]


class Play(NamedTuple):
    """A hand card went onto a slot; `takes`: how many cards it took, itself included."""

    t: int
    seat: int
    card: Card
    stack: int
    number: int | None = None
    takes: int | None = None
    seen: int | None = None


class Draw(NamedTuple):
    """The draw pile's top card came into the hand."""

    t: int
    seat: int
    card: Card


class Discard(NamedTuple):
    """A hand card went onto the own discard pile."""

    t: int
    seat: int
    card: Card


class Tie(NamedTuple):
    """Several seats tried the same slot at once: all their cards go to their discard piles.

    `t` is the first try's time, `after` each try's ms after it; `seen` has one entry a card.
    """

    t: int
    stack: int
    cards: tuple[Card, ...]
    after: tuple[int, ...]
    seen: tuple[int, ...] | None = None


class Late(NamedTuple):
    """A try that another seat forestalled; the card stays in the hand."""

    t: int
    seat: int
    card: Card
    stack: int
    number: int | None
    seen: int


class Miss(NamedTuple):
    """A mistaken try, which fitted nothing that the player saw; the card stays in the hand."""

    t: int
    seat: int
    card: Card
    stack: int
    number: int | None
    seen: int


class Out(NamedTuple):
    """A seat is OUT."""

    t: int
    seat: int


class End(NamedTuple):
    """The round is over; `reason` is `out`, `blocked`, `stalled` or `abandoned`."""

    t: int
    reason: str
    scores: tuple[int, ...]
    totals: tuple[int, ...]


Event = Play | Draw | Discard | Tie | Late | Miss | Out | End
