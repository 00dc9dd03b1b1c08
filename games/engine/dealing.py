"""Dealing: each deck is shuffled separately, by a passed-in randomness or by a seed and salts.

Live matches are dealt by a seed and salts, which can be checked (docs/reference/fair-play.md).
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Final, Protocol

from games.engine.cards import Card, deck_of
from games.engine.editions import Rules
from games.engine.events import Deal, Fair

SEED_BYTES: Final = 32
COMMIT_BYTES: Final = 32
MAX_SALT_BYTES: Final = 32
_PURPOSE: Final = b"ratuki deal 1\0"
_WORD: Final = 4  # bytes
_WORDS: Final = 1 << 8 * _WORD


class Randomness(Protocol):
    """What shuffles: `random.Random(seed)` in simulations, `random.SystemRandom()` live."""

    def shuffle(self, x: list[Card], /) -> None:
        """Shuffle the list in place."""


def shuffled(rules: Rules, seats: int, number: int, randomness: Randomness) -> Deal:
    """The deal of round `number`: one shuffled deck per seat, top card first."""
    decks = []
    for seat in range(seats):
        deck = list(deck_of(seat, rules.deck))
        randomness.shuffle(deck)
        decks.append(tuple(deck))
    return Deal(number, tuple(decks))


def fair_deal(rules: Rules, number: int, seed: bytes, salts: Sequence[bytes]) -> Deal:
    """The deal of round `number` that follows from a seed of 32 bytes and a salt for each seat."""
    fair = Fair(commitment(seed), seed.hex(), tuple(salt.hex() for salt in salts))
    return Deal(number, fair_decks(rules, number, fair), fair)


def commitment(seed: bytes) -> str:
    """The public commitment to a seed, before the salts are chosen."""
    return sha256(seed).hexdigest()


def fair_decks(rules: Rules, number: int, fair: Fair) -> tuple[tuple[Card, ...], ...]:
    """The decks of round `number` that follow from its seed and salts."""
    salts = [bytes.fromhex(salt) for salt in fair.salts]
    said = b"".join(bytes((len(salt),)) + salt for salt in salts)
    begin = _PURPOSE + bytes.fromhex(fair.seed) + number.to_bytes(2, "big")
    return tuple(
        _exchanged(deck_of(seat, rules.deck), _words(begin + bytes((seat,)) + said))
        for seat in range(len(salts))
    )


def _exchanged(sorted_deck: Sequence[Card], words: Iterator[int]) -> tuple[Card, ...]:
    """The deck shuffled, from its last position down, each card exchanged with one not above it."""
    deck = list(sorted_deck)
    for last in range(len(deck) - 1, 0, -1):
        choices = last + 1
        # The words beyond the last full multiple would make some choices likelier than others.
        fair = _WORDS // choices * choices
        word = next(words)
        while word >= fair:
            word = next(words)
        other = word % choices
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def _words(head: bytes) -> Iterator[int]:
    """Numbers of 32 bits without end."""
    for block in count():
        digest = sha256(head + block.to_bytes(4, "big")).digest()
        for place in range(0, len(digest), _WORD):
            yield int.from_bytes(digest[place : place + _WORD], "big")
