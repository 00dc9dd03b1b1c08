"""Messages: whole sentences whose values are plain JSON until they are read."""

from __future__ import annotations

import json

import pytest

from games.records.message import (
    ENGLISH,
    Message,
    Value,
    card,
    decimal,
    lasting,
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
        gettext=lambda text: {"{number}%": "{number} %"}.get(text, text),
        pgettext=lambda _context, text: {"wild": "Joker"}[text],
        ngettext=lambda _one, _many, count: "{count} Karten nahm {who}." if count else "",
        number=lambda value, digits: ENGLISH.number(value, digits).replace(".", ","),
    )
    assert render(TOOK.filled({"count": 2, "who": seat(0)}), NAMES, german) == "2 Karten nahm Ada."
    values = {"part": share(0.41), "card": card("ARa"), "ms": lasting(1200)}
    message = Message("{part}, {card}, {ms}", **values)
    assert render(message, NAMES, german) == "41 %, Joker, 1,2 s"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("text", "text"),
        (-3, "−3"),
        (seats([0]), "Ada"),
        (seats([0, 1]), "Ada and {Ben}"),
        (seats([0, 1, 2]), "Ada, {Ben} and Cleo"),
        (card("A5a"), "5"),
        (card("BRb"), "wild"),
        (lasting(99), "99 ms"),
        (lasting(100), "0.1 s"),
        (share(0.004), "under 1%"),
        (share(0.996), "over 99%"),
        (share(0.004, 1), "0.4%"),
        (share(0), "0%"),
        (share(1), "100%"),
        (decimal(-1.25), "−1.2"),
        (decimal(-0.01), "0.0"),
        (signed(3), "+3"),
        (signed(-3), "−3"),
        (signed(0), "0"),
        (when(None, 65_400), "at 1:05"),
        (when(3), "in round 3"),
        (when(3, 65_400), "in round 3 at 1:05"),
    ],
)
def test_values_are_plain_json_until_they_are_put_into_words(value: Value, said: str) -> None:
    stored = json.loads(json.dumps(value))
    assert spoken(stored, NAMES) == said


def test_a_message_can_be_the_value_of_another() -> None:
    inner = Message("round {round}", round=2)
    assert str(Message("not read: {fault}", fault=inner)) == "not read: round 2"
