"""The events of a branch as variations of a record.

A record's lines have a size limit. A branch too long for one line is written as several: each
continues where the previous one stops, as a branch of it.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from games.engine.events import Event
from games.engine.facts import Fault
from games.records.log import MAX_DEPTH, MAX_LINE_BYTES, Variation
from games.records.notation import write_line
from replays.variations.lines import MatchLines, Place

_LONGEST_ID: Final = 64


def variations(
    lines: MatchLines, place: Place, events: Sequence[Event], remark: Variation
) -> list[Variation]:
    """The variations that consist of these events after a place. The first has the remark's text.

    `remark` gives `id`, `by`, `text`, `at` and `tags`. It needs an id if there is more than one.
    Raises Fault if there are no events, an id is taken, or branches would be nested too deeply.
    """
    if not events:
        raise Fault("variation: expected at least one event")
    first = remark._replace(round=place.round, event=place.event, line=place.line, events=())
    parts = list(_parts(first, events))
    taken = next((part.id for part in parts if part.id and part.id in lines), None)
    if taken is not None:
        raise Fault("id: not unique: {taken} is already used", taken=taken)
    depth = lines.depth(place.line) + len(parts)
    if depth > MAX_DEPTH:
        raise Fault(
            "line: branches are at most {most} deep, these would be {depth}",
            most=MAX_DEPTH,
            depth=depth,
        )
    return parts


def _parts(first: Variation, events: Sequence[Event]) -> Iterator[Variation]:
    part, start = first, 0
    for number in count(2):
        until = start + _fitting(part, events[start:])
        yield part._replace(events=tuple(events[start:until]))
        if until == len(events):
            return
        part = _going_on(first, part, first.event + until, number)
        start = until


def _fitting(part: Variation, events: Sequence[Event]) -> int:
    """How many events fit in a variation's line."""
    room = MAX_LINE_BYTES - len(write_line(part).encode())
    for fitting, event in enumerate(events):
        room -= len(write_line(event)) + 1
        if room < 0:
            return fitting
    return len(events)


def _going_on(first: Variation, before: Variation, event: int, number: int) -> Variation:
    """The next part, still without events: after `v` they are `v-2`, `v-3`, …"""
    if first.id is None:
        raise Fault("id: a variation that needs several lines must have one")
    ending = f"-{number}"
    name = first.id[: _LONGEST_ID - len(ending)] + ending
    return Variation(first.round, event, first.by, "", (), name, before.id, first.at)
