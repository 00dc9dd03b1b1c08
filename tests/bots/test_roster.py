"""How a seat is written, what its bot is called, and what an onlooker would know it by."""

import pytest

from games.bots.roster import (
    APART,
    BOTS,
    TEMPERS,
    BotSpec,
    RosterError,
    bot_spec,
    bots_of,
    bots_tag,
    mixed,
    names,
    persona_named,
)
from games.engine.actions import Shout
from games.engine.editions import EDITIONS
from games.records.log import Header, Seat
from tests.bots.tables import Look


def test_a_seat_is_a_temper_a_level_and_maybe_a_beginner():
    assert bot_spec("taker") == BotSpec("taker", 3, beginner=False)
    assert bot_spec("taker", 5) == BotSpec("taker", 5)
    assert bot_spec(" runner:2 ") == BotSpec("runner", 2)
    assert bot_spec("first-fit:1:beginner") == BotSpec("first-fit", 1, beginner=True)


@pytest.mark.parametrize("temper", TEMPERS)
def test_what_is_written_is_read_again(temper):
    for spec in (BotSpec(temper), BotSpec(temper, 5), BotSpec(temper, 1, beginner=True)):
        assert bot_spec(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "unknown bot ''"),
        ("greedy", "unknown bot 'greedy', expected one of taker, builder"),
        ("taker:6", "level must be a whole number from 1 to 5, found '6'"),
        ("taker:x", "level must be a whole number from 1 to 5, found 'x'"),
        ("taker:", "level must be a whole number from 1 to 5, found ''"),
        ("taker:3:begin", "expected temper:level or temper:level:beginner"),
        ("taker:3:beginner:4", "expected temper:level or temper:level:beginner"),
    ],
)
def test_what_no_bot_can_be_is_said(text, words):
    with pytest.raises(RosterError) as error:
        bot_spec(text)
    assert words in str(error.value)


def test_names_are_numbered_where_tempers_meet():
    table = [BotSpec("taker"), BotSpec("builder"), BotSpec("taker", 5)]
    assert names(table) == ("Ragna", "Bertil", "Ragna 2")


def test_a_bot_is_known_by_its_name_and_by_its_temper():
    for bot in TEMPERS.values():
        assert persona_named(bot.persona.name) is persona_named(f"{bot.temper} 2") is bot.persona
        assert all(bot.persona)
    assert len({bot.persona.name for bot in TEMPERS.values()}) == len(TEMPERS)
    assert persona_named(f"Ragna 2{APART}") is TEMPERS["taker"].persona
    assert persona_named("Rag") is persona_named("") is None
    assert persona_named("Ragna Holm") is persona_named("taker 2nd") is None


def test_a_mixed_table_has_a_temper_for_each_seat():
    for players in range(2, 6):
        assert len({spec.temper for spec in mixed(players, 4)}) == players


def header(kinds, **tags):
    seats = tuple(Seat(f"player {n}", kind) for n, kind in enumerate(kinds))
    edition = "gamerules"
    return Header("m", edition, EDITIONS[edition], seats, tags=tuple(tags.items()))


def test_a_header_names_the_bots_seat_by_seat():
    specs = [BotSpec("taker", 5), None, BotSpec("runner", 1, beginner=True)]
    assert bots_of(header(["bot", "human", "bot"], **{BOTS: bots_tag(specs)})) == specs


@pytest.mark.parametrize(
    "tag", ["", "taker:5", "taker:5,taker:9", ",,", "x" * 9_000, "taker,greedy:1,"]
)
def test_what_a_header_says_of_unknown_bots_is_passed_over(tag):
    assert bots_of(header(["bot", "bot"], **{BOTS: tag}))[1] is None


def test_a_person_is_no_bot_whatever_the_header_says():
    assert bots_of(header(["human", "bot"], bots="taker:5,taker:5")) == [None, BotSpec("taker", 5)]
    assert bots_of(header(["bot", "bot"])) == [None, None]


# What an onlooker would recognise each temper by.


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
