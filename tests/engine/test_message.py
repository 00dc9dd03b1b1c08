"""Messages: whole sentences whose values are plain JSON until they are read."""

import json
import pickle
from pathlib import Path

import pytest

from games.engine.message import (
    ENGLISH,
    Message,
    Value,
    WordedError,
    card,
    clock,
    decimal,
    lasting,
    message_of,
    plural,
    render,
    seat,
    seats,
    share,
    signed,
    spoken,
    when,
)

NAMES = ["Ada", "{Ben}", "Cleo"]
TOOK = plural("{who} took {count} card.", "{who} took {count} cards.")


def test_a_message_is_put_into_words_with_the_names_that_the_reader_sees() -> None:
    message = Message("{first} fed {second}.", first=seat(0), second=seat(1))
    assert render(message, NAMES) == "Ada fed {Ben}."
    assert render(message, ["●", "▲"]) == "● fed ▲."


@pytest.mark.parametrize(("count", "said"), [(1, "Ada took 1 card."), (2, "Ada took 2 cards.")])
def test_the_count_picks_the_form(count: int, said: str) -> None:
    assert render(TOOK.filled({"count": count, "who": seat(0)}), NAMES) == said


def test_a_language_has_its_own_forms_numbers_and_order() -> None:
    german = ENGLISH._replace(
        gettext=lambda text: {"{number}%": "{number} %", "a wild": "einen Joker"}.get(text, text),
        ngettext=lambda _one, _many, count: "{count} Karten nahm {who}." if count else "",
        formatted=lambda value, form: ENGLISH.formatted(value, form).replace(".", ","),
    )
    assert render(TOOK.filled({"count": 2, "who": seat(0)}), NAMES, german) == "2 Karten nahm Ada."
    values = {"part": share(0.41), "card": card("ARa"), "ms": lasting(1200)}
    message = Message("{part}, {card}, {ms}", **values)
    assert render(message, NAMES, german) == "41 %, einen Joker, 1,2 s"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("text", "text"),
        (-3, "−3"),
        (seats([0]), "Ada"),
        (seats([0, 1]), "Ada and {Ben}"),
        (seats([0, 1, 2]), "Ada, {Ben} and Cleo"),
        (card("A5a"), "a 5"),
        (card("BRb"), "a wild"),
        (lasting(99), "99 ms"),
        (lasting(100), "0.1 s"),
        (share(0.004), "under 1%"),
        (share(0.996), "over 99%"),
        (share(0), "0%"),
        (share(1), "100%"),
        (decimal(-1.25), "−1.2"),
        (decimal(-0.01), "0.0"),
        (signed(3), "+3"),
        (signed(-3), "−3"),
        (signed(0), "0"),
        (when(None, 65_400), "at 1:05.4"),
        (when(3), "in round 3"),
        (when(3, 65_400), "in round 3 at 1:05.4"),
    ],
)
def test_values_are_plain_json_until_they_are_put_into_words(value: Value, said: str) -> None:
    stored = json.loads(json.dumps(value))
    assert spoken(stored, NAMES) == said


TIMES = json.loads((Path(__file__).parents[1] / "times.json").read_text())


@pytest.mark.parametrize(("ms", "said"), TIMES)
def test_a_time_is_what_the_browser_shows(ms: float, said: str) -> None:
    assert clock(ms) == said


def test_a_message_can_be_the_value_of_another() -> None:
    inner = Message("round {round}", round=2)
    assert str(Message("not read: {fault}", fault=inner)) == "not read: round 2"


def test_a_text_says_how_its_numbers_are_formatted() -> None:
    values = {"count": 12_345, "seconds": 2.5, "code": 0x200B}
    message = Message("{count:,} after {seconds:g} s: U+{code:04X}", **values)
    assert str(message) == "12,345 after 2.5 s: U+200B"
    assert str(Message("seed {seed}", seed=12345678901234567890)) == "seed 12345678901234567890"
    assert str(Message("{found!r}, {found}, {cards}", found=-3, cards=["A1a"])) == "-3, −3, ['A1a']"


def test_what_a_library_says_is_left_as_it_is() -> None:
    assert str(message_of(ValueError("found {name}"))) == "found {name}"
    assert str(message_of(ValueError())) == ""
    error = WordedError("round {round} has ended", round=3)
    assert (message_of(error), str(error)) == (error.said, "round 3 has ended")


@pytest.mark.parametrize(
    "message",
    [
        Message("the round is over"),
        Message("not read: {fault}, {part}", fault=Message("round {round}", round=2), part="a"),
        TOOK.filled({"count": 2, "who": "Ada"}),
    ],
)
def test_a_message_is_stored_with_its_values(message: Message) -> None:
    restored = Message.stored(json.loads(json.dumps(message.plain())))
    assert restored == message == pickle.loads(pickle.dumps(message))
    assert (str(restored), len({restored, message})) == (str(message), 1)
