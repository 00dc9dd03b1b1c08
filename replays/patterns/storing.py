"""Stored occurrences: once for a match that is over, with the versions of their makers.

A log that is over never changes, so the version alone says whether they are valid. They are columns
of 32-bit numbers, compressed, for each kind: a search reads a thousand matches, and looks at one or
two kinds.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from struct import calcsize, pack, unpack_from
from sys import byteorder
from typing import Final
from zlib import compress, decompress

from games.models import Match
from replays.analysis.lag import lags_where_unmeasured
from replays.analysis.versions import MEASURES_VERSION
from replays.models import StoredOccurrences
from replays.patterns.matching import Row
from replays.patterns.occurrences import KINDS, VERSION, Occurrence, occurrences
from replays.stored.logs import digest_of, lags_of, timeline_of

CURRENT: Final = f"{MEASURES_VERSION}/{VERSION}"
_COLUMNS: Final = len(Occurrence._fields)
_LENGTHS: Final = f"<{len(KINDS)}I"


def occurrences_in(
    matches: Iterable[Match], kinds: Collection[int]
) -> Iterator[tuple[Match, Iterator[Row]]]:
    """Those of some kinds in each match that is over: stored, or computed and stored now."""
    asked = list(matches)
    stored = dict(stored_in([match.pk for match in asked], kinds))
    for match in asked:
        yield match, stored.get(match.pk) or _decode(keep(match), kinds)


def stored_in(
    matches: Iterable[int], kinds: Collection[int]
) -> Iterator[tuple[int, Iterator[Row]]]:
    """Those of some kinds in each match, as far as they are stored. One query."""
    rows = StoredOccurrences.objects.filter(match__in=list(matches), version=CURRENT)
    for match, body in rows.values_list("match", "body"):
        yield match, _decode(bytes(body), kinds)


def keep(match: Match) -> bytes:
    """Compute and store those of a match. Returns them as stored."""
    timeline = timeline_of(match)
    lags = lags_where_unmeasured(timeline, lags_of(match))
    body = _encode(occurrences(timeline, lags))
    made = {"digest": digest_of(match), "version": CURRENT, "body": body}
    StoredOccurrences.objects.update_or_create(match=match, defaults=made)
    return body


def _encode(of_match: Sequence[Occurrence]) -> bytes:
    """The length of each kind's part, and the parts: columns, one after the other."""
    parts = []
    for kind in range(len(KINDS)):
        columns = zip(
            *(occurrence for occurrence in of_match if occurrence.kind == kind), strict=True
        )
        parts.append(compress(b"".join(pack(f"<{len(column)}i", *column) for column in columns), 1))
    return pack(_LENGTHS, *map(len, parts)) + b"".join(parts)


def _decode(body: bytes, kinds: Collection[int]) -> Iterator[Row]:
    lengths = unpack_from(_LENGTHS, body)
    begin = calcsize(_LENGTHS)
    for kind, length in enumerate(lengths):
        if kind in kinds:
            yield from _rows(decompress(body[begin : begin + length]))
        begin += length


def _rows(part: bytes) -> Iterator[Row]:
    numbers = array("i", part)
    if byteorder == "big":
        numbers.byteswap()
    count = len(numbers) // _COLUMNS
    columns = (numbers[place * count : (place + 1) * count] for place in range(_COLUMNS))
    return zip(*columns, strict=True)
