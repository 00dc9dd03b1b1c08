"""A match for a viewer: its log in pieces, what the replay page needs, a player's results.

Nobody sees the hidden cards of a live match before it is over: everything here that shows lines
of such a match shows them through `games.engine.perspective`. (A simulated or imported record
without an end is not being played, and hides nothing.)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final

from django.db.models import QuerySet

from games.archive.packing import LONG_ROUND, columns_text, lines_of
from games.archive.store import shown_header
from games.engine.events import Deal, Event
from games.engine.perspective import SPECTATOR, see, see_deal
from games.models import Chunk, Match
from games.people.rights import Rights
from games.records.compression import decompress
from games.records.log import Line
from games.records.notation import write_line

SLICE_BYTES: Final = 1 << 18
"""Roughly how much of a log one response contains."""
SLICE_LINES: Final = 4_000
"""The most lines in such a response; a flood of late tries exceeds that in a moment."""
SLICE_MS: Final = 30_000
"""How much of a round one response contains for viewers who must not see its end coming."""


def _seen(line: Line) -> Line:
    if isinstance(line, Deal):
        return see_deal(line, SPECTATOR)
    return see(line, SPECTATOR) if isinstance(line, Event) else line


# --- The log, in responses of similar size ---------------------------------------------------


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
        lines = map(_seen, lines_of(chunk.first_seq, chunk.packed, body))
        return _lines_json(chunk.first_seq, map(write_line, lines))
    if chunk.packed:
        return f'{{"seq":{chunk.first_seq},"packed":{columns_text(body)}}}'
    return _lines_json(chunk.first_seq, body.decode().splitlines())


def _lines_json(first_seq: int, lines: Iterable[str]) -> str:
    return f'{{"seq":{first_seq},"lines":[{",".join(lines)}]}}'


def slice_from(match: Match, first_seq: int, until_t: int) -> str:
    """The response for a viewer who must not know how long the round or the match still is.

    Lines from `first_seq` up to `until_t` (ms in the round), but not beyond the round nor more than
    `SLICE_MS` on, except that the next line is always included once its time has come.
    """
    found: list[str] = []
    t, after, limit = 0, first_seq, until_t
    for seq, line in _numbered(match, first_seq):
        if seq < first_seq:
            t = _time(line, t)
            continue
        if isinstance(line, Deal) and found:
            break
        before, t = t, _time(line, t)
        if not found:
            limit = min(until_t, max(t, (0 if isinstance(line, Deal) else before) + SLICE_MS))
        if t > limit or len(found) >= SLICE_LINES:
            break
        found.append(write_line(line))
        after = seq + 1
    chunks = [_lines_json(first_seq, found)] if found else []
    return _answer(first_seq, after, match.over and after >= match.lines, chunks)


def _time(line: Line, before: int) -> int:
    """When a line happened; lines without a time count as happening with the previous one."""
    return 0 if isinstance(line, Deal) else getattr(line, "t", before)


def _numbered(match: Match, seq: int) -> Iterator[tuple[int, Line]]:
    """The lines with their seq, starting with the round that contains `seq`."""
    rows = _chunks_from(match, seq)
    start = rows.values_list("first_seq", "round").first()
    if start is not None:
        yield from _shown(match, match.chunks.filter(round__gte=start[1]).order_by("first_seq"))


def numbered_from(match: Match, seq: int) -> Iterator[tuple[int, Line]]:
    """The lines from `seq` on as anyone may see them now, with their seq."""
    shown = _shown(match, _chunks_from(match, seq))
    return ((number, line) for number, line in shown if number >= seq)


def numbered_of_round(match: Match, number: int) -> Iterator[tuple[int, Line]]:
    """The lines of one round, and what stands after it, as everybody may see them now."""
    return _shown(match, match.chunks.filter(round=number).order_by("first_seq"))


def _shown(match: Match, rows: QuerySet[Chunk]) -> Iterator[tuple[int, Line]]:
    for chunk in rows.iterator(chunk_size=2):
        lines = lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body))
        for number, line in enumerate(lines, chunk.first_seq):
            yield number, _seen(line) if match.hidden else line


# --- The replay page --------------------------------------------------------------------------


def replay_of(match: Match, urls: dict[str, str], *, spoilers: bool) -> dict[str, Any]:
    """What the replay page knows at once. Without `spoilers` it reveals nothing about the end."""
    header = shown_header(match)
    page: dict[str, Any] = {
        "id": match.pk,
        "edition": match.edition,
        "rules": asdict(header.rules),
        "seats": [
            {"name": seat.name, "kind": seat.kind, **({"beginner": True} if seat.beginner else {})}
            for seat in header.seats
        ],
        "source": header.source,
        "started_at": header.started_at,
        "spoilers": spoilers,
        "urls": urls,
    }
    if spoilers:
        page |= {
            "rounds": rounds_of(match),
            "seq": match.lines - 1,
            "finished": match.over,
            "result": winners_of(match),
        }
    return page


def live_of(match: Match, may: Rights) -> dict[str, Any] | None:
    """How to follow a match being played; `open_delay_ms` 0: never with open hands."""
    if not match.hidden:
        return None
    delay = may.access.open_delay_ms if may.open_hands else 0
    return {"id": match.record_id, "key": match.token, "open_delay_ms": delay, "chat": may.chat}


def lags_of(match: Match) -> list[tuple[str, int]]:
    """The median lag, in ms, of each player of a finished live match, where known."""
    if match.source != "live" or not match.over:
        return []
    seats = match.seats.in_order().values_list("player__name", "lag_ms")
    return [(name, ms) for name, ms in seats if ms is not None]


def winners_of(match: Match) -> list[int] | None:
    """The winning seats; None without a result."""
    if match.winners is None:
        return None
    return [seat for seat in range(match.seat_count) if match.winners >> seat & 1]


def rounds_of(match: Match) -> list[dict[str, Any]]:
    """Where each round is in the log, and how long it is."""
    rounds: dict[int, dict[str, Any]] = {}
    fields = ("round", "first_seq", "events", "duration_ms", "packed")
    for number, seq, events, ms, packed in match.chunks.order_by("first_seq").values_list(*fields):
        found = rounds.setdefault(
            number,
            {"round": number, "seq": seq, "events": 0, "duration_ms": 0, "finished": False},
        )
        found["events"] += events
        found["duration_ms"] += ms
        found["finished"] |= packed or ms > 0
    _measure_last(match, rounds)
    return list(rounds.values())


def _measure_last(match: Match, rounds: dict[int, dict[str, Any]]) -> None:
    """An unfinished round counts as lasting as long as it has so far; only the last can be one."""
    last = rounds.get(max(rounds, default=0))
    if last and match.state == Match.State.UNFINISHED and not last["duration_ms"]:
        last["finished"] = False
    if last and not last["finished"]:
        before = sum(found["duration_ms"] for found in rounds.values())
        last["duration_ms"] = max(0, match.duration_ms - before)


def first_chunk(match: Match, round_number: int | None, seq: int | None) -> dict[str, Any] | None:
    """A packed round for the page to start with: that one, the one with `seq`, or the first.

    None if it is a very long one: the page requests it separately.
    """
    packed = match.chunks.filter(packed=True).order_by("first_seq")
    chunk = None
    if match.hidden:
        return None
    if round_number is not None:
        chunk = packed.filter(round=round_number).first()
    elif seq is not None:
        chunk = packed.filter(first_seq__lte=seq).last()
    chunk = chunk or packed.first()
    if chunk is None or chunk.events > LONG_ROUND:
        return None
    return {"seq": chunk.first_seq, "packed": decompress(bytes(chunk.body))}
