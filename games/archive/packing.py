"""A record in the parts in which it is stored: a header, and one body per round.

Nothing here uses the database, so a process that simulates or checks can do this work and
pass the result to the one that stores it. Only compressed bodies and counts are kept, so
memory does not grow with a record's text.

A round's body is its columns (`games.records.columns`), compressed, even if the record stops
within that round. Each commit of a match being played is plain canonical lines, each with its
line feed.
"""

import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, get_args

from games.archive.summary import Summary
from games.engine.events import Deal, End, Event
from games.records import columns
from games.records.columns import Columns
from games.records.log import Header, Line
from games.records.notation import parse_line, write_line

_ALONE: Final = frozenset("onah")  # keys after which a deflate block ends
_WINDOW: Final = 13  # bits: 8 KiB, more than a round needs. A larger window costs time to clear.
_ENCODE: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":")
).encode


class ChunkFields(NamedTuple):
    """Consecutive lines as they are stored. `duration_ms` is 0 until the round has ended."""

    first_seq: int
    lines: int
    round: int
    events: int
    duration_ms: int
    packed: bool
    body: bytes


class PackedRecord(NamedTuple):
    """A whole record, ready to be stored: its first line, its parts, and the summary for lists."""

    header: str
    chunks: tuple[ChunkFields, ...]
    summary: Summary


class Packer:
    """Takes a record's lines, one by one or round by round. `done` returns the packed record."""

    def __init__(self, header: Header) -> None:
        self._summary = Summary(header)
        self._pieces: list[ChunkFields] = []
        self._lines: list[Line] = []  # since the last deal

    def take(self, line: Line) -> None:
        if type(line) is Deal:
            self.take_round(self._lines)
            self._lines = []
        self._lines.append(line)

    def take_round(self, lines: Sequence[Line]) -> None:
        """Take the next lines, all of one round: its deal and everything before the next one."""
        if lines:
            first = self._summary.lines
            self._summary.read(lines)
            self._pieces.append(chunk_fields(first, self._summary.rounds, lines))

    def done(self) -> PackedRecord:
        self.take_round(self._lines)
        header = replace(self._summary.header, version=self._summary.version)
        return PackedRecord(write_line(header), tuple(self._pieces), self._summary)


def pack(lines: Sequence[Line]) -> PackedRecord:
    header, *rest = lines
    if not isinstance(header, Header):
        raise TypeError(f"expected a header first, found {header!r}")
    packer = Packer(header)
    for run in runs(rest):
        packer.take_round(run)
    return packer.done()


def runs(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """The lines, split before each deal."""
    start = 0
    for place, line in enumerate(lines):
        if type(line) is Deal and place:
            yield lines[start:place]
            start = place
    yield lines[start:]


def chunk_fields(first_seq: int, round_number: int, lines: Sequence[Line]) -> ChunkFields:
    """All lines of one round as they are stored: packed, if possible."""
    kinds = Counter(map(type, lines))
    events = sum(kinds[kind] for kind in get_args(Event))
    packed = _columns(lines)
    body = packed or text_of(lines).encode()
    duration = next(line.t for line in reversed(lines) if type(line) is End) if kinds[End] else 0
    return ChunkFields(first_seq, len(lines), round_number, events, duration, bool(packed), body)


def _columns(lines: Sequence[Line]) -> bytes | None:
    try:
        return compress(columns.pack(lines))
    except columns.Unpackable:
        return None  # only plain lines can express these


def text_of(lines: Sequence[Line]) -> str:
    """Canonical lines, each with its line feed."""
    return "".join(f"{write_line(line)}\n" for line in lines)


def lines_of(first_seq: int, packed: bool, body: bytes) -> list[Line]:
    if packed:
        return columns.unpack(decompress(body))
    rows = enumerate(body.splitlines(), first_seq + 1)
    return [parse_line(row, number) for number, row in rows]


def columns_text(body: bytes) -> str:
    return zlib.decompress(body).decode()


def compress(packed: Columns) -> bytes:
    """The columns as JSON in a zlib stream. Each long column has its own Huffman code.

    Characters are coded, but repeats are not searched for: play has few, and searching would take
    half as long again to save a few bytes.
    """
    stream = zlib.compressobj(9, zlib.DEFLATED, _WINDOW, 8, zlib.Z_HUFFMAN_ONLY)
    parts, text = [], "{"
    for key, column in packed.items():
        text += f'"{key}":{_ENCODE(column)},'
        if key in _ALONE:
            parts += [stream.compress(text.encode()), stream.flush(zlib.Z_BLOCK)]
            text = ""
    parts += [stream.compress(f"{text[:-1]}}}".encode()), stream.flush()]
    return b"".join(parts)


def decompress(data: bytes) -> Columns:
    """The columns passed to `compress`."""
    packed: Columns = json.loads(zlib.decompress(data))
    return packed
