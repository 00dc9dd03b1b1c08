"""Notes and variations as pages receive them: JSON, with this reader's rights to each."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NotRequired, cast

from typing_extensions import TypedDict

from games.people.visitor import Reader
from games.records.log import MAX_LISTED, MAX_TAG
from replays.models import Note, Variation
from replays.notes.hiding import why_hidden


class _ItemJson(TypedDict):
    """The common fields of notes and variations. `html` is safe. Empty fields are omitted."""

    key: str
    round: int
    event: int
    by: str
    at: str
    edited: str
    revision: int
    visibility: str
    line: NotRequired[str]
    text: NotRequired[str]
    html: NotRequired[str]
    tags: NotRequired[list[str]]
    mine: NotRequired[bool]
    deleted: NotRequired[bool]
    hidden: NotRequired[bool]
    readers: NotRequired[list[str]]
    """For its owner, like `token`."""
    token: NotRequired[str]


class NoteJson(_ItemJson):
    """A note. `text_tags`: those of the tags that the text names.

    `why_hidden`, `answered`: a moderator's reason, and whether the author has changed it since. For
    that author and moderators.
    """

    until: NotRequired[int]
    glyph: NotRequired[str]
    marks: NotRequired[list[str]]
    arrows: NotRequired[list[str]]
    reply: NotRequired[str]
    settled: NotRequired[bool]
    text_tags: NotRequired[list[str]]
    why_hidden: NotRequired[str]
    answered: NotRequired[bool]


class VariationJson(_ItemJson):
    """A variation, with its events in the record format."""

    length: int
    depth: int
    events: list[dict[str, Any]]
    ended: NotRequired[bool]
    order: NotRequired[int]


def note_json(note: Note, reader: Reader) -> NoteJson:
    said = {
        "until": note.until,
        "glyph": note.glyph,
        "marks": note.marks,
        "arrows": note.arrows,
        "reply": note.reply.key if note.reply else None,
        "settled": note.settled,
        "text_tags": hashtags(note.tags, note.text),
        **_why(note, reader),
    }
    return cast(NoteJson, {**_common(note, reader), **_given_fields(said)})


def _why(note: Note, reader: Reader) -> dict[str, Any]:
    may_know = note.hidden and (reader.moderator or note.owner in reader.persons)
    why = why_hidden(note) if may_know else None
    return {"why_hidden": why.reason, "answered": why.answered} if why else {}


def variation_json(variation: Variation, reader: Reader) -> VariationJson:
    made = {
        "length": variation.length,
        "depth": variation.depth,
        "events": json.loads(variation.events),
    }
    said = {"ended": variation.ended, "order": variation.order or None}
    return cast(VariationJson, {**_common(variation, reader), **made, **_given_fields(said)})


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
        "visibility": item.audience,
        **_given_fields(said),
    }


def _readers(item: Note | Variation) -> list[str]:
    """The readers its owner has named. Prefetch them for lists. A reply names none of its own."""
    reply = isinstance(item, Note) and item.reply_id is not None
    if reply or item.visibility != item.Visibility.PEOPLE:
        return []
    return sorted(user.get_username() for user in item.readers.all())


def _given_fields(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], False)}


# --- Tags in a note's words -----------------------------------------------------------------------


_CODE: Final = re.compile(r"(`+)[^`]+\1")
_TAG: Final = re.compile(r"(?<![\w/#&\\@.])(?<!\]\()#([^\W\d_][\w-]*)")


# `#missed-take` in a text gives the note the tag "missed take". A tag is the same however it is
# written: capitals do not matter, and `-`, `_` and a space are one.


def with_hashtags(tags: Iterable[str], text: str) -> list[str]:
    """A note's tags and those that its text names, each once, as many as a note may have."""
    listed = list(tags)
    if "#" not in text:
        return listed
    spelled = {_same(tag): tag for tag in listed}
    for word in _words(text):
        tag = spelled.setdefault(_same(word), re.sub(r"[-_]+", " ", word))
        if tag not in listed and len(listed) < MAX_LISTED:
            listed.append(tag)
    return listed


def hashtags(tags: Iterable[str], text: str) -> list[str]:
    """Those of a note's tags that its text names."""
    if "#" not in text:
        return []
    words = {_same(word) for word in _words(text)}
    return [tag for tag in tags if _same(tag) in words]


def _words(text: str) -> Iterator[str]:
    """What follows each `#` before a letter, but in code."""
    for match in _TAG.finditer(_CODE.sub(" ", text)):
        word = match[1].rstrip("-_")
        if len(word) <= MAX_TAG:
            yield word


def _same(tag: str) -> str:
    return re.sub(r"[-_\s]+", " ", tag).strip().casefold()
