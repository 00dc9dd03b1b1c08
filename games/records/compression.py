"""The columns of a round (`games.records.columns`) as bytes, and back."""

from __future__ import annotations

import json
import zlib
from typing import Final

from games.records.columns import Columns

_ALONE: Final = frozenset("onah")  # keys after which a deflate block ends
_WINDOW: Final = 13  # bits: 8 KiB, more than a round needs; a larger window costs time to clear
_ENCODE: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":")
).encode


def compress(packed: Columns) -> bytes:
    """The columns as JSON in a zlib stream; each long column has its own Huffman code.

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
