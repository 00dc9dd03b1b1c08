"""The notes and variations of a match for a reader, on a page or in an exported record.

The order is found without reading the words (`ordered`). Then an answer reads as much as it has
room for (`page_of`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import Case, Q, QuerySet, Value, When

from games.archive.store import header_of, log_of, under_names
from games.models import Match
from games.people.visitor import Reader
from games.records.adding import with_remarks
from games.records.notation import write_line
from replays.models import Note, Study, Variation
from replays.notes.access import own, readable_notes
from replays.notes.record_lines import as_records

MOST_SHOWN: Final = 2_000
"""Notes, and variations, of a match that one reader gets: their own, then the oldest."""
MOST_BYTES: Final = 1_900_000
"""How large the notes and variations of one answer get together."""
BOTH: Final[frozenset[type[Note | Variation]]] = frozenset({Note, Variation})
_AT_ONCE: Final = 50
_PLACE: Final = ("pk", "owner", "line_id")


_Wanted = tuple[type[Note] | type[Variation], int]


class Visible(NamedTuple):
    """Notes and variations by round and position. `left`: how many come after these."""

    notes: list[Note]
    variations: list[Variation]
    left: int = 0


class Ordered(NamedTuple):
    """The keys of all that a reader may see. A parent comes before its children.

    Theirs and the linked note come first, then the oldest. A thread stays together. `moves_only`:
    the variations whose words they may not see.
    """

    variations: list[int]
    notes: list[int]
    moves_only: frozenset[int]


class _Row(NamedTuple):
    pk: int
    owner: str
    line_id: int | None
    parent: int | None
    """A reply's note, or a variation's line."""
    first: int = 1
    """0: it is to come first."""


def ordered(
    match: Match,
    reader: Reader,
    seen: Q | None = None,
    study: Study | None = None,
    kinds: frozenset[type[Note | Variation]] = BOTH,
    *,
    linked: str = "",
) -> Ordered:
    """This reader's items of a study, or of no study. `seen`: a condition on the position.

    Leaves out anything along a variation that they may not see, replies to omitted notes, and all
    other `kinds`. But a variation is shown with the moves that lead to it: along other variations
    of its owner, the moves without the words.
    """
    where = (seen or Q()) & Q(study=study, match=match)
    branches = Variation.objects.filter(where, readable_notes(reader, Variation))
    readable = _rows(branches, reader, linked, "line_id")
    above = _moves_above(readable, Variation.objects.filter(where))
    hidden = frozenset(row.pk for row in above)
    lines = _grown([*readable, *above])
    if Note not in kinds:
        return Ordered(lines, [], hidden)
    rows = _rows(Note.objects.filter(where, readable_notes(reader)), reader, linked, "reply_id")
    along = {None, *lines} - hidden
    notes = _grown([row for row in rows if row.line_id in along])
    return Ordered(lines if Variation in kinds else [], notes, hidden)


def _rows(there: QuerySet[Any], reader: Reader, linked: str, parent: str) -> list[_Row]:
    """At most `MOST_SHOWN` rows: the reader's own, then the oldest. A flood displaces none."""
    wanted = own(reader) | Q(key=linked) if linked else own(reader)
    first = Case(When(wanted, then=Value(0)), default=Value(1))
    rows = there.annotate(first=first).order_by("first", "pk").distinct()
    return [
        _Row(row["pk"], row["owner"], row["line_id"], row[parent], row["first"])
        for row in rows.values(*{*_PLACE, parent}, "first")[:MOST_SHOWN]
    ]


def _grown(rows: list[_Row]) -> list[int]:
    """The keys in order, each after its parent. Without those whose root is not there."""
    below: dict[int | None, list[_Row]] = {}
    for row in sorted(rows):
        below.setdefault(row.parent, []).append(row)
    threads = []
    for root in below.get(None, ()):
        thread = [root]
        for row in thread:
            thread += below.get(row.pk, ())
        threads.append((min(row.first for row in thread), [row.pk for row in thread]))
    threads.sort(key=lambda thread: thread[0])
    return [pk for _, thread in threads for pk in thread]


def _moves_above(readable: list[_Row], there: QuerySet[Variation]) -> list[_Row]:
    """The variations along which these lie and that the reader may not see.

    Only those of the same owner, who has shared what needs them.
    """
    known = {row.pk for row in readable}
    moves: list[_Row] = []
    below = readable
    while wanted := {(row.line_id, row.owner) for row in below if row.line_id not in known} - {
        (None, row.owner) for row in below
    }:
        rows = there.filter(pk__in=[pk for pk, _ in wanted], deleted=None, hidden=False)
        some = [_Row(pk, owner, line, line) for pk, owner, line in rows.values_list(*_PLACE)]
        below = [row for row in some if (row.pk, row.owner) in wanted]
        known |= {row.pk for row in below}
        moves += below
    return moves


def page_of(there: Ordered, size: Callable[[Note | Variation], int], after: int = 0) -> Visible:
    """The items after so many: as many as have room, at least one. `size`: the bytes of each."""
    wanted: list[_Wanted] = [(Variation, pk) for pk in there.variations]
    wanted += [(Note, pk) for pk in there.notes]
    shown: list[Note | Variation] = []
    room = MOST_BYTES
    for start in range(after, len(wanted), _AT_ONCE):
        for item in _read_items(wanted[start : start + _AT_ONCE], there.moves_only):
            room -= size(item)
            if room < 0 and shown:
                return _visible(shown, len(wanted) - after - len(shown))
            shown.append(item)
    return _visible(shown, 0)


def _read_items(
    wanted: Sequence[_Wanted], moves_only: frozenset[int]
) -> Iterator[Note | Variation]:
    rows: Mapping[tuple[type, int], Note | Variation] = {
        (kind, item.pk): item
        for kind, names in ((Variation, ("line",)), (Note, ("line", "reply")))
        for item in kind._default_manager.filter(
            pk__in=[pk for its_kind, pk in wanted if its_kind is kind]
        )
        .select_related(*names)
        .defer(*(f"{name}__{field}" for name in names for field in ("text", "html")))
        .defer("line__events")
        .prefetch_related("readers")
    }
    for place in wanted:
        if (item := rows.get(place)) is None:
            continue  # it has been deleted just now
        if item.pk in moves_only and isinstance(item, Variation):
            item.text, item.html, item.tags = "", "", []
        yield item


def _visible(shown: list[Note | Variation], left: int) -> Visible:
    notes = [item for item in shown if isinstance(item, Note)]
    variations = [item for item in shown if isinstance(item, Variation)]
    notes.sort(key=lambda note: (note.round, note.event, note.pk))
    variations.sort(key=lambda branch: (branch.round, branch.order, branch.event, branch.pk))
    return Visible(notes, variations, left)


def _size_in_record(item: Note | Variation) -> int:
    """About: the words, the moves, and everything else at its most."""
    moves = len(item.events) if isinstance(item, Variation) else 0
    return len(item.text.encode()) + moves + 1_000


def record_with_notes(match: Match, reader: Reader, names: Sequence[str] = ()) -> Iterator[str]:
    """The record of a finished match, line by line, with this reader's items.

    Leaves out deleted items, even for their author, and those without room. `names`: of its seats,
    in place of those in its header.
    """
    header = under_names(header_of(match), names) if names else header_of(match)
    there = ordered(match, reader, Q(deleted=None, hidden=False))
    visible = page_of(there, _size_in_record)
    remarks = as_records([*visible.variations, *visible.notes])
    lines = iter((header, *log_of(match)))
    return (f"{write_line(line)}\n" for line in with_remarks(lines, remarks))
