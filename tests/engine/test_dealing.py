"""Deals that follow from a seed and salts (docs/reference/fair-play.md)."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import deck_of
from games.engine.dealing import commitment, fair_deal, fair_decks
from games.engine.editions import EDITIONS, Rules
from games.engine.events import Fair
from games.engine.perspective import SPECTATOR, see_deal, see_drawn

SEED = bytes(range(32))
SEEDS = st.binary(min_size=32, max_size=32)
SALTS = st.lists(st.binary(max_size=32), min_size=2, max_size=5)


def decks_by_the_book(
    rules: Rules, number: int, seed: bytes, salts: list[bytes]
) -> list[list[str]]:
    """The rule of docs/reference/fair-play.md once more, as a reader would write it down."""
    decks = []
    for seat in range(len(salts)):
        head = b"ratuki deal 1\x00" + seed + bytes([number >> 8, number & 255, seat])
        for salt in salts:
            head += bytes([len(salt)]) + salt
        blocks = b"".join(sha256(head + bytes([0, 0, j >> 8, j & 255])).digest() for j in range(60))
        words = iter(
            [int.from_bytes(blocks[at : at + 4], "big") for at in range(0, len(blocks), 4)]
        )
        deck = list(deck_of(seat, rules.deck))
        for k in range(len(deck) - 1, 0, -1):
            w = next(words)
            while w >= 2**32 // (k + 1) * (k + 1):
                w = next(words)
            deck[k], deck[w % (k + 1)] = deck[w % (k + 1)], deck[k]
        decks.append(deck)
    return decks


@given(st.sampled_from(sorted(EDITIONS)), st.integers(1, 1000), SEEDS, SALTS)
def test_the_decks_follow_from_seed_and_salts(
    edition: str, number: int, seed: bytes, salts: list[bytes]
) -> None:
    rules = EDITIONS[edition]
    deal = fair_deal(rules, number, seed, salts)
    assert [list(deck) for deck in deal.decks] == decks_by_the_book(rules, number, seed, salts)
    for seat, deck in enumerate(deal.decks):
        assert sorted(deck) == sorted(deck_of(seat, rules.deck))
    assert deal.fair
    assert deal.fair.commit == commitment(seed) == sha256(seed).hexdigest()
    assert fair_decks(rules, number, deal.fair) == deal.decks


def test_a_word_that_would_favour_some_cards_is_skipped() -> None:
    """Three choices do not divide 2**32: its last number goes to none of them."""
    from games.engine.dealing import _exchanged

    cards = ("A1a", "A1b", "A1c")
    assert _exchanged(cards, iter([2**32 - 1, 0, 1])) == _exchanged(cards, iter([0, 1]))
    assert _exchanged(cards, iter([2**32 - 2, 1])) != _exchanged(cards, iter([0, 1]))


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
def test_nobody_sees_the_seed_of_a_deal(viewer: int | None) -> None:
    """It would tell every deck's order; commitment and salts are public."""
    deal = fair_deal(Rules(), 1, SEED, [b"salt", b""])
    assert deal.fair == Fair(commitment(SEED), SEED.hex(), (b"salt".hex(), ""))
    public = Fair(commitment(SEED), "", (b"salt".hex(), ""))
    assert see_deal(deal, viewer).fair == public
    assert see_drawn(deal, deal.decks[0]).fair == public
