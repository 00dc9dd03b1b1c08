"""Cards: seven faces in up to five decks, each card known by its code.

A card *is* its code, a short string such as ``A1c``: deck letter (``A`` to ``E`` for seat 0 to 4),
face (``1`` to ``5``, or ``R`` for the wild), copy (``a``, ``b``, …). Every possible code is created
once, here, so equal cards are the same object and a lookup is one dictionary access.

A card whose face the viewer may not see has ``?`` for face and copy (``A?``).
"""

from functools import lru_cache
from string import ascii_lowercase
from typing import Final

Card = str

SEATS: Final = 5
DECK_LETTERS: Final = "ABCDE"
FACE_LETTERS: Final = "12345R"
WILD: Final = 6
"""The wild's face, next to the numbers 1 to 5."""
COPIES: Final = ascii_lowercase
STYLES: Final = ("number", "roman", "word", "die", "hand")

FACE: Final[dict[Card, int]] = {
    f"{deck}{letter}{copy}": face
    for deck in DECK_LETTERS
    for face, letter in enumerate(FACE_LETTERS, start=1)
    for copy in COPIES
}
"""Each card's face: 1 to 5, or `WILD`."""

OWNER: Final[dict[Card, int]] = {card: DECK_LETTERS.index(card[0]) for card in FACE}
"""The seat (0 to 4) whose deck each card belongs to."""

HIDDEN: Final[tuple[Card, ...]] = tuple(f"{deck}?" for deck in DECK_LETTERS)
"""For each seat, the code of a card the viewer may not see."""


def style(card: Card) -> str | None:
    """How the card's number is drawn. None for a wild."""
    if FACE[card] == WILD:
        return None
    return STYLES[COPIES.index(card[2]) % len(STYLES)]


@lru_cache(256)
def deck_of(seat: int, counts: tuple[int, ...]) -> tuple[Card, ...]:
    """A seat's whole deck, sorted. `counts`: how many of 1, 2, 3, 4, 5 and wilds."""
    return tuple(
        f"{DECK_LETTERS[seat]}{letter}{copy}"
        for letter, count in zip(FACE_LETTERS, counts, strict=True)
        for copy in COPIES[:count]
    )
