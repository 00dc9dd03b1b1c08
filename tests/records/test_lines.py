"""The limits of a file, found without reading it to its end."""

from __future__ import annotations

import io
import tracemalloc
from typing import BinaryIO

import pytest

from games.records.lines import Lines
from games.records.log import MAX_FILE_BYTES, MAX_LINE_BYTES, RecordFault


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
