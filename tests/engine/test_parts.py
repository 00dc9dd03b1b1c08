"""The small parts of the engine: cards, fitting, dealing, what is legal and what counts."""

from random import Random

import pytest

from games.engine import rules as law
from games.engine.actions import DiscardOne, DrawOne, Shout, Try
from games.engine.cards import DECK_LETTERS, FACE, OWNER, WILD, deck_of, style
from games.engine.dealing import shuffled
from games.engine.editions import EDITIONS, Rules
from games.engine.events import Discard, End, Play
from games.engine.fitting import FREE, TOPS, fit_masks, fits, takes, uses
from games.engine.scoring import decided, raw_scores, winners
from games.engine.table import apply
from tests.engine.rounds import BASE, Round

FITS = {  # edition: for each top, a dot for a free slot, the faces that fit
    "usaopoly-2009": {".": "1", "1": "2R", "2": "13R", "3": "24R", "4": "35R"},
    "hasbro-2010": {".": "1R", "1": "2R", "2": "13R", "3": "24R", "4": "35R"},
    "gamerules": {".": "1R", "1": "2R", "2": "13R", "3": "24R", "4": "35R"},
}


def test_a_deck_is_sorted_and_lettered_by_seat() -> None:
    deck = deck_of(2, (2, 1, 0, 0, 0, 1))
    assert deck == ("C1a", "C1b", "C2a", "CRa")
    assert [OWNER[card] for card in deck] == [2, 2, 2, 2]
    assert [FACE[card] for card in deck] == [1, 1, 2, WILD]
    assert [style(card) for card in deck] == ["number", "roman", "number", None]


@pytest.mark.parametrize("edition", FITS)
def test_what_fits_on_what(edition: str) -> None:
    """The whole table of an edition."""
    rules = EDITIONS[edition]
    for top in TOPS:
        wanted = FITS[edition][str(top) if top else "."]
        fitting = [face for face in range(1, WILD + 1) if fits(rules, top, face)]
        assert "".join("12345R"[face - 1] for face in fitting) == wanted
        assert fit_masks(rules.wild_starts)[top] == sum(1 << face for face in fitting)


@pytest.mark.parametrize("edition", EDITIONS)
def test_uses_are_what_fits(edition: str) -> None:
    """A use is None or a number; a face fits if it has one, and each of them fits."""
    rules = EDITIONS[edition]
    for top in TOPS:
        for face in range(1, WILD + 1):
            numbers = uses(rules, top, face)
            assert bool(numbers) == fits(rules, top, face)
            assert all(fits(rules, top, face, number) for number in numbers)


def test_what_takes() -> None:
    """A 5, and a wild on a stack that does not stay as a number."""
    assert takes(4, 5, None)
    assert takes(2, WILD, None)
    assert not takes(2, WILD, 3)
    assert not takes(FREE, WILD, None)
    assert not takes(3, 4, None)


@pytest.mark.parametrize("seats", [2, 5])
def test_dealing_shuffles_each_deck_by_itself(seats: int) -> None:
    """The same source gives the same deal; every deck is whole."""
    deal = shuffled(Rules(), seats, 3, Random(11))
    assert deal == shuffled(Rules(), seats, 3, Random(11))
    assert deal != shuffled(Rules(), seats, 3, Random(12))
    assert deal.round == 3
    for seat, deck in enumerate(deal.decks):
        assert sorted(deck) == sorted(deck_of(seat, Rules().deck))
        assert deck[0][0] == DECK_LETTERS[seat]
    faces = {tuple(card[1:] for card in deck) for deck in deal.decks}
    assert len(faces) == seats


def test_legal_actions_of_a_fresh_round() -> None:
    r = Round("A1a A2a ARa", "", edition="hasbro-2010")
    assert repr(r.legal(0)) == repr(
        [
            Try(0, "A1a", 0),
            Try(0, "A1a", 1),
            Try(0, "ARa", 0, 1),
            Try(0, "ARa", 1, 1),
            DiscardOne(0, "A1a"),
            DiscardOne(0, "A2a"),
            DiscardOne(0, "ARa"),
        ]
    )


def test_legal_actions_with_two_in_hand() -> None:
    """Where three are needed, only drawing is left."""
    r = Round("A1a A2a A3a", "", edition="gamerules").happen(Play(BASE, 0, "A1a", 0))
    assert repr(r.legal(0)) == repr([DrawOne(0)])
    r = Round("A1a A2a A3a", "").happen(Play(BASE, 0, "A1a", 0))
    assert repr(r.legal(0)) == repr([DrawOne(0), Try(0, "A2a", 0)])


def test_legal_actions_of_a_seat_that_may_shout() -> None:
    r = Round("A1a A2a A3a", "", deck=[1, 1, 1, 0, 0, 0])
    assert r.legal(0)[-1] == Shout(0)


def test_every_legal_action_is_true_as_an_event() -> None:
    """What `legal_actions` offers, `verify` accepts, once the hand is free."""
    r = Round("ARa A3b A4b", "B2b B1c B1d", middle=["A1a A2a", "B1a B2a"], edition="hasbro-2010")
    for seat in (0, 1):
        for action in r.legal(seat):
            if isinstance(action, Try):
                assert r.allows(r.play(BASE, action.card, action.stack, action.number))
            elif isinstance(action, DiscardOne):
                assert r.allows(Discard(BASE, seat, action.card))
            else:
                assert r.allows(r.draw(BASE, seat))


def test_what_remains_counts_piles_but_not_hands() -> None:
    r = Round("A1a A2a A3a", "")
    assert raw_scores(r.table) == (-32, -32)
    apply(r.table, Discard(BASE, 0, "A1a"))
    assert raw_scores(r.table) == (-33, -32)


def test_an_abandoned_match_is_decided_without_a_winner() -> None:
    last = End(0, "abandoned", (0, 0), (50, 60))
    assert decided(Rules(), 1, last)
    assert winners(last) == ()


def test_nothing_but_out_and_end_is_demanded() -> None:
    r = Round("A1a A2a A3a", "")
    assert law.demanded(r.table) is None
    r.happen(Play(BASE, 0, "A1a", 0))
    assert law.demanded(r.table) is None
