"""A match's log for a viewer, in responses of similar size.

Nobody sees the hidden cards of a live match before it is over: everything here that shows lines
of such a match shows them through `games.engine.perspective`. (A simulated or imported record
without an end is not being played, and hides nothing.)
"""

import json
from collections.abc import Iterable, Iterator
from typing import Final

from django.db.models import QuerySet

from games.archive.packing import columns_text, lines_of
from games.engine.events import Deal
from games.engine.perspective import SPECTATOR
from games.models import Chunk, Match
from games.records.digests import see_line
from games.records.log import Line
from games.records.notation import write_line

SLICE_BYTES: Final = 1 << 18
"""Roughly how much of a log one response contains."""
SLICE_MS: Final = 30_000
"""How much of a round one response contains for viewers who must not see its end coming."""


def log_from(match: Match, first_seq: int) -> str:
    """The response, as JSON, for a client that has everything before `first_seq`."""
    chunks, size, after = [], 0, first_seq
    for chunk in _chunks_from(match, first_seq).iterator(chunk_size=8):
        text = _chunk_json(match, chunk)
        chunks.append(text)
        after = chunk.first_seq + chunk.lines
        size += len(text)
        if size >= SLICE_BYTES:
            break
    after = max(after, first_seq)
    done = match.over and after >= match.lines
    return _answer(first_seq, after, done, chunks)


def _answer(first_seq: int, after: int, finished: bool, chunks: Iterable[str]) -> str:
    head = json.dumps({"from": first_seq, "next": after, "finished": finished})
    return f'{head[:-1]}, "chunks": [{",".join(chunks)}]}}'


def _chunks_from(match: Match, seq: int) -> QuerySet[Chunk]:
    """The chunks starting with the one that has `seq`, found without reading earlier ones."""
    rows = match.chunks.order_by("first_seq")
    holding = rows.filter(first_seq__lte=seq).order_by("-first_seq")
    begin = holding.values_list("first_seq", "lines").first()
    if begin is None:
        return rows
    return rows.filter(first_seq__gte=begin[0] if seq < sum(begin) else seq)


def _chunk_json(match: Match, chunk: Chunk) -> str:
    body = bytes(chunk.body)
    if match.hidden:
        lines = lines_of(chunk.first_seq, chunk.packed, body)
        seen = (write_line(see_line(line, SPECTATOR)) for line in lines)
        return _lines_json(chunk.first_seq, seen)
    if chunk.packed:
        return f'{{"seq":{chunk.first_seq},"packed":{columns_text(body)}}}'
    return _lines_json(chunk.first_seq, body.decode().splitlines())


def _lines_json(first_seq: int, lines: Iterable[str]) -> str:
    return f'{{"seq":{first_seq},"lines":[{",".join(lines)}]}}'


def slice_from(match: Match, first_seq: int, until_t: int) -> str:
    """The response for a viewer who must not know how long the round or the match still is.

    Lines from `first_seq` up to `until_t` (ms in the round), but not beyond the round, nor more
    than `SLICE_MS` further. The next line is always included once its time has come.
    """
    written: list[str] = []
    t, after, limit = 0, first_seq, until_t
    for seq, line in _numbered(match, first_seq):
        if seq < first_seq:
            t = _time(line, t)
            continue
        if isinstance(line, Deal) and written:
            break
        before, t = t, _time(line, t)
        if not written:
            limit = min(until_t, max(t, (0 if isinstance(line, Deal) else before) + SLICE_MS))
        if t > limit:
            break
        written.append(write_line(line))
        after = seq + 1
    chunks = [_lines_json(first_seq, written)] if written else []
    return _answer(first_seq, after, match.over and after >= match.lines, chunks)


def _time(line: Line, before: int) -> int:
    """When a line happened. Lines without a time count as happening with the previous one."""
    return 0 if isinstance(line, Deal) else getattr(line, "t", before)


def _numbered(match: Match, seq: int) -> Iterator[tuple[int, Line]]:
    """The lines with their seq, starting with the round that contains `seq`."""
    rows = _chunks_from(match, seq)
    start = rows.values_list("first_seq", "round").first()
    if start is not None:
        yield from _numbered_lines(
            match, match.chunks.filter(round__gte=start[1]).order_by("first_seq")
        )


def numbered_from(match: Match, seq: int) -> Iterator[tuple[int, Line]]:
    """The lines from `seq` to the end, as anyone may see them now, with their seq."""
    shown = _numbered_lines(match, _chunks_from(match, seq))
    return ((number, line) for number, line in shown if number >= seq)


def numbered_of_round(match: Match, number: int) -> Iterator[tuple[int, Line]]:
    """The lines of one round, and those after it, as anyone may see them now."""
    return _numbered_lines(match, match.chunks.filter(round=number).order_by("first_seq"))


def _numbered_lines(match: Match, rows: QuerySet[Chunk]) -> Iterator[tuple[int, Line]]:
    for chunk in rows.iterator(chunk_size=2):
        lines = lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))
        for number, line in enumerate(lines, chunk.first_seq):
            yield number, see_line(line, SPECTATOR) if match.hidden else line
