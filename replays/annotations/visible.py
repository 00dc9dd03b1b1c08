"""Which of a match's notes and variations a reader gets, on a page or in an exported record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeVar

from django.db.models import Case, Q, QuerySet, Value, When

from games.archive.store import header_of, log_of
from games.models import Match
from games.records.adding import with_remarks
from games.records.notation import write_line
from replays.annotations.access import Reader, own, readable_notes
from replays.annotations.record_lines import as_records
from replays.models import Note, Study, Variation

MOST_SHOWN: Final = 2_000
"""Notes, and variations, of a match that one reader gets: their own, then the oldest."""
BOTH: Final[frozenset[type[Note | Variation]]] = frozenset({Note, Variation})
I = TypeVar("I", Note, Variation)  # noqa: E741 - an item


class Visible(NamedTuple):
    """Notes and variations by round and position, each with everything it refers to."""

    notes: list[Note]
    variations: list[Variation]


def visible(
    match: Match,
    reader: Reader,
    seen: Q | None = None,
    study: Study | None = None,
    kinds: frozenset[type[Note | Variation]] = BOTH,
) -> Visible:
    """What this reader may see of a study, or of no study; `seen`: a condition on the position.

    Leaves out anything along a variation that they may not see, replies to what is left out, and
    whatever is not of these `kinds`. But a variation is shown with the moves that lead to it: of
    those of its owner along which it lies, the moves without the words.
    """
    where = (seen or Q()) & Q(study=study)
    branches = Variation.objects.filter(where, readable_notes(reader, Variation), match=match)
    branches = branches.select_related("line").prefetch_related("readers").distinct()
    readable = _some(branches, reader)
    above = _moves_above(readable, Variation.objects.filter(where, match=match))
    shown: dict[int | None, Variation | None] = {None: None}
    for branch in sorted(
        [*readable, *above], key=lambda one: (one.depth, one.round, one.event, one.pk)
    ):
        if branch.line_id in shown:
            shown[branch.pk] = branch
    found = [branch for branch in shown.values() if branch is not None]
    found.sort(key=lambda branch: (branch.round, branch.order, branch.event, branch.pk))
    if Note not in kinds:
        return Visible([], found)
    rows = Note.objects.filter(where, readable_notes(reader), match=match)
    rows = rows.select_related("line", "reply").prefetch_related("readers").distinct()
    along = shown.keys() - {one.pk for one in above}
    notes = [note for note in _some(rows, reader) if note.line_id in along]
    notes.sort(key=lambda note: (note.round, note.event, note.pk))
    there: set[int | None] = {None}
    for note in sorted(notes, key=lambda note: note.pk):  # what is answered is older
        if note.reply_id in there:
            there.add(note.pk)
    known = [note for note in notes if note.pk in there]
    return Visible(known, found if Variation in kinds else [])


def _moves_above(readable: list[Variation], there: QuerySet[Variation]) -> list[Variation]:
    """The variations along which these lie and that the reader may not see, without their words.

    Only those of the same owner, who has shared what needs them.
    """
    known = {one.pk for one in readable}
    found: list[Variation] = []
    below = readable
    while wanted := {(one.line_id, one.owner) for one in below if one.line_id not in known} - {
        (None, one.owner) for one in below
    }:
        rows = there.filter(pk__in=[pk for pk, _ in wanted], deleted=None, hidden=False)
        below = [one for one in rows.select_related("line") if (one.pk, one.owner) in wanted]
        for one in below:
            one.text, one.html, one.tags = "", "", []
        known |= {one.pk for one in below}
        found += below
    return found


def _some(rows: QuerySet[I], reader: Reader) -> list[I]:
    """At most `MOST_SHOWN`; many people can write many, and a flood displaces nothing older."""
    others = Case(When(own(reader), then=Value(0)), default=Value(1))
    return list(rows.annotate(others=others).order_by("others", "pk")[:MOST_SHOWN])


def record_with_notes(match: Match, reader: Reader) -> Iterator[str]:
    """The record of a finished match, line by line, with what this reader may see.

    Leaves out deleted items, even for their author.
    """
    found = visible(match, reader, Q(deleted=None, hidden=False))
    remarks = as_records([*found.variations, *found.notes])
    lines = iter((header_of(match), *log_of(match)))
    return (f"{write_line(line)}\n" for line in with_remarks(lines, remarks))
