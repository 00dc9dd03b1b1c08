"""The lines of a record file, in order, with at most one block in memory.

Limits are enforced as soon as they are passed: the rest of a line or file that is too long is
not read.
"""

from collections.abc import Iterator
from typing import BinaryIO, Final

from games.records.log import MAX_FILE_BYTES, MAX_LINE_BYTES, RecordFault

_BLOCK: Final = 1 << 18
_NO_RECORDS: Final = {
    b"\x1f\x8b": "found gzip, expected text: unpack the file first",
    b"PK\x03\x04": "found a zip archive, expected text: unpack the file first",
    b"\xff\xfe": "found UTF-16, expected UTF-8: save the file as UTF-8",
    b"\xfe\xff": "found UTF-16, expected UTF-8: save the file as UTF-8",
    b"{\0": "found UTF-16, expected UTF-8: save the file as UTF-8",
    b"\0{": "found UTF-16, expected UTF-8: save the file as UTF-8",
}
"""Messages for other kinds of files, by their first bytes."""


class Lines:
    """The lines of a binary file from its current position, without line feeds.

    Iterating raises RecordFault for faults of the file rather than of a line. A complete line may
    still be too long. Its parser says so.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = 0  # bytes read so far
        self._rest = b""  # the unfinished line at the end of them
        self._lines: list[bytes] = []  # lines of the last block
        self._before = 0  # how many lines came before these
        self._offset = 0  # and how many bytes

    def __iter__(self) -> Iterator[bytes]:
        while block := self._file.read(_BLOCK):
            for beginning, words in () if self._size else _NO_RECORDS.items():
                if block.startswith(beginning):
                    raise RecordFault(1, words)
            over = self._take(block)
            yield from self._lines
            if over:
                raise RecordFault(
                    self._next, "file too long: expected at most {most} bytes", most=MAX_FILE_BYTES
                )
            if len(self._rest) > MAX_LINE_BYTES:
                raise RecordFault(
                    self._next, "line too long: expected at most {most} bytes", most=MAX_LINE_BYTES
                )
        if not self._size:
            raise RecordFault(1, "found an empty file, expected a header")
        if self._rest:
            raise RecordFault(self._next, "expected a line feed at the end of the last line")

    @property
    def _next(self) -> int:
        return self._before + len(self._lines) + 1

    def _take(self, block: bytes) -> bool:
        """Split a block into lines. Returns whether the file is longer than a record may be."""
        self._before += len(self._lines)
        self._offset = self._size - len(self._rest)
        over = self._size + len(block) > MAX_FILE_BYTES
        if over:
            block = block[: MAX_FILE_BYTES - self._size]
        self._size += len(block)
        self._lines = (self._rest + block).split(b"\n")
        self._rest = self._lines.pop()
        return over

    def offset(self, number: int) -> int:
        """Where a line of the last block begins, in bytes from the file's initial position."""
        above = self._lines[: number - self._before - 1]
        return self._offset + sum(map(len, above)) + len(above)
