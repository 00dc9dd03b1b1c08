"""Tags by players: as a table, whose numbers play the notes, and as a file."""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from games.models import Match
from games.people.visit import Visit
from replays.models import Note
from replays.notes import tagging
from replays.notes.access import own
from replays.pages.rendering import Cell
from replays.pages.telling import seats_known, titles_of

LATEST: Final = 500
"""How many of a visitor's latest tagged notes are looked at for matches."""

Spans = dict[str, list[dict[str, Any]]]
"""The playlist items of each cell of the table, by the cell's key."""


class Tagged(NamedTuple):
    """The table. Each column has its tag, how the keys of its cells begin, and its notes: a note
    about two players is one. Each row has a player, empty for none, and the cells (key, tag,
    count)."""

    columns: list[tuple[str, str, int]]
    rows: list[tuple[str, list[tuple[str, str, int]]]]


def tags_in(visit: Visit, matches: Sequence[Match]) -> dict[str, Any]:
    """The table over these matches, as far as the visitor may see them and read their notes.

    A few queries. `kept_back`: tags would reveal results that the visitor has hidden.
    """
    seen = visit.reviewed(matches)
    listed = [match.pk for match in matches if match.pk in seen][: tagging.MOST_MATCHES]
    shown = visit.shows_results
    matrix = _matrix(visit, listed) if listed and shown else None
    spans = _spans(matrix, titles_of(listed, visit.visitor.classes)) if matrix else {}
    return {
        "tags": _table(matrix, spans) if matrix and matrix.tags else None,
        "spans": spans,
        "kept_back": bool(listed) and not shown,
    }


def _matrix(visit: Visit, matches: Collection[int]) -> tagging.Matrix:
    seats = seats_known(matches, visit.visitor.classes)
    names = {pk: [seat.name for seat in rows] for pk, rows in seats.items()}
    return tagging.matrix(names, visit.reader)


def as_lines(tags: Tagged | None) -> tuple[list[str], list[list[Cell]]]:
    """The same as the head and the lines of a file."""
    if tags is None:
        return ["player"], []
    lines: list[list[Cell]] = [
        [name or _("no particular player"), *(count for _key, _tag, count in cells)]
        for name, cells in tags.rows
    ]
    return ["player", *(tag for tag, _begin, _total in tags.columns)], lines


def tagged_lately(visit: Visit) -> list[Match]:
    """The matches on which this visitor has tagged something, the latest first. Two queries."""
    rows = Note.objects.filter(own(visit.reader), deleted=None).exclude(tags=[])
    lately = dict.fromkeys(rows.order_by("-edited").values_list("match", flat=True)[:LATEST])
    known = Match.objects.in_bulk(list(lately)[: tagging.MOST_MATCHES])
    return [known[pk] for pk in lately if pk in known]


def _table(matrix: tagging.Matrix, spans: Spans) -> Tagged:
    columns = []
    for at, tag in enumerate(matrix.tags):
        keys = [f"{at}.{player}" for player in range(len(matrix.players))]
        notes = {span["note"] for key in keys for span in spans.get(key, ())}
        columns.append((tag, f"{at}.", len(notes)))
    rows = []
    for player, name in enumerate(matrix.players):
        named = ((f"{at}.{player}", tag) for at, tag in enumerate(matrix.tags))
        rows.append((name, [(key, tag, len(spans.get(key, ()))) for key, tag in named]))
    return Tagged(columns, rows)


def _spans(matrix: tagging.Matrix, names: dict[int, str]) -> Spans:
    return {
        f"{matrix.tags.index(tag)}.{matrix.players.index(player)}": [
            {
                "match": note.match_id,
                "round": note.round,
                "event": note.event,
                "until": note.event if note.until is None else note.until,
                "label": f"{tag}{player and f', {player}'} ({names[note.match_id]})"[:200],
                "note": note.key,
            }
            for note in notes
            if note.line_id is None
        ]
        for (tag, player), notes in matrix.cells.items()
    }
