"""A record with notes and variations added: those that the site keeps beside the log.

They go after the last line, by round, position, then the order in which they are given, but never
above the variation or note they refer to. If needed, a record of version 1 becomes version 2, and
then leaves out things that only version 1 allows. The record may have remarks of its own: an added
one with the id of one of these gets another. Those that exceed a file's limits are left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from typing import Any, Final

from games.records.log import (
    MAX_LISTED,
    MAX_NOTES,
    MAX_VARIATIONS,
    Header,
    Line,
    Note,
    Remark,
    Variation,
)

_LONGEST_ID: Final = 64
_LIMITS: Final = {Note: MAX_NOTES, Variation: MAX_VARIATIONS}


def with_remarks(lines: Iterable[Line], remarks: Sequence[Remark]) -> Iterator[Line]:
    """The lines of a record, header first, with these remarks after the last one.

    Whether they are valid (positions, existing references) is for the checker to say. Raises
    CycleError, a ValueError, if they refer to each other in a circle.
    """
    added = in_order(remarks)
    rest = iter(lines)
    header = next(rest)
    if not isinstance(header, Header):
        raise TypeError(f"expected a header first, found {header!r}")
    raised = header.version == 1 and any(remark.newer for remark in added)
    yield replace(header, version=2) if raised else header
    counts: Counter[type] = Counter()
    taken: set[str | None] = set()
    for line in rest:
        kept = as_version_2(line) if raised and isinstance(line, Note) else line
        if kept is not None:
            yield kept
        if isinstance(kept, Note | Variation):
            counts[type(kept)] += 1
            taken.add(kept.id)
    yield from _beside(counts, taken, added)


def _beside(
    counts: Counter[type], taken: set[str | None], added: Sequence[Remark]
) -> Iterator[Remark]:
    """The added remarks for which there is room, with ids that are not taken.

    `counts`, `taken`: how many notes and variations the record has itself, and their ids.
    """
    names = _new_names([remark.id for remark in added if remark.id], taken)
    left_out: set[str | None] = set()
    for remark in added:
        kind = type(remark)
        if counts[kind] < _LIMITS[kind] and left_out.isdisjoint(references(remark)):
            counts[kind] += 1
            yield _renamed(remark, names)
        elif remark.id:
            left_out.add(remark.id)


def _new_names(ids: Sequence[str], taken: set[str | None]) -> dict[str, str]:
    """For each id another, if it is taken: with a number that makes it new."""
    used = taken | set(ids)
    names: dict[str, str] = {}
    for name in ids:
        if name in taken:
            names[name] = _numbered(name, used)
            used.add(names[name])
    return names


def _numbered(name: str, used: set[str | None]) -> str:
    """A name that is not used. A loop, since compiled generators are lists, even endless ones."""
    number = 2
    while (new := f"{name[: _LONGEST_ID - 6]}-{number}") in used:
        number += 1
    return new


def _renamed(remark: Remark, names: dict[str, str]) -> Remark:
    fields = ("id", "line") if isinstance(remark, Variation) else ("id", "line", "reply")
    said = {name: getattr(remark, name) for name in fields}
    changed: dict[str, Any] = {name: names[value] for name, value in said.items() if value in names}
    return remark._replace(**changed) if changed else remark


def as_version_2(note: Note) -> Note | None:
    """A note of version 1 as version 2 writes it. None if it is empty."""
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
    ordered: list[Remark] = []
    ready: list[tuple[int, int, int]] = []
    while sorter.is_active():
        for place in sorter.get_ready():
            heappush(ready, (remarks[place].round, remarks[place].event, place))
        place = heappop(ready)[2]
        sorter.done(place)
        ordered.append(remarks[place])
    return ordered


def references(remark: Remark) -> list[str]:
    """The ids that a remark refers to."""
    named = (remark.line, None if isinstance(remark, Variation) else remark.reply)
    return [name for name in named if name]
