"""Perspective: what a viewer may see, and that nothing else follows from it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import DECK_LETTERS
from games.engine.dealing import shuffled
from games.engine.editions import Rules
from games.engine.events import Deal, Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.perspective import SPECTATOR, Viewer, see, see_deal
from games.engine.table import HAND, Table, apply
from tests.engine import unruly
from tests.engine.rounds import BASE

SEEDS = st.integers(0, 2**32)


def test_a_spectator_sees_no_card_of_a_deal() -> None:
    deal = shuffled(Rules(), 3, 2, Random(5))
    seen = see_deal(deal, SPECTATOR)
    assert seen.round == 2
    assert [set(deck) for deck in seen.decks] == [{"A?"}, {"B?"}, {"C?"}]
    assert [len(deck) for deck in seen.decks] == [35, 35, 35]


def test_a_seat_sees_its_first_hand_and_no_more() -> None:
    """The order of a draw pile is hidden from its owner too."""
    deal = shuffled(Rules(), 2, 1, Random(5))
    seen = see_deal(deal, 1)
    assert seen.decks[1][:HAND] == deal.decks[1][:HAND]
    assert set(seen.decks[1][HAND:]) == {"B?"}
    assert set(seen.decks[0]) == {"A?"}


@pytest.mark.parametrize(
    ("event", "others"),
    [
        (Draw(BASE, 0, "A1a"), Draw(BASE, 0, "A?")),
        (Discard(BASE, 0, "A1a"), Discard(BASE, 0, "A?")),
        (Late(BASE, 0, "ARa", 1, 3, 9), Late(BASE, 0, "A?", 1, None, 9)),
        (Miss(BASE, 0, "ARa", 1, 3, 9), Miss(BASE, 0, "A?", 1, None, 9)),
    ],
)
@pytest.mark.parametrize("viewer", [SPECTATOR, 1, 4])
def test_what_is_hidden_from_others(event: Event, others: Event, viewer: Viewer) -> None:
    """Drawn and discarded cards, and cards that went back into the hand."""
    assert repr(see(event, viewer)) == repr(others)
    assert repr(see(event, 0)) == repr(event)


@pytest.mark.parametrize(
    "event",
    [
        Play(BASE, 0, "A1a", 1, None, None, 4),
        Tie(BASE, 1, ("A1a", "B1a"), (0, 3), (1, 2)),
        Out(BASE, 0),
        End(BASE, "out", (1, 2), (3, 4)),
    ],
)
@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1])
def test_what_everybody_sees(event: Event, viewer: Viewer) -> None:
    """What is laid on the table, and what is said."""
    assert see(event, viewer) is event


@given(SEEDS)
def test_a_view_folds_into_the_table_with_cards_hidden(seed: int) -> None:
    """The same stacks, score piles and counts; of the cards only what may be known."""
    rng = Random(seed)
    played = unruly.play_unruly(rng, unruly.random_setting(rng), 150)
    viewer = rng.choice([SPECTATOR, *range(played.setting.seats)])
    truth = played.setting.table()
    view = played.setting.table()
    view.deal(see_deal(played.setting.deal, viewer))
    known = set(played.setting.deal.decks[viewer][:HAND]) if viewer is not None else set()
    for event in played.events:
        apply(truth, event)
        apply(view, see(event, viewer))
        known |= shown_by(event, viewer)
        assert_same_outside(view, truth)
        held = {card for place in all_places(view) for pile in place for card in pile}
        assert {card for card in held if card[1] != "?"} <= known
        if viewer is not None:
            assert view.hands[viewer] == truth.hands[viewer]


def shown_by(event: Event, viewer: Viewer) -> set[str]:
    """The cards that an event shows to a viewer, said once more in other words."""
    if isinstance(event, Tie):
        return set(event.cards)
    if isinstance(event, Play) or (isinstance(event, Draw) and event.seat == viewer):
        return {event.card}
    return set()


def all_places(table: Table) -> tuple[list[list[str]], ...]:
    return table.hands, table.draw_piles, table.discard_piles, table.score_piles, table.stacks


def assert_same_outside(view: Table, truth: Table) -> None:
    """What lies open is the same, of what is hidden the count and the deck."""
    assert (view.stacks, view.tops, view.score_piles) == (
        truth.stacks,
        truth.tops,
        truth.score_piles,
    )
    for mine, real in zip(all_places(view), all_places(truth), strict=True):
        assert [[c[0] for c in pile] for pile in mine] == [[c[0] for c in pile] for pile in real]
    assert (view.events, view.t, view.ended, view.totals) == (
        truth.events,
        truth.t,
        truth.ended,
        truth.totals,
    )


@given(SEEDS)
def test_two_deals_that_differ_in_hidden_cards_look_the_same(seed: int) -> None:
    """Cards that a viewer has not been shown are exchanged within each deck: the deal and
    every event are the same to that viewer, to the byte."""
    rng = Random(seed)
    played = unruly.play_unruly(rng, unruly.random_setting(rng), 150)
    deal, viewer = played.setting.deal, rng.choice([SPECTATOR, *range(played.setting.seats)])
    known = set(deal.decks[viewer][:HAND]) if viewer is not None else set()
    for event in played.events:
        known |= shown_by(event, viewer)
    swap = exchanged(rng, deal, known)
    other = Deal(deal.round, tuple(tuple(swap[card] for card in deck) for deck in deal.decks))
    assert repr(see_deal(deal, viewer)) == repr(see_deal(other, viewer))
    for event in played.events:
        assert repr(see(event, viewer)) == repr(see(with_cards(event, swap), viewer))


def exchanged(rng: Random, deal: Deal, known: set[str]) -> dict[str, str]:
    """For each card another of its deck, itself where it is known."""
    swap = {card: card for card in known}
    for deck in deal.decks:
        hidden = [card for card in deck if card not in known]
        swap |= dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    assert all(DECK_LETTERS.index(a[0]) == DECK_LETTERS.index(b[0]) for a, b in swap.items())
    return swap


def with_cards(event: Event, swap: dict[str, str]) -> Event:
    if isinstance(event, Tie):
        return event._replace(cards=tuple(swap[card] for card in event.cards))
    if isinstance(event, Out | End):
        return event
    return event._replace(card=swap[event.card])
