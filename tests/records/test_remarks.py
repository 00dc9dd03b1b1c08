"""Notes and variations of version 2: where they may stand, and that nothing of them is lost."""

import io
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.archive.packing import lines_of, pack, text_of
from games.engine.events import Draw, End, Event, Play
from games.records.adding import in_order, with_remarks
from games.records.check import CheckedRecord, check
from games.records.log import Header, Line, Note, RecordFault, Remark, Variation
from games.records.notation import parse_line, write_line
from tests.records.branching import Pool
from tests.records.matches import FAULTY, VALID, checked, fault, lines, record, rows, unruly

HEAD, *PLAYED = lines(next(path for path in VALID if path.stem == "valid-v2-spans"))
BARE = [line for line in PLAYED if not isinstance(line, Note | Variation)]
EVENTS = [line for line in BARE if isinstance(line, Event)]
assert isinstance(HEAD, Header)


def noted(*remarks: Any, version: int = 2) -> bytes:
    """The small record with these remarks after its last line."""
    assert isinstance(HEAD, Header)
    return record(replace(HEAD, version=version), *BARE, *remarks)


def why(*remarks: Any, version: int = 2) -> str:
    """What is wrong with the last of these remarks."""
    line, message = fault(noted(*remarks, version=version))
    assert line == 1 + len(BARE) + len(remarks)
    return message


def vary(event: int, *events: Event, **fields: Any) -> Variation:
    return Variation(1, event, None, "", events, **fields)


# What is written is read back


@given(st.integers(0, 2**32), st.integers(1, 24))
def test_any_true_notes_and_variations_survive(seed: int, count: int) -> None:
    rng = Random(seed)
    bare = unruly(seed, rng.choice([0, 20, 120]))
    remarks = Pool(rng, bare).remarks(count)
    data = record(*with_remarks(bare, remarks))
    accepted: list[Line] = []
    check(io.BytesIO(data), accepted.append)
    assert record(*accepted) == data
    stored = pack(accepted)
    body = "".join(text_of(lines_of(p.first_seq, p.packed, p.body)) for p in stored.chunks)
    assert f"{stored.header}\n{body}".encode() == data
    assert sorted(map(repr, remarks)) == sorted(
        repr(line) for line in accepted if isinstance(line, Note | Variation)
    )


BROKEN = st.sampled_from([b"", b"0", b"1", b'"', b",", b"}", b"v", b"n", b"17", b"-", b"\xff"])
KEYS = ("id", "round", "line", "event", "until", "at", "tags", "marks", "arrows", "reply", "events")
VALUES: list[object] = [None, "v", "n", "", [], ["a"], ["seat:0>seat:1"], ["seat:9"], {}]
VALUES += [0, 1, 16, -1, 10**9]


@given(st.integers(0, 2**32), st.data())
def test_damage_is_a_fault_or_harmless_but_never_more(seed: int, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([path for path in VALID if "v2" in path.stem]))
    whole = rows(path)
    rng = Random(seed)
    for _ in range(rng.choice([1, 1, 2, 5])):
        place = rng.randrange(len(whole))
        match rng.randrange(5):
            case 0:
                at = rng.randint(0, len(whole[place]))
                whole[place] = whole[place][:at] + data.draw(BROKEN) + whole[place][at + 1 :]
            case 1 if len(whole) > 2:
                del whole[place]
            case 2:
                whole.insert(rng.randrange(len(whole)), whole[place])
            case 3:
                whole.insert(rng.randrange(len(whole)), whole.pop(place))
            case _:
                whole[place] = _spoilt(whole[place], rng)
    damaged = b"".join(row + b"\n" for row in whole)
    report = _verdict(damaged)
    if isinstance(report, RecordFault):
        assert 1 <= report.line <= damaged.count(b"\n") + 1
        assert report.message
    else:
        parsed = [parse_line(row, 1 + place) for place, row in enumerate(damaged.splitlines())]
        assert checked(record(*parsed)) == report


def _verdict(data: bytes) -> CheckedRecord | RecordFault:
    """What the checker says of a record; nothing else may come of it."""
    try:
        return checked(data)
    except RecordFault as wrong:
        return wrong


def _spoilt(row: bytes, rng: Random) -> bytes:
    """A line with another value under one key, if it is JSON still."""
    try:
        value = json.loads(row)
    except ValueError:
        return row
    inner = value.get("note") or value.get("variation") if isinstance(value, dict) else None
    if isinstance(inner, dict):
        inner[rng.choice(KEYS)] = rng.choice(VALUES)
    return json.dumps(value).encode()


# Versions


def test_version_1_is_written_where_it_is_enough() -> None:
    assert isinstance(HEAD, Header)
    note, variation = Note(1, 3, "Kim", "?!", "Hm."), vary(7, EVENTS[7])
    accepted: list[Line] = []
    check(io.BytesIO(noted(note, variation)), accepted.append)
    assert pack(accepted).header.startswith('{"ratuki":1,')
    assert pack([HEAD, *BARE, note._replace(tags=("a",))]).header.startswith('{"ratuki":2,')
    assert pack([HEAD, *BARE, variation._replace(id="v")]).header.startswith('{"ratuki":2,')


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_a_stored_record_keeps_its_version(path: Path) -> None:
    head, *rest = lines(path)
    note = Note(1, 0, text="Hm.", tags=("a",))
    assert isinstance(head, Header)
    assert pack([head, *rest]).header == write_line(head)
    version = max(head.version, 2)
    assert pack([head, *rest, note]).header == write_line(replace(head, version=version))


@pytest.mark.parametrize(
    ("remark", "key"),
    [
        (Note(1, 0, text="a", id="n"), "id"),
        (Note(1, 0, text="a", until=3), "until"),
        (Note(1, 0, text="a", at="2026-11-20T18:30:00Z"), "at"),
        (Note(1, 0, tags=("a",)), "tags"),
        (Note(1, 0, arrows=("seat:0>seat:1",)), "arrows"),
        (Note(1, 0, text="a", reply="n"), "reply"),
        (vary(7, EVENTS[7], line="v"), "line"),
        (vary(7, EVENTS[7], tags=("a",)), "tags"),
    ],
)
def test_version_1_knows_no_keys_of_version_2(remark: Remark, key: str) -> None:
    assert why(remark, version=1).startswith(f"unknown key '{key}'")


def test_only_version_1_has_silent_notes_and_as_many_marks_as_one_likes() -> None:
    silent, many = Note(1, 0), Note(1, 0, marks=("seat:0",) * 17)
    assert checked(noted(silent, many, version=1)).events == len(EVENTS)
    assert "says nothing" in why(silent)
    assert why(many) == "marks: expected at most 16, found 17"


def test_a_record_that_becomes_one_of_version_2_leaves_out_what_only_version_1_may_say() -> None:
    assert isinstance(HEAD, Header)
    old = [replace(HEAD, version=1), *BARE, Note(1, 0), Note(1, 0, marks=("seat:0",) * 17)]
    same = list(with_remarks(old, [Note(1, 1, text="a")]))
    assert same == [*old, Note(1, 1, text="a")]
    newer = list(with_remarks(old, [Note(1, 1, text="a", id="n")]))
    assert newer[0] == replace(HEAD, version=2)
    assert newer[-2:] == [Note(1, 0, marks=("seat:0",) * 16), Note(1, 1, text="a", id="n")]
    assert checked(record(*newer)).events == len(EVENTS)


def test_an_added_remark_gets_an_id_of_its_own() -> None:
    own = [HEAD, *BARE, Note(1, 1, text="a", id="n" * 64), vary(7, EVENTS[7], id="v")]
    branch = vary(7, EVENTS[7], id="v")
    said = Note(1, 8, text="b", id="n" * 64, line="v")
    reply = Note(1, 8, text="c", id="r", line="v", reply=said.id)
    first, second, third = list(with_remarks(own, [branch, said, reply]))[len(own) :]
    assert first == branch._replace(id="v-2")
    assert second == said._replace(id="n" * 58 + "-2", line="v-2")
    assert third == reply._replace(line="v-2", reply="n" * 58 + "-2")
    assert checked(record(*own, first, second, third)).events == len(EVENTS)


def test_added_remarks_that_a_file_has_no_room_for_are_left_out() -> None:
    many = [vary(7, EVENTS[7], id=f"v{number}") for number in range(501)]
    notes = [Note(1, 8, text="a", line=variation.id) for variation in many[-2:]]
    added = list(with_remarks([HEAD, *BARE], [*many, *notes]))[len(BARE) + 1 :]
    assert added == [*many[:-1], notes[0]]
    full = [HEAD, *BARE, *[Note(1, 0, text="a")] * 1_999]
    assert list(with_remarks(full, [Note(1, 0, text="b"), Note(1, 1, text="c")]))[len(full) :] == [
        Note(1, 0, text="b")
    ]


# Order


def test_added_remarks_stand_by_position_but_below_what_they_refer_to() -> None:
    late = vary(9, EVENTS[9], id="late")
    on_it = Note(1, 2, text="on it", id="on", line="late")
    reply = Note(1, 2, text="reply", reply="on", line="late")
    first, last = Note(1, 2, text="first"), Note(1, 12, text="last")
    assert in_order([last, reply, on_it, late, first]) == [first, late, on_it, reply, last]


def test_remarks_that_refer_to_each_other_in_a_circle_are_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        in_order([vary(1, EVENTS[1], id="v", line="w"), vary(1, EVENTS[1], id="w", line="v")])


# Branches

FIRST = vary(7, Play(1090, 0, "A5a", 0, None, 5), id="v")


def test_a_branch_goes_on_where_its_line_stops() -> None:
    draw = Draw(1210, 0, "A1b")
    given_up = End(1210, "abandoned", (0, 0), (0, 0))
    deep = [FIRST, vary(8, draw, id="w", line="v"), vary(9, given_up, id="x", line="w")]
    assert checked(noted(*deep, Note(1, 10, text="Over.", line="x"))).events == len(EVENTS)
    assert why(*deep, Note(1, 11, text="a", line="x")).startswith("event: expected at most the 10")
    assert "has ended at event 10" in why(*deep, vary(10, draw, line="x"))


def test_a_branch_from_where_its_line_branches_is_one_of_the_line_before() -> None:
    good = Draw(1_120, 1, "B5a")
    assert checked(noted(FIRST, vary(7, good, line="v"), vary(3, EVENTS[3], line="v")))
    assert "event 1: hand full" in why(FIRST, vary(7, Draw(1_120, 0, "A1b"), line="v"))
    assert "event 1: t must not fall" in why(FIRST, vary(3, EVENTS[1], line="v"))


@pytest.mark.parametrize("other", [Note(1, 0, text="a", id="v"), vary(7, EVENTS[7], id="v")])
def test_an_id_is_there_once(other: Remark) -> None:
    assert why(FIRST, other).startswith("id: not unique")
    assert why(Note(1, 0, text="a", id="v"), other).startswith("id: not unique")


def test_branches_are_sixteen_deep_at_most() -> None:
    chain = [vary(7, EVENTS[7], id="v1")]
    chain += [vary(7, EVENTS[7], id=f"v{n}", line=f"v{n - 1}") for n in range(2, 17)]
    assert checked(noted(*chain)).events == len(EVENTS)
    assert "at most 16 deep" in why(*chain, vary(0, EVENTS[0], line="v16"))


def test_the_first_fault_is_told_whatever_branches_off_first() -> None:
    bad = vary(8, Draw(1131, 0, "A1b"), id="bad", line="v")
    worse = vary(0, Draw(0, 0, "A1b"), id="worse")
    assert why(FIRST, bad).startswith("variation, event 1: one hand")
    for order in ([FIRST, bad, worse], [FIRST, bad, vary(9, EVENTS[0], line="bad"), worse]):
        assert fault(noted(*order))[0] == 1 + len(BARE) + 2
    assert fault(noted(worse, FIRST, bad))[0] == 1 + len(BARE) + 1


def test_time_and_seen_go_on_along_a_branch() -> None:
    told = Play(1210, 1, "B3a", 0, None, None, 8)
    assert "does not fit" in why(FIRST, vary(8, told, line="v"))
    assert "t must not fall" in why(FIRST, vary(8, Draw(1089, 1, "B5a"), line="v"))
    seen = Play(1130, 1, "B1a", 0, None, None, 9)
    assert "seen must be at most 8" in why(FIRST, vary(8, seen, line="v"))


def test_what_a_checker_asks_of_replies() -> None:
    note = Note(1, 3, text="a", id="n")
    good = Note(1, 3, text="b", reply="n")
    assert checked(noted(note, good)).events == len(EVENTS)
    for extra in ({"until": 5}, {"marks": ("seat:0",)}, {"arrows": ("seat:0>seat:1",)}):
        assert why(note, good._replace(**extra)).startswith("reply: expected no ")
    assert why(note, good._replace(glyph="!")) == (
        "reply: expected no glyph on a note that answers another"
    )
    empty = noted(note, good).replace(b'"reply":"n"', b'"reply":"n","marks":[]')
    assert fault(empty)[1] == "reply: expected no marks on a note that answers another"
    assert why(note, good._replace(reply="m")) == "reply: no note above has this id: m"
    assert why(FIRST, good._replace(reply="v")) == "reply: no note above has this id: v"


def test_faulty_records_of_all_versions_are_here() -> None:
    versions = {path.read_bytes()[:11] for path in FAULTY.glob("*.ratuki")}
    assert versions == {b'{"ratuki":1', b'{"ratuki":2', b'{"ratuki":3', b'{"ratuki":4'}
