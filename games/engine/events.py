"""Events: the facts of a round, in the order in which they happened.

`games.engine.table.apply` can move the cards by an event alone, without knowing the rules. `t` is
whole ms since the round began. None means that the field was not given. `number` is a wild's number
(``as`` in a record).
"""

from typing import Final, NamedTuple

from games.engine.cards import Card

MAX_T: Final = 86_400_000
"""The latest possible t of an event, in ms: a round lasts at most a day."""
MAX_EVENTS: Final = 6_000
"""Events of a round."""
FULL_ROUND: Final = MAX_EVENTS - 10
"""After so many events a round can only be abandoned. There is room for tries not yet settled."""
MAX_ROUNDS: Final = 100
"""Rounds of a match. The last one decides it."""


class Fair(NamedTuple):
    """The source of a deal's decks, in hexadecimal: the host's seed, and a salt from each seat.

    The commitment, the SHA-256 of the seed, was published before the salts were chosen.
    """

    commit: str
    seed: str
    """Empty where it is hidden: it says the order of the decks."""
    salts: tuple[str, ...]

    def __repr__(self) -> str:
        """Without the seed, so that no message or log line reveals it by accident."""
        return f"Fair(commit={self.commit!r}, salts={self.salts!r})"


class Deal(NamedTuple):
    """A round begins: each seat's shuffled deck, top card first. The first three are its hand."""

    round: int
    decks: tuple[tuple[Card, ...], ...]
    fair: Fair | None = None
    """How the decks came about, if that can be checked."""


class Play(NamedTuple):
    """A hand card was played on a slot. `takes`: how many cards it took, including itself."""

    t: int
    seat: int
    card: Card
    stack: int
    number: int | None = None
    takes: int | None = None
    seen: int | None = None


class Draw(NamedTuple):
    """The top card of the draw pile went to the hand."""

    t: int
    seat: int
    card: Card


class Discard(NamedTuple):
    """A hand card went to the seat's own discard pile."""

    t: int
    seat: int
    card: Card


class Tie(NamedTuple):
    """Several seats tried the same slot at once. All their cards go to their discard piles.

    `t` is the time of the first try, `after` the ms from it to each try. `seen` has one entry per
    card.
    """

    t: int
    stack: int
    cards: tuple[Card, ...]
    after: tuple[int, ...]
    seen: tuple[int, ...] | None = None


class Late(NamedTuple):
    """A try that another seat beat. The card stays in hand."""

    t: int
    seat: int
    card: Card
    stack: int
    number: int | None
    seen: int


class Miss(NamedTuple):
    """A mistaken try: the card fitted nothing the player saw, and stays in hand."""

    t: int
    seat: int
    card: Card
    stack: int
    number: int | None
    seen: int


class Out(NamedTuple):
    t: int
    seat: int


class End(NamedTuple):
    """The round is over. `reason` is `out`, `blocked`, `stalled` or `abandoned`."""

    t: int
    reason: str
    scores: tuple[int, ...]
    totals: tuple[int, ...]


Event = Play | Draw | Discard | Tie | Late | Miss | Out | End
