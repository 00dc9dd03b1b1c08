"""A match as far as a question's stop, for a learner who has not answered yet.

Nothing here depends on later lines: not the order of a draw pile, not how long the round or the
match was, not a remark in the record.
"""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from games.archive.packing import lines_of
from games.engine.events import Deal, Draw, Event
from games.engine.perspective import see_drawn
from games.models import Chunk, Match
from games.records.log import Line
from games.records.notation import write_line
from replays.models import Chapter


class Stop(NamedTuple):
    """The lines of a match up to a stop, with their seq, and where that is."""

    lines: list[tuple[int, Line]]
    rounds: list[dict[str, Any]]
    """As the replay page's `rounds`."""

    @property
    def seq(self) -> int:
        """The last line before the stop."""
        return self.lines[-1][0]


def stop_of(chapter: Chapter) -> Stop:
    """The match up to a question's stop."""
    numbered: list[tuple[int, Line]] = []
    rounds: list[dict[str, Any]] = []
    for number, lines in _rounds_until(chapter):
        events = [line for _, line in lines if isinstance(line, Event)]
        rounds.append(
            {
                "round": number,
                "seq": lines[0][0],
                "events": len(events),
                "duration_ms": events[-1].t if events else 0,
                "finished": number < chapter.round,
            }
        )
        numbered += lines
    return Stop(numbered, rounds)


def _rounds_until(chapter: Chapter) -> Iterator[tuple[int, list[tuple[int, Line]]]]:
    for number, chunks in groupby(_chunks(chapter.match, chapter.round), lambda chunk: chunk.round):
        lines: list[tuple[int, Line]] = [
            (seq, line)
            for chunk in chunks
            for seq, line in enumerate(
                lines_of(chunk.first_seq, chunk.packed, bytes(chunk.body)), chunk.first_seq
            )
            if isinstance(line, Deal | Event)
        ]
        yield number, lines if number < chapter.round else _cut(lines, chapter.event)


def _chunks(match: Match, last: int) -> Iterator[Chunk]:
    rows = match.chunks.filter(round__range=(1, last)).order_by("first_seq")
    return rows.iterator(chunk_size=8)


def _cut(lines: list[tuple[int, Line]], events: int) -> list[tuple[int, Line]]:
    """The deal and the first events of a round. Draw piles are unknown then."""
    (seq, deal), *rest = lines[: events + 1]
    assert isinstance(deal, Deal)
    drawn = {line.card for _, line in rest if isinstance(line, Draw)}
    return [(seq, see_drawn(deal, drawn)), *rest]


def log_until(chapter: Chapter, first_seq: int) -> str:
    """The log for the replay page, with the lines since `first_seq`, as JSON."""
    stop = stop_of(chapter)
    chunks = []
    wanted = ((seq, line) for seq, line in stop.lines if seq >= first_seq)
    for _, run in groupby(enumerate(wanted), lambda item: item[1][0] - item[0]):
        lines = [pair for _, pair in run]
        said = ",".join(write_line(line) for _, line in lines)
        chunks.append(f'{{"seq":{lines[0][0]},"lines":[{said}]}}')
    after = max(first_seq, stop.seq + 1)
    head = json.dumps({"from": first_seq, "next": after, "finished": True})
    return f'{head[:-1]}, "chunks": [{",".join(chunks)}]}}'
