"""Stored notes and variations as lines of a record."""

from collections.abc import Iterable
from typing import Any

from games.records.log import Note as RecordNote
from games.records.log import Variation as RecordVariation
from replays.models import Note, Variation
from replays.models.notes import Annotation
from replays.notes.positions import events_of


def as_records(items: Iterable[Note | Variation]) -> list[RecordNote | RecordVariation]:
    """Notes and variations as lines of the record format, in the order given."""
    return [_note_line(item) if isinstance(item, Note) else _branch_line(item) for item in items]


def _note_line(note: Note) -> RecordNote:
    return RecordNote(
        note.round,
        note.event,
        note.by,
        note.glyph or None,
        note.text,
        tuple(note.marks),
        **_common(note),
        until=note.until,
        arrows=tuple(note.arrows),
        reply=note.reply.key if note.reply else None,
    )


def _branch_line(variation: Variation) -> RecordVariation:
    place = variation.round, variation.event
    said = variation.by, variation.text
    return RecordVariation(*place, *said, events_of(variation), **_common(variation))


def _common(item: Annotation) -> dict[str, Any]:
    return {
        "id": item.key,
        "line": item.line.key if item.line else None,
        "at": item.created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "tags": tuple(item.tags),
    }
