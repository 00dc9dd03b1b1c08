"""What an onlooker would recognise each temper by."""

import pytest

from games.bots.roster import TEMPERS
from games.engine.actions import Shout
from tests.bots.tables import Look


def test_first_fit_lays_the_first_card_that_fits():
    assert Look("first-fit", "A3a A1a A5a", "B1a B2a", "B1b B2b B3b B4b").wants() == (
        "A3a",
        0,
        None,
    )


def test_taker_prefers_the_highest_take():
    look = Look("taker", "A1a A5a A3a", "B1a B2a B3a B4a", "C1a C2a C3a C2b C3b C4a")
    assert look.wants() == ("A5a", 1, None)


def test_taker_takes_even_one_card_with_a_wild():
    assert Look("taker", "ARa A2a A2b", "B1a").wants() == ("ARa", 0, None)


def test_builder_builds_under_its_own_wild():
    assert Look("builder", "ARa A2a A1a", "B1a").wants() == ("A2a", 0, None)


def test_builder_takes_what_is_high():
    stack = "B1a B2a B3a B2b B3b C2a"
    assert Look("builder", "ARa A2a A1a", stack).wants() == ("ARa", 0, None)


def test_builder_takes_a_low_stack_when_nothing_happens_for_long():
    look = Look("builder", "ARa A4a A4b", "B1a", "C1a", "C1b")
    assert look.wants() is None
    look.bot.view.look(60_000)
    assert look.wants() == ("ARa", 0, None)


def test_starver_lays_no_4_while_others_have_5s():
    assert Look("starver", "A4a A5a A5b", "B1a B2a B3a").wants() is None


def test_starver_lays_its_4_when_the_5s_are_gone():
    look = Look("starver", "A4a A4b A4c", "B1a B2a B3a", deck=[7, 8, 8, 5, 0, 2])
    assert look.wants() == ("A4a", 0, None)


def test_starver_buries_a_4():
    assert Look("starver", "A3a A2a A4a", "B1a B2a B3a B4a").wants() == ("A3a", 0, None)


def test_starver_does_not_starve_for_ever():
    look = Look("starver", "A4a A5a A5b", "B1a B2a B3a")
    look.bot.view.look(60_000)
    assert look.wants() == ("A4a", 0, None)


def test_runner_lays_what_the_next_card_can_follow():
    assert Look("runner", "A4a A3a A2a", "B1a B2a B3a", "B1b B2b").wants() == ("A3a", 1, None)


def test_runner_shouts_though_it_is_behind():
    look = Look("runner", "A4a A4b A4c")
    look.table.draw_piles[0].clear()
    action, again = look.bot.think(5_000)
    assert action == Shout(0)
    assert again > 5_000


def test_others_play_on_while_somebody_is_ahead():
    look = Look("taker", "A4a A4b A4c")
    look.table.draw_piles[0].clear()
    look.table.score_piles[1].extend(["B1a"] * 20)
    assert look.bot.think(5_000)[0] is None
    assert look.bot.think(90_000)[0] == Shout(0)


@pytest.mark.parametrize("temper", TEMPERS)
def test_each_wants_something_when_nothing_has_happened_for_a_minute(temper):
    look = Look(temper, "A4a A4b A4c", "B1a B2a B3a")
    look.bot.view.look(60_000)
    assert look.wants() is not None
