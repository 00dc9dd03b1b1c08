"""Notes and variations as pages receive them: JSON, with this reader's rights to each."""

from __future__ import annotations

import json
from typing import Any

from replays.annotations.access import Reader
from replays.annotations.hashtags import hashtags
from replays.models import Note, Variation


def note_json(note: Note, reader: Reader) -> dict[str, Any]:
    """A note. Empty fields are omitted, as in a record; `html` is safe to show.

    `text_tags`: those of the tags that the text names.
    """
    said = {
        "until": note.until,
        "glyph": note.glyph,
        "marks": note.marks,
        "arrows": note.arrows,
        "reply": note.reply.key if note.reply else None,
        "settled": note.settled,
        "text_tags": hashtags(note.tags, note.text),
    }
    return {**_common(note, reader), **_said(said)}


def variation_json(variation: Variation, reader: Reader) -> dict[str, Any]:
    """A variation, with its events in the record format."""
    made = {
        "length": variation.length,
        "depth": variation.depth,
        "events": json.loads(variation.events),
    }
    return {
        **_common(variation, reader),
        **made,
        **_said({"ended": variation.ended, "order": variation.order or None}),
    }


def _common(item: Note | Variation, reader: Reader) -> dict[str, Any]:
    mine = item.owner in reader.persons
    said = {
        "line": item.line.key if item.line else None,
        "text": item.text,
        "html": item.html,
        "tags": item.tags,
        "mine": mine,
        "deleted": item.deleted is not None,
        "hidden": item.hidden,
        "readers": _readers(item) if mine else [],
        "token": item.token if mine and item.visibility == item.Visibility.LINK else "",
    }
    return {
        "key": item.key,
        "round": item.round,
        "event": item.event,
        "by": item.by,
        "at": item.created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "edited": item.edited.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "revision": item.revision,
        "visibility": item.visibility,
        **_said(said),
    }


def _readers(item: Note | Variation) -> list[str]:
    """The readers its owner has named; prefetch them for lists. A reply names none of its own."""
    reply = isinstance(item, Note) and item.reply_id is not None
    if reply or item.visibility != item.Visibility.PEOPLE:
        return []
    return sorted(user.get_username() for user in item.readers.all())


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], False)}
