"""Tags by players: as a table, whose numbers play the notes, and as a file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

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
Row = tuple[str, str, list[tuple[str, str, int]], int]
"""A tag, how its cells' keys begin, each player's cell (key, name, count), and the total."""


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
        "tags": _table(matrix, spans) if matrix else [],
        "spans": spans,
        "kept_back": bool(listed) and not shown,
    }


def _matrix(visit: Visit, matches: Collection[int]) -> tagging.Matrix:
    seats = seats_known(matches, visit.visitor.classes)
    names = {pk: [seat.name for seat in rows] for pk, rows in seats.items()}
    return tagging.matrix(names, visit.reader)


def as_lines(rows: Sequence[Row]) -> tuple[list[str], list[list[Cell]]]:
    """The same as the head and the lines of a file."""
    players = [name or _("no particular player") for _key, name, _n in rows[0][2]] if rows else []
    lines: list[list[Cell]] = [
        [tag, *(count for _key, _name, count in cells), total] for tag, _row, cells, total in rows
    ]
    return ["tag", *players, "all"], lines


def tagged_lately(visit: Visit) -> list[Match]:
    """The matches on which this visitor has tagged something, the latest first. Two queries."""
    rows = Note.objects.filter(own(visit.reader), deleted=None).exclude(tags=[])
    lately = dict.fromkeys(rows.order_by("-edited").values_list("match", flat=True)[:LATEST])
    known = Match.objects.in_bulk(list(lately)[: tagging.MOST_MATCHES])
    return [known[pk] for pk in lately if pk in known]


def _table(matrix: tagging.Matrix, spans: Spans) -> list[Row]:
    """The rows of the table. A note about two players is one of all."""
    rows: list[Row] = []
    for row, tag in enumerate(matrix.tags):
        cells = [(f"{row}.{at}", name) for at, name in enumerate(matrix.players)]
        counts = [(key, name, len(spans.get(key, ()))) for key, name in cells]
        notes = {span["note"] for key, _name in cells for span in spans.get(key, ())}
        rows.append((tag, f"{row}.", counts, len(notes)))
    return rows


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
