"""How a seat is written, and what its bot is called."""

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
from games.engine.editions import EDITIONS
from games.records.log import Header, Seat


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
