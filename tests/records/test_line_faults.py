"""Lines that are refused for themselves, with what was expected and what was found."""

import json
from typing import Any

import pytest

from games.records.log import Header, Line, RecordFault, Seat
from games.records.notation import parse_line

HEADER: dict[str, Any] = {
    "ratuki": 1,
    "id": "m1",
    "edition": "usaopoly-2009",
    "seats": [{"name": "Ada", "kind": "human"}, {"name": "Bo", "kind": "bot"}],
}
LONG = "x" * 65
PLAY: dict[str, Any] = {"t": 812, "seat": 0, "do": "play", "card": "A1c", "stack": 1}


def read(value: Any, number: int = 2) -> Line:
    return parse_line(json.dumps(value).encode(), number)


def complaint(value: Any, number: int = 2) -> str:
    with pytest.raises(RecordFault) as caught:
        read(value, number)
    assert caught.value.line == number
    return caught.value.message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"t": True}, "t: expected a whole number 0 to 86400000, found true"),
        ({"t": -1}, "t: expected a whole number"),
        ({"t": 86_400_001}, "t: expected a whole number"),
        ({"t": "5"}, 't: expected a whole number 0 to 86400000, found "5"'),
        ({"t": None}, "t: expected a whole number"),
        ({"seat": 5}, "seat: expected a whole number 0 to 4, found 5"),
        ({"seat": True}, "seat: expected"),
        ({"do": "pass"}, 'unknown event: expected do play, draw, .* found "pass"'),
        ({"do": 1}, "unknown event"),
        ({"do": ["play"]}, "unknown event"),
        ({"card": "A6a"}, 'card: expected a card such as A1c, found "A6a"'),
        ({"card": "F1a"}, "card: expected"),
        ({"card": "A?"}, "card: expected"),
        ({"card": ["A1a"]}, "card: expected"),
        ({"stack": -1}, "stack: expected"),
        ({"as": 0}, "as: expected a whole number 1 to 4, found 0"),
        ({"as": 5}, "as: expected"),
        ({"as": None}, "as must not be null"),
        ({"takes": 0}, "takes: expected"),
        ({"takes": False}, "takes: expected"),
        ({"seen": -1}, "seen: expected"),
        ({"seen": None}, "seen must not be null"),
        ({"colour": "red"}, 'unknown key "colour"'),
        ({"note": {}}, 'unknown key "note"'),
    ],
)
def test_a_play_that_is_not_as_it_must_be(change: dict[str, Any], words: str) -> None:
    with pytest.raises(RecordFault, match=words):
        read(PLAY | change)


@pytest.mark.parametrize("key", PLAY)
def test_a_play_needs_all_its_keys(key: str) -> None:
    rest = {name: value for name, value in PLAY.items() if name != key}
    assert f"missing key '{key}'" in complaint(rest)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"t": 1, "seat": 0, "do": "draw", "card": "A1a", "seen": 1}, 'unknown key "seen"'),
        ({"t": 1, "seat": 0, "do": "discard", "card": "A1a", "stack": 1}, 'unknown key "stack"'),
        ({"t": 1, "seat": 0, "do": "late", "card": "A1a", "stack": 1}, "missing key 'seen'"),
        ({"t": 1, "seat": 0, "do": "miss", "card": "A1a", "seen": 1}, "missing key 'stack'"),
        ({"t": 1, "seat": 0, "do": "out", "card": "A1a"}, 'unknown key "card"'),
        ({"t": 1, "do": "tie", "stack": 0, "cards": "A1a B1a", "after": [0, 1]}, "expected a list"),
        ({"t": 1, "do": "tie", "stack": 0, "cards": ["A1a", 1], "after": [0, 1]}, "a card such as"),
        ({"t": 1, "do": "tie", "stack": 0, "cards": [], "after": [0, True]}, "after: expected"),
        ({"t": 1, "do": "tie", "stack": 0, "cards": [], "after": [], "seen": 1}, "seen: expected"),
        ({"t": 1, "do": "end", "reason": "tired", "scores": [], "totals": []}, "reason: expected"),
        ({"t": 1, "do": "end", "reason": "out", "scores": [1.5], "totals": []}, "whole number"),
        ({"t": 1, "do": "end", "reason": "out", "scores": []}, "missing key 'totals'"),
        ({"round": 0, "decks": []}, "round: expected a whole number 1 to 602601, found 0"),
        ({"round": 1, "decks": ["A1a  A1b"]}, "decks: expected cards"),
        ({"round": 1, "decks": [" A1a"]}, "decks: expected cards"),
        ({"round": 1, "decks": [["A1a"]]}, "decks: expected a string"),
        ({"round": 1}, "missing key 'decks'"),
        ({"result": [5], "totals": []}, "result: expected"),
        ({"result": 1, "totals": []}, "result: expected a list"),
        ({"result": []}, "missing key 'totals'"),
        ({"ratuki": 1}, "header"),
        ({}, "expected a round, an event, a result, a note or a variation"),
        ([], "expected an object"),
        ("play", "expected an object"),
        (None, "expected an object"),
    ],
)
def test_other_lines_that_are_not_as_they_must_be(value: Any, words: str) -> None:
    assert words in complaint(value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"event": None}, "event: expected a whole number"),
        ({"round": 0}, "round: expected"),
        ({"by": ""}, "by: expected a name"),
        ({"by": "a\u202eb"}, "U+202E"),
        ({"glyph": "!!!"}, "glyph: expected one of"),
        ({"text": "x" * 4001}, "at most 4000 characters, found 4001"),
        ({"text": 1}, "text: expected a string"),
        ({"marks": ["stack:x"]}, "marks: expected"),
        ({"marks": ["card:A6a"]}, "marks: expected"),
        ({"marks": ["slot:1"]}, "marks: expected"),
        ({"marks": "seat:0"}, "marks: expected a list"),
        ({"moves": []}, 'unknown key "moves"'),
        ({"id": ""}, "id: expected 1 to 64"),
        ({"id": LONG}, "id: expected 1 to 64"),
        ({"line": None}, "line must not be null"),
        ({"line": 1}, "line: expected 1 to 64"),
        ({"reply": "a b"}, "reply: expected 1 to 64"),
        ({"until": True}, "until: expected a whole number"),
        ({"until": 0}, "until: expected a whole number"),
        ({"at": "2026-11-20T18:30:60Z"}, "at: expected YYYY-MM-DDTHH:MM:SSZ"),
        ({"at": "2026-02-29T18:30:00Z"}, "at: expected YYYY-MM-DDTHH:MM:SSZ"),
        ({"tags": []}, "tags: expected 1 to 16, found 0"),
        ({"tags": [str(tag) for tag in range(17)]}, "tags: expected 1 to 16, found 17"),
        ({"tags": ["a", "b", "a"]}, "tags: expected different ones"),
        ({"tags": ["x" * 33]}, "tags: expected at most 32 characters, found 33"),
        ({"tags": [" "]}, "tags: expected a tag"),
        ({"tags": ["a\u2066b"]}, "U+2066"),
        ({"tags": [1]}, "tags: expected a string"),
        ({"arrows": []}, "arrows: expected 1 to 16, found 0"),
        ({"arrows": ["seat:0>seat:1"] * 17}, "arrows: expected 1 to 16, found 17"),
        ({"arrows": ["seat:0"]}, "arrows: expected two marks"),
        ({"arrows": ["seat:0>stack:1>seat:1"]}, "arrows: expected two marks"),
        ({"arrows": ["seat:0>card:A6a"]}, "arrows: expected two marks"),
        ({"arrows": ["seat:0 > seat:1"]}, "arrows: expected two marks"),
        ({"arrows": [["seat:0", "seat:1"]]}, "arrows: expected two marks"),
    ],
)
def test_a_note_that_is_not_as_it_must_be(change: dict[str, Any], words: str) -> None:
    assert words in complaint({"note": {"round": 1, "event": 0} | change})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"events": []}, "at least one event"),
        ({"events": [{"round": 1, "decks": []}]}, "missing key 'do'"),
        ({"events": [PLAY | {"card": 7}]}, "card: expected"),
        ({"glyph": "!"}, 'unknown key "glyph"'),
        ({"until": 1}, 'unknown key "until"'),
        ({"marks": ["seat:0"]}, 'unknown key "marks"'),
        ({"arrows": ["seat:0>seat:1"]}, 'unknown key "arrows"'),
        ({"reply": "n"}, 'unknown key "reply"'),
        ({"id": 1}, "id: expected 1 to 64"),
        ({"tags": "plan"}, "tags: expected a list"),
        ({"text": "x" * 4001}, "at most 4000 characters"),
    ],
)
def test_a_variation_that_is_not_as_it_must_be(change: dict[str, Any], words: str) -> None:
    assert words in complaint({"variation": {"round": 1, "event": 0, "events": [PLAY]} | change})


# Headers


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ratuki": 4, "whatever": 1}, "version: expected ratuki 1, 2 or 3, found 4"),
        ({"ratuki": 0}, "version"),
        ({"ratuki": True}, "version"),
        ({"ratuki": "1"}, "version"),
        ({"id": ""}, "id: expected"),
        ({"id": LONG}, "id: expected"),
        ({"id": "a/b"}, "id: expected"),
        ({"id": "a\n"}, "id: expected"),
        ({"id": "é"}, "id: expected"),
        ({"edition": "hasbro"}, "edition: expected one of usaopoly-2009"),
        ({"rules": None}, "rules must not be null"),
        ({"rules": []}, "rules: expected an object"),
        ({"rules": {"wilds": 3}}, "unknown rule 'wilds'"),
        ({"rules": {"target": 99}}, "target must be a whole number from 100 to 1000, found 99"),
        ({"rules": {"target": True}}, "target"),
        ({"rules": {"speedy": 1}}, "speedy must be true or false"),
        ({"rules": {"deck": [1, 1, 0, 0, 0]}}, "deck must be six counts"),
        ({"rules": {"deck": [27, 0, 0, 0, 0, 0]}}, "0 to 26"),
        ({"rules": {"deck": [1, 1, 0, 0, 0, 0]}}, "3 to 60 cards, found 2"),
        ({"rules": {"stall_ms": 600_001}}, "stall_ms"),
        ({"rules": {"one_hand_ms": 49}}, "one_hand_ms must be at least tie_window_ms"),
        ({"rules": {"out": "never"}}, "out must be"),
        ({"seats": []}, "seats: expected 2 to 5, found 0"),
        ({"seats": HEADER["seats"] * 3}, "seats: expected 2 to 5, found 6"),
        ({"seats": {}}, "seats: expected a list"),
        ({"seats": [{"name": "Ada"}, {"name": "Bo"}]}, "missing key 'kind'"),
        ({"started_at": "2026-11-20 18:30:00Z"}, "started_at: expected"),
        ({"started_at": "2026-02-30T18:30:00Z"}, "started_at: expected"),
        ({"started_at": "2026-11-20T24:00:00Z"}, "started_at: expected"),
        ({"started_at": "2026-11-20T18:30:00"}, "started_at: expected"),
        ({"started_at": "２026-11-20T18:30:00Z"}, "started_at: expected"),
        ({"started_at": 0}, "started_at: expected"),
        ({"source": "dreamt"}, "source: expected one of live, simulated, imported"),
        ({"source": None}, "source must not be null"),
        ({"tags": {"event": 1}}, "tag: expected a string"),
        ({"tags": ["a"]}, "tags: expected an object"),
        ({"result": []}, 'unknown key "result"'),
    ],
)
def test_a_header_that_is_not_as_it_must_be(change: dict[str, Any], words: str) -> None:
    assert words in complaint(HEADER | change, 1)


@pytest.mark.parametrize("key", HEADER)
def test_a_header_needs_these_keys(key: str) -> None:
    rest = {name: value for name, value in HEADER.items() if name != key}
    assert f"missing key '{key}'" in complaint(rest, 1)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u3000\u00a0",
        LONG,
        "a\nb",
        "a\x00b",
        "\x7f",
        "a\x85b",
        "\u202eevil",
        "x\u2066",
        "\u200f",
    ],
)
def test_names_that_could_deceive_are_refused(name: str) -> None:
    seats = [{"name": "Bo", "kind": "bot"}, {"name": name, "kind": "human"}]
    assert complaint(HEADER | {"seats": seats}, 1).startswith("seat 1: name: ")


@pytest.mark.parametrize("name", ["Ada", "José", "李", "👩‍🚀", "a b", "x" * 64, "\U0001f600" * 64])
def test_names_of_many_kinds_are_fine(name: str) -> None:
    seats = [{"name": name, "kind": "human"}, {"name": "Bo", "kind": "bot"}]
    header = read(HEADER | {"seats": seats}, 1)
    assert isinstance(header, Header)
    assert header.seats[0] == Seat(name, "human", beginner=False)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"beginner": 1}, "beginner: expected true or false, found 1"),
        ({"beginner": None}, "beginner must not be null"),
        ({"colour": "red"}, 'unknown key "colour"'),
        ({"kind": "dog"}, 'kind: expected one of human, bot, found "dog"'),
    ],
)
def test_a_seat_that_is_not_as_it_must_be(change: dict[str, Any], words: str) -> None:
    seats = [{"name": "Bo", "kind": "bot"}, {"name": "Ada", "kind": "human"} | change]
    assert complaint(HEADER | {"seats": seats}, 1) == f"seat 1: {words}"


def test_a_message_shows_what_was_found_in_ascii_and_not_all_of_it() -> None:
    message = complaint(PLAY | {"card": "\u202e\x1b" * 9_000})
    assert message.isascii() or message.replace("…", "").isascii()
    assert "\x1b" not in message
    assert len(message) < 300
