"""Outlines stored beside a log (`games.archive.packing.outline_of`), and rebuilding them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from games.archive.packing import LONG_MATCH, LONG_ROUND, lines_of, outline_of
from games.models import Match, RoundOutline
from games.records import outline
from games.records.log import Line


def read(body: bytes, most: int = outline.FULL, stacks: int = outline.FULL) -> outline.Outline:
    """The stored outline, limited to that many snapshots and stacks."""
    return outline.read(zlib.decompress(body), most, stacks)


def keep(match: Match, number: int) -> None:
    """Outline the round of a growing log that has just ended, if it needs it."""
    rows = match.chunks.filter(round=number).order_by("first_seq")
    sizes = list(rows.values_list("first_seq", "lines"))
    if sizes[0][0] <= LONG_MATCH and sum(lines for _, lines in sizes) <= LONG_ROUND:
        return
    for first_seq, lines in _rounds(match, number):
        outlined = outline_of(first_seq, lines)
        if outlined:
            RoundOutline.objects.create(match=match, **outlined._asdict())


def rebuild(match: Match) -> None:
    """Rebuild all outlines of a match from its log."""
    match.outlines.all().delete()
    RoundOutline.objects.bulk_create(
        (
            RoundOutline(match=match, **outlined._asdict())
            for first_seq, lines in _rounds(match)
            if (outlined := outline_of(first_seq, lines))
        ),
        batch_size=100,
    )


def _rounds(match: Match, number: int | None = None) -> Iterator[tuple[int, list[Line]]]:
    """The lines of each round, or of one, with the seq of the first."""
    rows = match.chunks.order_by("first_seq")
    if number is not None:
        rows = rows.filter(round=number)
    first, round_number, lines = 0, 0, list[Line]()
    for chunk in rows.iterator(chunk_size=8):
        if chunk.round != round_number and lines:
            yield first, lines
            lines = []
        if not lines:
            first, round_number = chunk.first_seq, chunk.round
        lines += lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))
    if lines:
        yield first, lines
