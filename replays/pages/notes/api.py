"""Notes and variations, above all for the replay page (docs/reference/notes.md)."""

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, Literal, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _
from ninja import Query, Router, Status
from pydantic import BaseModel
from typing_extensions import TypedDict

from games.models import Match
from games.pages.operations import NonNegativeInt
from games.pages.problems import Refused, conflict
from games.people.rights import Rights
from games.people.visit import Request, Visit
from games.people.visitor import Reader
from replays.models import Note, Study, Variation
from replays.notes import hiding, notes
from replays.notes.access import readable_notes
from replays.notes.audience import Sharing
from replays.notes.fields import (
    NoteJson,
    VariationJson,
    note_json,
    variation_json,
    with_hashtags,
)
from replays.notes.finding import named
from replays.notes.mentions import offered
from replays.notes.positions import ValidationFault
from replays.notes.visible import BOTH, Visible, ordered, page_of
from replays.pages.notes.access import (
    linked,
    must_annotate,
    must_be,
    must_be_able_to_delete,
    must_own,
    must_write_there,
    remember_token,
    writes_its_study,
)
from replays.pages.notes.schemas import (
    UNSIGNED,
    ChangedNote,
    ChangedVariation,
    Hidden,
    NewNote,
    NewVariation,
    Previewed,
    Reasoned,
    Revised,
    Settled,
    Signed,
)

router = Router(tags=["notes"])
I = TypeVar("I", Note, Variation)  # noqa: E741 - an item
Kind = Literal["notes", "variations"]
_KINDS: Final[dict[Kind, type[Note | Variation]]] = {"notes": Note, "variations": Variation}
_NAMED: Final[dict[type[Note | Variation], dict[str, type[Any]]]] = {
    Note: {"line": Variation, "reply": Note},
    Variation: {"line": Variation},
}
"""The possible parents of a new one, by their names in its body."""
_WRITE: Final[dict[type[Note | Variation], Callable[..., Note | Variation]]] = {
    Note: notes.write,
    Variation: notes.write_variation,
}


class NotesJson(TypedDict):
    """The notes and variations of a match, or of a study on it, and the visitor's rights.

    `may_settle`: they may settle all its threads, and delete replies. `names`: accounts that they
    may mention. `classes`: the names of their classes, by key. `may_hide`: they moderate. `left`:
    how many notes and variations come after these.
    """

    notes: list[NoteJson]
    variations: list[VariationJson]
    left: int
    may_write: bool
    may_reply: bool
    may_settle: bool
    may_hide: bool
    study: bool
    guest: bool
    account: str
    name: str
    names: list[str]
    classes: dict[str, str]


class NoteVersion(TypedDict):
    """A note's words at a revision."""

    text: str
    glyph: str
    revision: int


class History(TypedDict):
    """A note's earlier versions, newest first."""

    history: list[NoteVersion]


class Preview(TypedDict):
    """A text as it will be rendered, and the tags that it gives a note."""

    html: str
    tags: list[str]


class Complaint(TypedDict):
    """The moderators have got the report."""

    complained: bool


class Which(BaseModel):
    """The requested part of the notes.

    `only`: one of the two kinds, the other list is empty. `after`: skip so many. `note`: put it
    among the first. With `round` and `event`, and for viewers who hide results, only notes up to
    there.
    """

    only: Kind | None = None
    after: NonNegativeInt = 0
    note: str = ""
    round: NonNegativeInt = 0
    event: NonNegativeInt = 0


# --- Of a match --------------------------------------------------------------------------------


@router.get("/matches/{match:pk}/notes", url_name="notes", response=NotesJson)
def match_notes(request: Request, pk: int, which: Query[Which]) -> NotesJson:
    """A match's notes and variations that this reader may see."""
    match, rights = request.visit.match(pk)
    mine = Note.objects.filter(match=match), Variation.objects.filter(match=match)
    remember_token(request.visit, *mine)
    return notes_of(request, match, rights, which)


@router.post("/matches/{match:pk}/notes", url_name="notes", response={201: NoteJson})
def add_note(request: Request, pk: int, asked: NewNote) -> Status[NoteJson]:
    """Add a note."""
    return written(request.visit, Note, asked, request.visit.match(pk))


@router.post("/matches/{match:pk}/variations", url_name="variations", response={201: VariationJson})
def add_variation(request: Request, pk: int, asked: NewVariation) -> Status[VariationJson]:
    """Add a variation."""
    return written(request.visit, Variation, asked, request.visit.match(pk))


def notes_of(
    request: Request,
    match: Match,
    rights: Rights,
    which: Which,
    study: Study | None = None,
    *,
    writer: bool = True,
) -> NotesJson:
    """The notes and variations of a match, or of a study on it.

    `writer`: whether they may write in the study. Its other readers may reply.
    """
    reader = request.visit.reader
    wanted = BOTH if which.only is None else frozenset({_KINDS[which.only]})
    so_far = Q(round__lt=which.round) | Q(round=which.round, event__lte=which.event)
    shows = request.visit.shows_results and "round" not in which.model_fields_set
    seen = Q() if shows else so_far
    made: dict[Note | Variation, Any] = {}

    def size(item: Note | Variation) -> int:
        made[item] = _fields(item, reader)
        return len(json.dumps(made[item], ensure_ascii=False).encode())

    there = ordered(match, reader, seen, study, wanted, linked=linked(which.note))
    visible = Visible([], []) if not rights.review else page_of(there, size, which.after)
    return {
        "notes": [made[note] for note in visible.notes],
        "variations": [made[variation] for variation in visible.variations],
        "left": visible.left,
        "may_write": writer and rights.annotate,
        "may_reply": rights.annotate,
        "may_settle": study is not None and writer,
        "may_hide": rights.visitor.moderator,
        "study": study is not None,
        "guest": not rights.visitor.account,
        "account": rights.visitor.account_key,
        "name": rights.visitor.name,
        "classes": request.visit.classes if rights.annotate else {},
        "names": offered(match, visible.notes, reader, study) if rights.annotate else [],
    }


def written(
    visit: Visit,
    kind: type[Note | Variation],
    asked: NewNote | NewVariation,
    where: tuple[Match, Rights],
    study: Study | None = None,
) -> Status[Any]:
    """Store the note or variation that a body describes."""
    match, rights = where
    must_annotate(rights)
    must_be(visit, asked.as_)
    more: dict[str, Any] = {"key": asked.key, "study": study}
    for name, of in _NAMED[kind].items():
        more[name] = named(of, match, visit.reader, getattr(asked, name), name)
    sharing = asked.sharing(visit) or Sharing()
    made = _WRITE[kind](visit.sign(), match, asked.remark(), sharing, **more)
    return Status(HTTPStatus.CREATED, _fields(made, visit.reader))


# --- One note or variation ---------------------------------------------------------------------


@router.post("/notes/preview", url_name="note_preview", response=Preview)
def preview_note(request: Request, asked: Previewed) -> Preview:
    """A text as it will be rendered, and the tags that it gives a note."""
    tags = with_hashtags((), asked.text)
    return {"html": notes.as_html(asked.text, asked.round), "tags": tags}


@router.get("/notes/{slug:key}", url_name="note", response=NoteJson)
def read_note(request: Request, key: str) -> NoteJson:
    """One note."""
    return note_json(_readable(Note, request.visit, key), request.visit.reader)


@router.put("/notes/{slug:key}", url_name="note", response=NoteJson)
def change_note(request: Request, key: str, asked: ChangedNote) -> NoteJson:
    """Change a note, or restore one of its revisions."""
    visit = request.visit
    note = _mine(Note, visit, key, asked)
    said = notes.as_of(note, asked.as_of) if asked.as_of else asked.remark(note)
    made = notes.change(note, asked.revision, said, asked.sharing(visit), visit.visitor.name)
    return note_json(made, visit.reader)


@router.delete("/notes/{slug:key}", url_name="note", response=NoteJson)
def delete_note(request: Request, key: str, asked: Revised) -> NoteJson:
    """Delete a note."""
    return note_json(_removed(Note, request.visit, key, asked), request.visit.reader)


@router.post("/notes/{slug:key}/restore", url_name="note_restore", response=NoteJson)
def restore_note(request: Request, key: str, asked: Signed = UNSIGNED) -> NoteJson:
    """Restore a deleted note."""
    note = _mine(Note, request.visit, key, asked)
    return note_json(notes.restore(note), request.visit.reader)


@router.post("/notes/{slug:key}/settle", url_name="note_settle", response=NoteJson)
def settle_note(request: Request, key: str, asked: Settled) -> NoteJson:
    """Settle a thread or reopen it, for the person who started it and the writers of its study."""
    note = _readable(Note, request.visit, key)
    if not writes_its_study(request.visit, note):
        must_own(request.visit, note)
        must_write_there(request.visit, note)
    return note_json(notes.settle(note, settled=asked.settled), request.visit.reader)


@router.post("/notes/{slug:key}/complaint", url_name="note_complaint", response=Complaint)
def complain_about_note(request: Request, key: str, asked: Reasoned) -> Complaint:
    """Tell the moderators about a note."""
    note = _readable(Note, request.visit, key)
    must_annotate(request.visit.rights(note.match))
    must_be(request.visit, asked.as_)
    notes.complain(note, request.visit.sign(), asked.reason)
    return {"complained": True}


@router.post("/notes/{slug:key}/hide", url_name="note_hide", response=NoteJson)
def hide_note(request: Request, key: str, asked: Hidden) -> NoteJson:
    """Hide a note from all but its author, or show it again. For moderators, with a reason."""
    note = _readable(Note, request.visit, key)
    if not request.visit.visitor.moderator:
        raise PermissionDenied(_("only moderators hide notes"))
    if not asked.reason:
        raise ValidationFault("reason: expected one")
    hiding.set_hidden(Note, [note.pk], request.user, asked.reason, hidden=asked.hidden)
    note.hidden = asked.hidden
    return note_json(note, request.visit.reader)


@router.get("/notes/{slug:key}/history", url_name="note_history", response=History)
def note_history(request: Request, key: str) -> History:
    """A note's earlier versions, newest first, for its author."""
    note = _readable(Note, request.visit, key)
    must_own(request.visit, note)
    history: Any = note.history  # the library has no types
    rows = history.order_by("-history_date", "-history_id")[:100]
    return {
        "history": [
            {"text": old.text, "glyph": old.glyph, "revision": old.revision} for old in rows
        ]
    }


@router.get("/variations/{slug:key}", url_name="variation", response=VariationJson)
def read_variation(request: Request, key: str) -> VariationJson:
    """One variation."""
    return variation_json(_readable(Variation, request.visit, key), request.visit.reader)


@router.put("/variations/{slug:key}", url_name="variation", response=VariationJson)
def change_variation(request: Request, key: str, asked: ChangedVariation) -> VariationJson:
    """Change a variation's words, its order or its events."""
    visit = request.visit
    variation = _mine(Variation, visit, key, asked)
    said = asked.revision, asked.remark(variation), asked.sharing(visit), asked.order
    return variation_json(notes.change_variation(variation, *said), visit.reader)


@router.delete("/variations/{slug:key}", url_name="variation", response=VariationJson)
def delete_variation(request: Request, key: str, asked: Revised) -> VariationJson:
    """Delete a variation."""
    return variation_json(_removed(Variation, request.visit, key, asked), request.visit.reader)


@router.post("/variations/{slug:key}/promote", url_name="variation_promote", response=VariationJson)
def promote_variation(request: Request, key: str, asked: Revised) -> VariationJson:
    """Let a variation of a variation branch off where its parent does."""
    variation = _mine(Variation, request.visit, key, asked)
    return variation_json(notes.promote(variation, asked.revision), request.visit.reader)


@router.post("/variations/{slug:key}/restore", url_name="variation_restore", response=VariationJson)
def restore_variation(request: Request, key: str, asked: Signed = UNSIGNED) -> VariationJson:
    """Restore a deleted variation."""
    variation = _mine(Variation, request.visit, key, asked)
    return variation_json(notes.restore(variation), request.visit.reader)


def _mine(kind: type[I], visit: Visit, key: str, asked: Signed) -> I:
    """An item that this visitor may change. Raises Http404, PermissionDenied."""
    must_be(visit, asked.as_)
    row = _readable(kind, visit, key)
    must_own(visit, row)
    must_write_there(visit, row)
    return row


def _removed(kind: type[I], visit: Visit, key: str, asked: Revised) -> I:
    must_be(visit, asked.as_)
    row = _readable(kind, visit, key)
    must_be_able_to_delete(visit, row)
    by_owner = row.owner in visit.reader.persons
    return notes.remove(row, asked.revision, by_owner=by_owner)


def overtaken(visit: Visit, other: Note | Variation) -> Refused:
    """Somebody else has changed the item, or has one of that key."""
    reader = visit.reader
    mine = other.owner in reader.persons
    return conflict(_fields(other, reader), other.by, other.edited, you=mine)


def _readable(kind: type[I], visit: Visit, key: str) -> I:
    """An item that this reader may see, in a match that they may see. Raises Http404."""
    remember_token(visit, kind._default_manager.filter(key=key))
    rows = kind._default_manager.filter(readable_notes(visit.reader, kind), key=key)
    row = rows.select_related("match", "line").distinct().first()
    if row is None or not visit.rights(row.match).review:
        raise Http404(_("there is no such note"))
    return row


def readable_note(request: Request, match: Match) -> Note | None:
    """The note on a match that the query names, if any. Raises Http404."""
    key = request.GET.get("note")
    if key is None:
        return None
    note = _readable(Note, request.visit, key)
    if note.match_id != match.pk or note.deleted:
        raise Http404(_("there is no such note"))
    return note


def _fields(item: Note | Variation, reader: Reader) -> NoteJson | VariationJson:
    if isinstance(item, Note):
        return note_json(item, reader)
    return variation_json(item, reader)
