"""The text of one line: strictly read, canonically written, fast where it is canonical."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.engine.events import Discard, Draw, Late, Miss, Out, Play
from games.records.log import Header, Line, Note, RecordFault, Variation
from games.records.notation import parse_event, parse_line, write_line
from games.records.parsing import line_from
from games.records.strict import Malformed, decode
from tests.records.matches import NAMES, VALID, rows
from tests.records.strategies import HEADERS, LINES


def alike(line: Line | None, other: Line | None) -> bool:
    """Equal and of one kind; named tuples of two kinds may be equal."""
    return type(line) is type(other) and line == other


# Round trips


@given(LINES)
def test_a_written_line_is_read_back(line: Line) -> None:
    text = write_line(line)
    assert alike(parse_line(text.encode(), 2), line)
    assert "\n" not in text


@given(HEADERS)
def test_a_written_header_is_read_back(header: Header) -> None:
    assert parse_line(write_line(header).encode(), 1) == header


@given(LINES, st.randoms(use_true_random=False))
def test_order_spacing_and_escapes_do_not_matter(line: Line, random: Any) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, list):
            return [shuffled(item) for item in value]
        if isinstance(value, dict):
            items = [(key, shuffled(item)) for key, item in value.items()]
            return dict(random.sample(items, len(items)))
        return value

    spaced = json.dumps(shuffled(json.loads(write_line(line))), separators=(" ,\t", " : "))
    assert alike(parse_line(f" {spaced} ".encode(), 2), line)


@pytest.mark.parametrize("path", VALID, ids=NAMES)
def test_a_canonical_record_is_written_as_it_was_read(path: Path) -> None:
    for number, row in enumerate(rows(path), 1):
        assert write_line(parse_line(row, number)).encode() == row


# The fast path


def strictly(raw: bytes) -> Line | None:
    """What the strict path makes of a line; None if it is faulty."""
    try:
        return line_from(decode(raw))
    except Malformed:
        return None


@given(LINES)
def test_both_paths_read_a_canonical_line_alike(line: Line) -> None:
    raw = write_line(line).encode()
    fast = parse_event(raw)
    assert alike(strictly(raw), line)
    assert fast is None or alike(fast, line)
    if isinstance(line, Draw | Discard | Play | Late | Miss) and line.t < 80_000_000:
        assert alike(fast, line) or getattr(line, "seen", 0) >= 10_000_000


PIECES = st.sampled_from(
    b'{"t":|0|00|1|87000000|86400001|-1|1.0|true| |,|}|,"seat":|,"do":"play"|,"do":"draw"'
    b'|,"do":"late"|,"do":"miss"|,"do":"discard"|,"do":"plays"|,"card":"A1a"|,"card":"A6a"'
    b'|,"card":"BRb"|,"stack":|,"as":|,"takes":|,"seen":|5|4|"|\\|\n|\r'.split(b"|")
)


@given(st.lists(PIECES, max_size=16).map(b"".join))
@example(b'{"t":1,"seat":0,"do":"draw","card":"A1a","stack":1}')
@example(b'{"t":1,"seat":0,"do":"draw","card":"A1a","seen":1}')
@example(b'{"t":1,"seat":0,"do":"late","card":"A1a","stack":1}')
@example(b'{"t":1,"seat":0,"do":"late","card":"A1a","stack":1,"takes":2,"seen":1}')
@example(b'{"t":1,"seat":0,"do":"play","card":"A1a"}')
@example(b'{"t":01,"seat":0,"do":"draw","card":"A1a"}')
@example(b'{"t":86400001,"seat":0,"do":"draw","card":"A1a"}')
@example(b'{"t":1,"seat":0,"do":"draw","card":"A1a"}\n')
@example(b'{"t":1,"seat":0,"do":"draw","card":"A6a"}')
def test_the_fast_path_takes_nothing_that_the_strict_one_refuses(raw: bytes) -> None:
    fast = parse_event(raw)
    assert fast is None or alike(fast, strictly(raw))


@given(LINES.map(write_line), st.data())
def test_both_paths_agree_on_a_line_with_a_slip_in_it(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    at = data.draw(st.integers(0, len(raw) - 1))
    slip = data.draw(st.sampled_from([b"", b"0", b"1", b"7", b" ", b'"', b",", b"-", b"a", b"R"]))
    slipped = raw[:at] + slip + raw[at + data.draw(st.integers(0, 1)) :]
    fast = parse_event(slipped)
    assert fast is None or alike(fast, strictly(slipped))


def test_an_event_is_no_header_however_fast_it_is_read() -> None:
    with pytest.raises(RecordFault, match="header: missing key"):
        parse_line(b'{"t":1,"seat":0,"do":"draw","card":"A1a"}', 1)


# The canonical form


def test_a_header_is_written_in_its_order_and_without_what_is_as_usual() -> None:
    raw = json.dumps(
        {
            "tags": {"z": "1", "a": "é\u2028\x7f"},
            "seats": [
                {"beginner": True, "kind": "human", "name": 'A"\\/'},
                {"kind": "bot", "name": "Bo", "beginner": False},
            ],
            "source": "live",
            "started_at": "2026-11-20T18:30:00Z",
            "rules": {"speedy": True, "target": 100, "deck": [8, 8, 8, 5, 5, 2], "stall_ms": 0},
            "edition": "usaopoly-2009",
            "id": "m1",
            "ratuki": 1,
        }
    )
    assert write_line(parse_line(raw.encode(), 1)) == (
        '{"ratuki":1,"id":"m1","edition":"usaopoly-2009",'
        '"rules":{"deck":[8,8,8,5,5,2],"stall_ms":0,"speedy":true},'
        '"started_at":"2026-11-20T18:30:00Z","source":"live",'
        '"seats":[{"name":"A\\"\\\\/","kind":"human","beginner":true},{"name":"Bo","kind":"bot"}],'
        '"tags":{"a":"é\u2028\x7f","z":"1"}}'
    )


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            Late(1, 0, "ARa", 2, 4, 0),
            '{"t":1,"seat":0,"do":"late","card":"ARa","stack":2,"as":4,"seen":0}',
        ),
        (
            Note(1, 41, "Kim", "?!", "\b\f\n\r\t\x01é"),
            '{"note":{"round":1,"event":41,"by":"Kim","glyph":"?!","text":"\\b\\f\\n\\r\\t\\u0001é"}}',
        ),
        (Note(1, 0), '{"note":{"round":1,"event":0}}'),
        (
            Note(
                *(1, 0, "Kim", "!", "So.", ("seat:0",), "n", "v", 4, "2026-11-20T18:30:00Z"),
                *(("b", "a"), ("seat:0>stack:1",), "m"),
            ),
            (
                '{"note":{"id":"n","round":1,"line":"v","event":0,"until":4,"by":"Kim",'
                '"at":"2026-11-20T18:30:00Z","glyph":"!","tags":["b","a"],"text":"So.",'
                '"marks":["seat:0"],"arrows":["seat:0>stack:1"],"reply":"m"}}'
            ),
        ),
        (
            Variation(1, 0, "Kim", "So.", (Out(1, 0),), "w", "v", "2026-11-20T18:30:00Z", ("a",)),
            (
                '{"variation":{"id":"w","round":1,"line":"v","event":0,"by":"Kim",'
                '"at":"2026-11-20T18:30:00Z","tags":["a"],"text":"So.",'
                '"events":[{"t":1,"seat":0,"do":"out"}]}}'
            ),
        ),
    ],
)
def test_lines_are_written_in_the_order_of_the_format(line: Line, text: str) -> None:
    """Those of which no recorded match has all fields."""
    assert write_line(line) == text
