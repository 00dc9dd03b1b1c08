"""A whole record: that its lines follow each other as they must."""

import io
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.editions import house_rules
from games.engine.events import Deal, Draw, End, Play
from games.engine.message import Message
from games.records.check import check
from games.records.log import Line, Note, RecordFault, Result, Seat, Variation
from games.records.notation import parse_line
from tests.records.matches import (
    FAULTS,
    FAULTY,
    MATCHES,
    NAMES,
    VALID,
    checked,
    fault,
    header,
    lines,
    record,
    rows,
    unruly,
)

# Whole files


@pytest.mark.parametrize("path", VALID, ids=NAMES)
def test_a_valid_record_is_valid(path: Path) -> None:
    report = checked(path.read_bytes())
    whole = lines(path)
    assert report.header == whole[0]
    assert report.rounds == sum(isinstance(line, Deal) for line in whole)
    kinds = (Deal, Result, Note, Variation)
    assert report.events == sum(not isinstance(line, kinds) for line in whole) - 1
    assert report.result == next((line for line in whole if isinstance(line, Result)), None)


@pytest.mark.parametrize("entry", FAULTS, ids=[entry["fault"] for entry in FAULTS])
def test_a_faulty_record_is_faulty_in_its_line(entry: dict[str, Any]) -> None:
    line, message = fault((FAULTY / entry["file"]).read_bytes())
    assert line == entry["line"]
    assert message


def test_every_faulty_record_is_listed() -> None:
    assert {entry["file"] for entry in FAULTS} == {path.name for path in FAULTY.glob("*.ratuki")}


@pytest.mark.parametrize("path", VALID, ids=NAMES)
def test_every_prefix_of_a_record_is_valid(path: Path) -> None:
    data = path.read_bytes()
    whole = rows(path)
    step = 1 + len(whole) // 10
    for count in [1, 2, 3, *range(4, len(whole), step), len(whole) - 1]:
        cut = b"".join(row + b"\n" for row in whole[:count])
        assert data.startswith(cut)
        report = checked(cut)
        if count < len(whole):
            assert report.result is None or report.result == checked(data).result


@given(st.integers(0, 2**32))
def test_what_the_referee_settles_is_a_record(seed: int) -> None:
    some = unruly(seed)
    data = record(*some)
    report = checked(data)
    assert record(*_accepted(data)) == data
    assert report.events == sum(not isinstance(line, Deal | Result) for line in some) - 1


def _accepted(data: bytes) -> list[Line]:
    accepted: list[Line] = []
    check(io.BytesIO(data), accepted.append)
    return accepted


def test_a_record_may_start_anywhere_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "two"
    data = record(*WITH_VARIATION)
    path.write_bytes(b"something else\n" + data)
    with path.open("rb") as file:
        file.seek(15)
        assert check(file).events == ROUND_EVENTS


# From round to round


def small(**overrides: Any) -> tuple[Any, Deal]:
    """A header and a deal of seven 1s and a 2 for each of two seats."""
    rules = house_rules("usaopoly-2009", {"deck": [7, 1, 0, 0, 0, 0], **overrides})
    return header(rules), deal(1)


def deal(number: int) -> Deal:
    faces = ["1a", "1b", "1c", "1d", "1e", "1f", "1g", "2a"]
    return Deal(number, tuple(tuple(f"{deck}{face}" for face in faces) for deck in "AB"))


END = End(30_000, "stalled", (-5, -5), (-5, -5))
ABANDONED = End(0, "abandoned", (0, 0), (0, 0))


def test_a_message_quotes_a_long_line_only_in_part() -> None:
    line, message = fault(record(*small(), ABANDONED._replace(scores=(0,) * 20_000)))
    assert line == 3
    assert message.startswith("scores: expected [0, 0], found [0, 0, 0, ")
    assert len(message) == 300


@pytest.mark.parametrize(
    ("rest", "line", "words"),
    [
        ((deal(2),), 2, "round: expected 1, found 2"),
        ((deal(1), deal(2)), 3, "expected an event of round 1, found round 2"),
        ((deal(1), END, deal(1)), 4, "round: expected 2, found 1"),
        ((deal(1), END, deal(3)), 4, "round: expected 2, found 3"),
        ((deal(1), END, END), 4, "expected round 2, found an event"),
        ((END,), 2, "expected round 1, found an event"),
        ((Result((), (0, 0)),), 2, "expected round 1, found a result"),
        ((deal(1), Result((), (0, 0))), 3, "expected an event of round 1, found a result"),
        ((deal(1), END, Result((0, 1), (-5, -5))), 4, "expected round 2, found a result"),
        ((deal(1), ABANDONED, deal(2)), 4, "expected the result, found round 2"),
        ((deal(1), ABANDONED, END), 4, "expected the result, found an event"),
        ((deal(1), ABANDONED, Result((0,), (0, 0))), 4, "result: expected [], found [0]"),
        ((deal(1), ABANDONED, Result((), (0, 1))), 4, "totals: expected [0, 0], found [0, 1]"),
        ((deal(1)._replace(decks=deal(1).decks[:1]),), 2, "decks: expected 2, found 1"),
        ((deal(1)._replace(decks=deal(1).decks[::-1]),), 2, "deck of seat 0 is not complete"),
        ((header(),), 2, "header"),
        (("",), 2, "blank line"),
        (("{}",), 2, "expected a round"),
    ],
)
def test_lines_in_a_wrong_place(rest: tuple[Any, ...], line: int, words: str) -> None:
    head, _ = small()
    at, message = fault(record(head, *rest))
    assert at == line
    assert words in message


RESULT = Result((), (0, 0))


@pytest.mark.parametrize("after", [RESULT, deal(2), END, header()])
def test_nothing_but_remarks_comes_after_the_result(after: Line) -> None:
    head, first = small()
    ended = (head, first, ABANDONED, Note(1, 0), RESULT, Note(1, 1))
    assert checked(record(*ended)).result == RESULT
    assert fault(record(*ended, after))[0] == 7


def test_a_deck_that_lacks_a_card_and_has_another_twice() -> None:
    head, first = small()
    spoilt = ("A1a", "A1a", *first.decks[0][2:])
    line, message = fault(record(head, Deal(1, (spoilt, first.decks[1]))))
    assert (line, message) == (
        2,
        "deck of seat 0 is not complete: it lacks A1b and has too many of A1a",
    )


def test_a_speedy_match_is_decided_by_its_round() -> None:
    head, first = small(speedy=True)
    assert checked(record(head, first, END, Result((0, 1), (-5, -5)))).result
    assert fault(record(head, first, END, deal(2)))[1] == "expected the result, found round 2"


def test_a_beginner_may_be_faster() -> None:
    head, first = small()
    quick = [Play(0, 0, "A1a", 0), Play(60, 0, "A1b", 1)]
    assert "one hand" in fault(record(head, first, *quick))[1]
    easy = header(head.rules, players=[Seat("Ada", "human", beginner=True), Seat("Bo", "bot")])
    assert checked(record(easy, first, *quick)).events == 2


# Notes and variations

BASE = rows(MATCHES / "valid-shouted-out.ratuki")
ROUND_EVENTS = len(BASE) - 3
WITH_VARIATION: list[Any] = [
    *BASE[:3],
    Variation(1, 0, "Kim", "", (Play(200, 2, "C1g", 3, seen=0), Draw(529, 2, "C2b"))),
    *BASE[3:],
]


def with_remark(remark: Any, after: int = 6) -> bytes:
    """A valid record with a remark behind so many of its lines."""
    return record(*BASE[:after], remark, *BASE[after:])


@pytest.mark.parametrize(
    ("note", "after"),
    [
        (Note(1, 0), 2),
        (Note(1, 4), 6),
        (Note(1, ROUND_EVENTS), len(BASE) - 1),
        (Note(1, ROUND_EVENTS), len(BASE)),
        (Note(1, 3, "Kim", "?!", "Feeds *Ada*.\n", ("stack:3", "seat:3", "card:D5e")), 6),
    ],
)
def test_notes_on_positions_above(note: Note, after: int) -> None:
    assert checked(with_remark(note, after)).events == ROUND_EVENTS


@pytest.mark.parametrize(
    ("remark", "after", "words"),
    [
        (Note(1, 0), 1, "round: expected one of the"),
        (Note(2, 0), 6, "round: expected one of the"),
        (Note(1, 5), 6, "event: expected at most the 4 above, found 5"),
        (Note(1, ROUND_EVENTS + 1), len(BASE), "event: expected at most"),
        (Note(1, 0, marks=("seat:4",)), 6, "marks: no such thing in this match: seat:4"),
        (Note(1, 0, marks=("stack:4",)), 6, "marks: no such thing in this match: stack:4"),
        (Note(1, 0, marks=("card:E1a",)), 6, "marks: no such thing in this match: card:E1a"),
        (Note(1, 0, marks=("card:A1h",)), 6, "marks: no such thing in this match: card:A1h"),
        (Variation(1, 5, None, "", (Draw(1_000, 3, "D1a"),)), 6, "event: expected at most the 4"),
        (Variation(1, ROUND_EVENTS, None, "", (Draw(90_000, 0, "A1a"),)), 200, "event: expected"),
        (Variation(1, ROUND_EVENTS, None, "", (END,)), len(BASE), "has ended"),
    ],
)
def test_remarks_on_nothing(remark: Any, after: int, words: str) -> None:
    line, message = fault(with_remark(remark, after))
    assert line == after + 1
    assert words in message


@pytest.mark.parametrize("after", [6, 100, len(BASE) - 1, len(BASE)])
def test_a_variation_obeys_the_rules_from_its_position(after: int) -> None:
    good = (Play(529, 1, "B1b", 2), Draw(660, 1, "BRb"), Play(800, 1, "B2a", 2, seen=5))
    assert checked(with_remark(Variation(1, 3, "Kim", "", good), after)).events == ROUND_EVENTS


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ((Play(228, 1, "B1b", 2),), "variation, event 1: t must not fall"),
        ((Play(529, 1, "B1b", 2), Play(600, 1, "B2a", 2)), "variation, event 2: one hand"),
        ((Play(529, 1, "B3a", 2),), "variation, event 1: B3a is not in hand"),
        ((Play(529, 1, "B1b", 2, seen=4),), "variation, event 1: seen must be at most 3"),
        ((Play(529, 4, "E1b", 2),), "variation, event 1: seat must be 0 to 3"),
        ((End(229, "out", (0,) * 4, (0,) * 4),), "variation, event 1: not out"),
        (
            (End(229, "abandoned", (0,) * 4, (0,) * 4), Draw(529, 2, "C2b")),
            "variation, event 2: the round has ended",
        ),
    ],
)
def test_a_variation_that_breaks_the_rules(events: tuple[Any, ...], words: str) -> None:
    for after in (6, len(BASE)):
        line, message = fault(with_remark(Variation(1, 3, None, "", events), after))
        assert line == after + 1
        assert words in message


BAD = Variation(1, 3, None, "", (Play(0, 1, "B1b", 2),))
WORSE = Variation(1, 1, None, "", (Play(0, 1, "B1b", 2),))


def test_the_first_fault_is_told_though_variations_are_judged_last() -> None:
    spoilt: list[Line | str | bytes] = [*BASE[:6], BAD, *BASE[6:40], "{}", *BASE[40:]]
    assert fault(record(*spoilt))[0] == 7
    assert fault(record(*BASE[:6], "{}", BAD))[0] == 7
    assert fault(record(*BASE[:6], BAD, WORSE, *BASE[6:]))[0] == 7
    assert fault(record(*BASE[:6], WORSE, BAD, *BASE[6:]))[0] == 7


def test_variations_speak_of_any_round_above() -> None:
    whole = rows(MATCHES / "valid-full-match-3.ratuki")
    starts = [number for number, row in enumerate(whole) if row.startswith(b'{"round"')]
    seats = 3
    remarks = [
        Variation(number, 0, None, "", (End(0, "abandoned", (0,) * seats, totals),))
        for number, totals in enumerate([(0, 0, 0), *_totals(whole, starts)], 1)
    ]
    assert checked(record(*whole, *remarks)).rounds == len(starts)
    wrong = remarks[1]._replace(events=(End(0, "abandoned", (0,) * seats, (1, 2, 3)),))
    assert fault(record(*whole, *remarks, wrong))[0] == len(whole) + len(remarks) + 1


def _totals(whole: list[bytes], starts: list[int]) -> list[tuple[int, ...]]:
    ends = [parse_line(whole[start - 1], start) for start in starts[1:]]
    return [end.totals for end in ends if isinstance(end, End)]


@pytest.mark.parametrize(
    ("remark", "most", "words"),
    [
        (Note(1, 0), 2_000, "too many: expected at most 2000 notes"),
        (
            Variation(1, 3, None, "", (Play(529, 1, "B1b", 2),)),
            500,
            "too many: expected at most 500 variations",
        ),
    ],
)
def test_remarks_are_counted(remark: Any, most: int, words: str) -> None:
    row = record(remark)
    base = record(*BASE[:6])
    assert checked(base + row * most).events == 4
    assert fault(base + row * (most + 1)) == (7 + most, words)


def test_what_is_given_on_is_every_line_in_order() -> None:
    data = record(*WITH_VARIATION)
    assert record(*_accepted(data)) == data


def test_a_fault_is_a_value_error_with_its_line() -> None:
    assert str(RecordFault(7, "no")) == "7: no"
    fault = pickle.loads(pickle.dumps(RecordFault(7, "round {round}", round=2)))
    assert (fault.line, fault.message, str(fault)) == (7, "round 2", "7: round 2")
    assert fault.said == Message("round {round}", round=2)
