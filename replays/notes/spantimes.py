"""When notes and the spans of a playlist begin and end, on the clocks of their rounds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q

from games.archive.packing import lines_of
from games.engine.events import Event
from games.models.matches import Chunk
from replays.models import Note, PlaylistItem

Round = tuple[int, int]
"""A match and the number of a round."""


class SpanTimes(NamedTuple):
    """A span's begin and end, in ms of its round; of one position, twice the same."""

    begins: int
    ends: int


def times_of(items: Iterable[PlaylistItem | Note]) -> list[SpanTimes | None]:
    """Each span's times; None in a variation."""
    rows = list(items)
    clocks = _clocks(dict.fromkeys((row.match_id, row.round) for row in rows if not row.line_id))
    return [
        None if row.line_id else _times(row, clocks.get((row.match_id, row.round))) for row in rows
    ]


def _times(row: PlaylistItem | Note, clock: list[int] | None) -> SpanTimes | None:
    until = row.event if row.until is None else row.until
    if clock is None or max(row.event, until) >= len(clock):
        return None
    return SpanTimes(clock[row.event], clock[until])


def _clocks(rounds: Iterable[Round]) -> dict[Round, list[int]]:
    """For each round the time after so many events; place 0 is the deal. One query."""
    wanted = [Q(match=match, round=number) for match, number in rounds]
    if not wanted:
        return {}
    clocks: dict[Round, list[int]] = {}
    chunks = Chunk.objects.filter(reduce(or_, wanted)).order_by("first_seq")
    for chunk in chunks.iterator(chunk_size=8):
        lines = lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))
        times = [line.t for line in lines if isinstance(line, Event)]
        clocks.setdefault((chunk.match_id, chunk.round), [0]).extend(times)
    return clocks
