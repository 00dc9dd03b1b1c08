"""How a seat is written, and what its bot is called."""

import pytest

from games.bots.roster import TEMPERS, RosterError, Sitter, mixed, names, sitter


def test_a_seat_is_a_temper_a_level_and_maybe_a_beginner():
    assert sitter("taker") == Sitter("taker", 3, beginner=False)
    assert sitter("taker", 5) == Sitter("taker", 5)
    assert sitter(" runner:2 ") == Sitter("runner", 2)
    assert sitter("first-fit:1:beginner") == Sitter("first-fit", 1, beginner=True)


@pytest.mark.parametrize("temper", TEMPERS)
def test_what_is_written_is_read_again(temper):
    for one in (Sitter(temper), Sitter(temper, 5), Sitter(temper, 1, beginner=True)):
        assert sitter(str(one)) == one


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
        sitter(text)
    assert words in str(error.value)


def test_names_are_numbered_where_tempers_meet():
    table = [Sitter("taker"), Sitter("builder"), Sitter("taker", 5)]
    assert names(table) == ("taker 1", "builder", "taker 2")


def test_a_mixed_table_has_a_temper_for_each_seat():
    for players in range(2, 6):
        assert len({one.temper for one in mixed(players, 4)}) == players
