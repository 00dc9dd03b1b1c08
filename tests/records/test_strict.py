"""JSON and ids as they must be, and the limits of a file, found without reading it to its end."""

import io
import json
import tracemalloc
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.records.ids import new_id
from games.records.lines import Lines
from games.records.log import MAX_FILE_BYTES, MAX_LINE_BYTES, RecordFault
from games.records.strict import Malformed, decode

SURROGATES = st.characters(categories=["Cs"])
WHOLES = st.integers(min_value=-(10**13), max_value=10**13)
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLES | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_what_json_holds_is_read(value: object, escaped: bool) -> None:
    assert decode(json.dumps(value, ensure_ascii=escaped).encode()) == value


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "blank line"),
        (b" \t ", "blank line"),
        (b'{"a":1}\r', "0x0D"),
        (b'{"a":\r1}', "0x0D"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a":"\xff"}', "not UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        (b'{"a":"\xc0\xaf"}', "not UTF-8"),
        ('{"a":1}'.encode("utf-16"), "not UTF-8"),
        (b"{", "not JSON"),
        (b"{'a':1}", "not JSON"),
        (b'{"a":1,}', "not JSON"),
        (b'{"a":1} {}', "not JSON"),
        (b'{"a":01}', "not JSON"),
        (b'{"a":+1}', "not JSON"),
        (b'{"a":"\x00"}', "not JSON"),
        (b'{"a":"\t"}', "not JSON: invalid control character at character 7"),
        (b"\xc2\xa0{}", "not JSON"),
        (b'{"a":NaN}', "NaN"),
        (b'{"a":Infinity}', "Infinity"),
        (b'{"a":-Infinity}', "-Infinity"),
        (b'{"a":1.0}', "whole number"),
        (b'{"a":1e3}', "whole number"),
        (b'{"a":1E400}', "whole number"),
        (b'{"a":0.1}', "whole number"),
        (b'{"a":1,"a":1}', 'duplicate key "a"'),
        (b'{"a":1,"\\u0061":2}', 'duplicate key "a"'),
        (b'{"b":{"a":1,"c":2,"a":3}}', 'duplicate key "a"'),
        (b'{"a":"\\ud800"}', "lone surrogate"),
        (b'{"a":["x\\uDFFFy"]}', "lone surrogate"),
        (b'{"\\udc00\\ud800":1}', "lone surrogate"),
        (b'{"a":"\\ud83d\\u0041"}', "lone surrogate"),
    ],
)
def test_what_is_not_quite_json_is_refused(raw: bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        decode(raw)


def test_an_escaped_pair_of_surrogates_is_a_character() -> None:
    assert decode(b'"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":['])
def test_deep_nesting_is_refused(opening: bytes) -> None:
    with pytest.raises(Malformed, match="deep"):
        decode(opening * (60_000 // len(opening)))


@pytest.mark.parametrize("digits", [16, 400, 5_000, 60_000])
def test_huge_numbers_are_refused_unread(digits: int) -> None:
    with pytest.raises(Malformed, match="out of range"):
        decode(b'{"a":' + b"9" * digits + b"}")


def test_many_duplicate_keys_cost_no_time() -> None:
    pairs = ",".join(f'"{number}":0' for number in range(6_000))
    with pytest.raises(Malformed, match='duplicate key "5999"'):
        decode(f'{{{pairs},"5999":1}}'.encode())


@given(st.text(max_size=5), SURROGATES, st.text(max_size=5))
def test_a_lone_surrogate_is_found_wherever_it_stands(left: str, half: str, right: str) -> None:
    raw = json.dumps({"x": [left + half + right]}).encode()
    with pytest.raises(Malformed, match="lone surrogate"):
        decode(raw)


def test_an_id_can_stand_on_a_command_line() -> None:
    # One byte has 64 first characters: without the rule, a hyphen would be nearly certain here.
    ids = {new_id(1) for _ in range(2_000)}
    assert len(ids) > 100
    assert not [made for made in ids if made.startswith("-")]


class Endless(io.BytesIO):
    """A file of so many copies of a piece, which is never in memory as a whole."""

    def __init__(self, piece: bytes, copies: int, start: bytes = b"") -> None:
        super().__init__()
        self._piece = piece
        self._left = copies
        self._kept = start
        self.given = 0

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None
        while len(self._kept) < size and self._left:
            self._left -= 1
            self._kept += self._piece
        part, self._kept = self._kept[:size], self._kept[size:]
        self.given += len(part)
        return part


def split(data: bytes) -> list[bytes]:
    return list(Lines(io.BytesIO(data)))


def fault(file: BinaryIO) -> RecordFault:
    with pytest.raises(RecordFault) as caught:
        for _ in Lines(file):
            pass
    return caught.value


def test_lines_come_without_their_line_feeds() -> None:
    assert split(b"one\ntwo\n\n three\n") == [b"one", b"two", b"", b" three"]


def test_only_a_line_feed_ends_a_line() -> None:
    text = "a\u2028b\u2029c\x0bd\x0ce\x85f\x1cg"
    assert split(text.encode() + b"\n") == [text.encode()]


def test_lines_go_on_from_block_to_block() -> None:
    some = [bytes([65 + number % 26]) * (number % 700) for number in range(3_000)]
    assert split(b"".join(line + b"\n" for line in some)) == some


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 1, "empty file"),
        (b"{}", 1, "line feed"),
        (b"{}\n{}", 2, "line feed"),
        (b"\x1f\x8b\x08\x00", 1, "gzip"),
        (b"PK\x03\x04\x14", 1, "found a zip archive, expected text: unpack the file first"),
        ('{"ratuki":1}\n'.encode("utf-16"), 1, "found UTF-16, expected UTF-8"),
        ('{"ratuki":1}\n'.encode("utf-16-le"), 1, "found UTF-16, expected UTF-8"),
        ('{"ratuki":1}\n'.encode("utf-16-be"), 1, "found UTF-16, expected UTF-8"),
        (b"x" * (MAX_LINE_BYTES + 1), 1, "line too long"),
        (b"{}\n" + b"x" * (MAX_LINE_BYTES + 1), 2, "line too long"),
    ],
)
def test_what_is_wrong_with_a_file(data: bytes, line: int, words: str) -> None:
    wrong = fault(io.BytesIO(data))
    assert wrong.line == line
    assert words in wrong.message


def test_the_lines_before_the_fault_come_first() -> None:
    lines = iter(Lines(io.BytesIO(b"one\ntwo\nthree")))
    assert [next(lines), next(lines)] == [b"one", b"two"]
    with pytest.raises(RecordFault):
        next(lines)


def test_a_line_of_the_greatest_length_is_read() -> None:
    line = b"x" * MAX_LINE_BYTES
    assert split(line + b"\n" + line + b"\n") == [line, line]


def test_a_line_without_end_is_not_read_to_its_end() -> None:
    file = Endless(b"[" * 65_536, copies=16_384, start=b"{}\n")
    tracemalloc.start()
    assert fault(file).line == 2
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert file.given < 1_000_000
    assert peak < 4_000_000


LINE = b"x" * 8_191 + b"\n"


def test_a_file_of_the_greatest_length_is_read() -> None:
    file = Endless(LINE, copies=MAX_FILE_BYTES // len(LINE))
    assert sum(1 for _ in Lines(file)) == MAX_FILE_BYTES // len(LINE)


@pytest.mark.parametrize(("start", "extra"), [(b"", 0), (b"\n", 1), (b"yy\n", 1)])
def test_a_file_that_is_too_long_is_faulty_in_the_line_that_passes_the_limit(
    start: bytes, extra: int
) -> None:
    file = Endless(LINE, copies=MAX_FILE_BYTES // len(LINE) + 1_000, start=start)
    tracemalloc.start()
    wrong = fault(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    whole = (MAX_FILE_BYTES - len(start)) // len(LINE)
    assert (wrong.line, wrong.message[:13]) == (whole + extra + 1, "file too long")
    assert file.given < MAX_FILE_BYTES + 1_000_000
    assert peak < 4_000_000


def test_where_a_line_begins() -> None:
    data = b"".join(b"x" * (number % 997) + b"\n" for number in range(5_000))
    lines = Lines(io.BytesIO(data))
    for number, line in enumerate(lines, 1):
        if number % 7 == 0:
            start = lines.offset(number)
            assert data[start : start + len(line) + 1] == line + b"\n"
            assert start == 0 or data[start - 1 : start] == b"\n"
