"""A record with notes and variations added: those that the site keeps beside the log.

They go after the last line, by round, position, then the order in which they are given, but
never above the variation or note they refer to. If needed, the record becomes version 2, and
then leaves out what only version 1 allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter
from heapq import heappop, heappush

from games.records.log import MAX_LISTED, Header, Line, Note, Remark, Variation


def with_remarks(lines: Iterable[Line], remarks: Sequence[Remark]) -> Iterator[Line]:
    """The lines of a record, header first, with these remarks after the last one.

    Whether they are valid (unique ids, existing references) is for the checker to say. Raises
    CycleError, a ValueError, if they refer to each other in a circle.
    """
    added = in_order(remarks)
    rest = iter(lines)
    header = next(rest)
    if not isinstance(header, Header):
        raise TypeError(f"expected a header first, found {header!r}")
    raised = header.version == 1 and any(remark.newer for remark in added)
    yield replace(header, version=2) if raised else header
    for line in rest:
        kept = as_version_2(line) if raised and isinstance(line, Note) else line
        if kept is not None:
            yield kept
    yield from added


def as_version_2(note: Note) -> Note | None:
    """A note of version 1 as version 2 writes it; None if it is empty."""
    return None if note.silent else note._replace(marks=note.marks[:MAX_LISTED])


def in_order(remarks: Sequence[Remark]) -> list[Remark]:
    """By round, position and the given order, but each after any remark that it refers to.

    Raises CycleError, a ValueError, if they refer to each other in a circle.
    """
    places = {remark.id: place for place, remark in enumerate(remarks) if remark.id}
    sorter = TopologicalSorter(
        {
            place: [places[name] for name in references(remark) if name in places]
            for place, remark in enumerate(remarks)
        }
    )
    sorter.prepare()
    found: list[Remark] = []
    ready: list[tuple[int, int, int]] = []
    while sorter.is_active():
        for place in sorter.get_ready():
            heappush(ready, (remarks[place].round, remarks[place].event, place))
        place = heappop(ready)[2]
        sorter.done(place)
        found.append(remarks[place])
    return found


def references(remark: Remark) -> list[str]:
    """The ids that a remark refers to."""
    named = (remark.line, None if isinstance(remark, Variation) else remark.reply)
    return [name for name in named if name]
