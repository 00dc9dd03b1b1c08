"""The rules that all editions share, line by line: seats, places, cards, what may lie on what."""

import pytest

from games.engine.actions import DiscardOne, DrawOne, Try
from games.engine.cards import FACE, STYLES, WILD, deck_of, style
from games.engine.editions import EDITIONS, Rules
from games.engine.events import Discard, Draw, Play
from games.engine.table import HAND
from tests.engine.rounds import BASE, Round

ALL = pytest.mark.parametrize("edition", EDITIONS)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_two_to_five_players_each_with_a_deck(seats: int) -> None:
    """ "2 to 5 players. Each owns one colour deck"."""
    table = Round(*[""] * seats).table
    for seat in range(seats):
        cards = table.hands[seat] + table.draw_piles[seat]
        assert {card[0] for card in cards} == {"ABCDE"[seat]}
        assert len(cards) == 35


def test_nobody_takes_turns() -> None:
    """ "Nobody takes turns": a seat may act again and again, in any order."""
    r = Round("A1a A2a A3a", "B1a B2a B3a")
    r.happen(r.play(BASE, "A1a", 0), r.play(BASE + 120, "A2a", 0), r.play(BASE + 240, "A3a", 0))
    r.happen(r.play(BASE + 240, "B1a", 1))
    assert r.table.tops == [3, 1]


def test_four_places_for_a_seats_cards() -> None:
    """ "hand (at most 3), draw pile, discard pile, score pile"."""
    r = Round("A5a A2a A2b", "", middle=["A1a A2c A3a A4a"])
    r.happen(r.play(BASE, "A5a", 0), r.draw(BASE + 200, 0), Discard(BASE + 400, 0, "A2a"))
    table = r.table
    assert table.hands[0] == ["A2b", "A1b"]
    assert table.discard_piles[0] == ["A2a"]
    assert table.score_piles[0] == ["A1a", "A2c", "A3a", "A4a", "A5a"]
    assert len(table.draw_piles[0]) == 35 - 3 - 5


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_at_most_as_many_stacks_as_players(seats: int) -> None:
    """ "center stacks: at most as many as there are players"; slots are numbered from 0."""
    r = Round("A1a A1b A1c", *[""] * (seats - 1))
    r.allows(r.play(BASE, "A1a", seats - 1))
    assert "stack must be 0" in r.fault(Play(BASE, 0, "A1a", seats))
    assert "stack must be 0" in r.fault(Play(BASE, 0, "A1a", -1))
    assert r.referee().refusal(BASE, Try(0, "A1a", seats)).rule == "no-such-slot"


def test_a_slot_is_free_again_once_its_stack_is_taken() -> None:
    """ "A slot is free until someone starts a stack in it, and free again once it is taken"."""
    r = Round("A5a A1b A2b", "", middle=["A1a A2a A3a A4a"])
    assert "does not fit" in r.fault(Play(BASE, 0, "A1b", 0))
    r.happen(r.play(BASE, "A5a", 0))
    assert r.table.stacks[0] == []
    r.happen(r.play(BASE + 120, "A1b", 0))
    assert r.table.tops[0] == 1


def test_cards_show_1_to_5_in_five_styles_or_are_wild() -> None:
    """ "Cards show 1 to 5 in five styles …; style and colour never matter"."""
    deck = deck_of(0, Rules().deck)
    assert {FACE[card] for card in deck} == {1, 2, 3, 4, 5, WILD}
    assert [style(card) for card in deck if card[1] == "1"] == [*STYLES, "number", "roman"]
    assert [style(card) for card in deck if card[1] == "R"] == [None, None]


def test_style_and_colour_never_matter() -> None:
    """A 2 of any style of any deck goes on a 1 of any style of any deck."""
    r = Round("A2a A2b A2c", "B2d B2e B2f", middle=["A1c"])
    assert {card for card, *_ in r.tries(0)} == {"A2a", "A2b", "A2c"}
    assert {card for card, *_ in r.tries(1)} == {"B2d", "B2e", "B2f"}


@ALL
def test_a_round_starts_with_three_cards_each(edition: str) -> None:
    """ "A round starts with three cards drawn by each seat"."""
    table = Round("", "", edition=edition).table
    assert [len(hand) for hand in table.hands] == [HAND, HAND]
    assert table.events == 0
    assert table.t == 0


@ALL
def test_starting_takes_a_1(edition: str) -> None:
    """ "Starting: a 1 on a free slot"; nothing else but, in some editions, a wild."""
    r = Round("A1a A2a A3a", "B4a B5a B1a", edition=edition)
    assert r.tries(0) == {("A1a", 0, None), ("A1a", 1, None)}
    assert r.tries(1) == {("B1a", 0, None), ("B1a", 1, None)}
    for card in ("A2a", "A3a", "B4a", "B5a"):
        assert "does not fit the free slot" in r.fault(r.play(BASE, card, 0))


def test_a_player_may_start_more_than_one_stack() -> None:
    """ "A player may start more than one stack, and nobody has to"."""
    r = Round("A1a A1b A2a", "")
    r.happen(r.play(BASE, "A1a", 0), r.play(BASE + 120, "A1b", 1))
    assert r.table.tops == [1, 1]
    quiet = Round("A1a A1b A2a", "")
    quiet.happen(Discard(BASE, 0, "A2a"))


@pytest.mark.parametrize("top", [1, 2, 3, 4])
@ALL
def test_a_number_goes_one_higher_or_one_lower(edition: str, top: int) -> None:
    """ "A number goes on a stack whose top is exactly one higher or one lower"."""
    stack = " ".join(f"A{number}a" for number in range(1, top + 1))
    for face in range(1, 6):
        r = Round(f"A{face}e A1d A1e", "", middle=[stack], edition=edition)
        event = r.play(BASE, f"A{face}e", 0)
        if abs(face - top) == 1:
            assert r.allows(event)
        else:
            assert f"whose top is {top}" in r.fault(event)


@ALL
def test_the_same_number_never_goes_on_itself(edition: str) -> None:
    """ "The same number never goes on itself"."""
    r = Round("A2b A2c A2d", "", middle=["A1a A2a"], edition=edition)
    assert "does not fit" in r.fault(Play(BASE, 0, "A2b", 0))


@ALL
def test_a_5_on_a_4_takes_the_stack(edition: str) -> None:
    """ "A 5 goes on a 4 and takes the stack: all its cards … its slot is free"."""
    r = Round("A5a A1b A1c", "", middle=["A1a A2a A3a A4a"], edition=edition)
    r.happen(r.play(BASE, "A5a", 0))
    assert r.table.score_piles[0] == ["A1a", "A2a", "A3a", "A4a", "A5a"]
    assert r.table.tops == [0, 0]


def test_a_take_may_be_of_anybodys_cards() -> None:
    """ "all its cards … go to that player's score pile", whoever laid them."""
    r = Round("A2b A1b A1c", "B5a B1b B1c", middle=["A1a B2a A3a B4a"])
    r.happen(r.play(BASE, "B5a", 0))
    assert r.table.score_piles == [[], ["A1a", "B2a", "A3a", "B4a", "B5a"]]


@pytest.mark.parametrize("said", [None, 4, 6])
def test_takes_says_how_many_cards(said: int | None) -> None:
    """A play that takes says how many, itself included; any other says nothing."""
    r = Round("A5a A1b A2b", "", middle=["A1a A2a A3a A4a"])
    assert "takes: expected 5" in r.fault(Play(BASE, 0, "A5a", 0, None, said))
    assert "takes: expected none" in r.fault(Play(BASE, 0, "A1b", 1, None, 1))


@ALL
def test_a_5_is_never_a_top_and_a_4_goes_on_a_3_only(edition: str) -> None:
    """ "So a 5 is never the top of a stack, and a 4 goes on a 3 only"."""
    for top in range(1, 5):
        stack = " ".join(f"A{number}a" for number in range(1, top + 1))
        r = Round("A4c A5c A1d", "", middle=[stack], edition=edition)
        assert (("A4c", 0, None) in r.tries(0)) is (top == 3)
        assert (("A5c", 0, None) in r.tries(0)) is (top == 4)


@pytest.mark.parametrize("top", [1, 2, 3, 4])
@ALL
def test_a_wild_takes_any_stack(edition: str, top: int) -> None:
    """ "A wild takes any stack, whatever its top"."""
    stack = " ".join(f"A{number}a" for number in range(1, top + 1))
    r = Round("ARa A1d A1e", "", middle=[stack], edition=edition)
    assert ("ARa", 0, None) in r.tries(0)
    r.happen(r.play(BASE, "ARa", 0))
    assert len(r.table.score_piles[0]) == top + 1
    assert r.table.tops[0] == 0


@ALL
def test_discarding_is_of_one_hand_card_at_a_time(edition: str) -> None:
    """ "a player may put one hand card face down on the own discard pile at a time"."""
    r = Round("A2a A3a A4a", "", edition=edition)
    assert r.discards(0) == {"A2a", "A3a", "A4a"}
    assert "not in hand" in r.fault(Discard(BASE, 0, "A5a"))
    assert "not in hand" in r.fault(Discard(BASE, 1, "A2a"))
    assert r.referee().refusal(BASE, DiscardOne(0, "A5a")).rule == "not-in-hand"
    r.happen(Discard(BASE, 0, "A3a"))
    assert r.table.hands[0] == ["A2a", "A4a"]
    assert r.table.discard_piles[0] == ["A3a"]


@ALL
def test_drawing_is_never_above_three(edition: str) -> None:
    """ "Drawing: one card at a time, never above three in hand"."""
    r = Round("A2a A3a A4a", "", edition=edition)
    assert not r.may_draw(0)
    assert "hand full" in r.fault(r.draw(BASE, 0))
    assert r.referee().refusal(BASE, DrawOne(0)).rule == "hand-full"
    r.happen(Discard(BASE, 0, "A3a"))
    assert r.may_draw(0)


def test_drawing_is_of_the_top_card() -> None:
    """The draw pile's top card is drawn, and no other."""
    r = Round("A2a A3a A4a", "").happen(Discard(BASE, 0, "A3a"))
    assert "expected A1a, found A1b" in r.fault(Draw(BASE + 120, 0, "A1b"))
    r.happen(Draw(BASE + 120, 0, "A1a"))
    assert r.table.hands[0] == ["A2a", "A4a", "A1a"]


def test_the_discard_pile_becomes_the_draw_pile_at_once() -> None:
    """ "When the draw pile has run out, the discard pile becomes the draw pile at once, as it
    lies (the last card discarded is the first drawn; no shuffle)"."""
    r = Round("A1a A1b A2a", "", deck=[2, 2, 1, 0, 0, 0])
    assert r.table.draw_piles[0] == ["A3a", "A2b"]
    r.happen(Discard(BASE, 0, "A1a"), r.draw(BASE + 200, 0), Discard(BASE + 400, 0, "A1b"))
    assert r.table.discard_piles[0] == ["A1a", "A1b"]
    r.happen(r.draw(BASE + 600, 0))
    assert r.table.draw_piles[0] == ["A1a", "A1b"]
    assert r.table.discard_piles[0] == []
    r.happen(Discard(BASE + 800, 0, "A2a"), Draw(BASE + 1_000, 0, "A1b"))


def test_a_discard_beside_an_empty_draw_pile_is_the_draw_pile() -> None:
    """ "So a draw pile is empty only while its discard pile is empty too"."""
    r = Round("A1a A2a A3a", "", deck=[1, 1, 1, 0, 0, 0])
    assert not r.table.draw_piles[0]
    r.happen(Discard(BASE, 0, "A2a"))
    assert r.table.draw_piles[0] == ["A2a"]
    assert r.table.discard_piles[0] == []
    r.happen(Draw(BASE + 200, 0, "A2a"))


def test_there_is_nothing_to_draw_when_both_piles_are_empty() -> None:
    """No card in the draw pile: a draw is refused."""
    r = Round("A1a A2a A3a", "", deck=[1, 1, 1, 0, 0, 0])
    r.happen(r.play(BASE, "A1a", 0))
    assert not r.may_draw(0)
    assert "no card to draw" in r.fault(Draw(BASE + 200, 0, "A1a"))
    assert r.referee().refusal(BASE + 200, DrawOne(0)).rule == "no-card-to-draw"
