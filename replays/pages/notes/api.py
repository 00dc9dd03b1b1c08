"""Notes and variations for programs, above all the replay page (docs/notes.md)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.views.decorators.gzip import gzip_page

from games.models import Match
from games.people.matches import rights_in
from games.people.rights import Rights
from games.people.sessions import visitor_of
from games.records.log import MAX_TEXT
from replays.annotations import moderating, notes
from replays.annotations.access import Reader, readable_notes
from replays.annotations.audience import Sharing
from replays.annotations.fields import NoteJson, VariationJson, note_json, variation_json
from replays.annotations.finding import named
from replays.annotations.mentions import offered
from replays.annotations.notes import Conflict
from replays.annotations.positions import Unfit
from replays.annotations.visible import BOTH, Visible, ordered, page_of
from replays.models import Note, Study, Variation
from replays.pages.json_api import answer, body_of, json_view
from replays.pages.json_api import conflict as conflict_with
from replays.pages.notes.asked import (
    annotator_of,
    as_of_in,
    asker_of,
    blind,
    key_in,
    linked_in,
    must_be_able_to_delete,
    must_be_signer,
    must_own,
    must_write_there,
    order_in,
    reader_of,
    reason_in,
    remember_token,
    revision_in,
    said_in,
    sharing_in,
    writes_its_study,
)
from replays.pages.viewer import match_of, may_show, number

I = TypeVar("I", Note, Variation)  # noqa: E741 - an item
_KINDS: Final[dict[str, type[Note | Variation]]] = {"notes": Note, "variations": Variation}


# --- Of a match --------------------------------------------------------------------------------


@gzip_page
@json_view("GET", "POST")
def match_notes(request: HttpRequest, pk: int) -> HttpResponseBase:
    """GET: a match's notes and variations that this reader may see. POST: add a note."""
    match, rights = match_of(request, pk)
    if request.method == "POST":
        return write_note(request, match, rights)
    remember_token(request, Note.objects.filter(match=match), Variation.objects.filter(match=match))
    return notes_answer(request, match, rights)


def notes_answer(
    request: HttpRequest,
    match: Match,
    rights: Rights,
    study: Study | None = None,
    *,
    writer: bool = True,
) -> HttpResponse:
    """The notes and variations of a match, or of a study on it, and what the visitor may do.

    `only` in the query: one of the two; the other list is empty. `writer`: whether they may write
    in the study; its other readers may reply. `may_settle` in the answer: they may settle all its
    threads, and delete replies; `names`: accounts that they may mention; `may_hide`: they moderate;
    `left`: how many notes and variations come after these. `after` in the query: what comes after
    so many; `note`: what is to be among the first.
    """
    reader = reader_of(request)
    wanted = _only(request)
    seen = Q() if may_show(request) else _unseen(request)
    made: dict[Note | Variation, NoteJson | VariationJson] = {}

    def size(item: Note | Variation) -> int:
        made[item] = _fields(item, reader)
        return len(json.dumps(made[item], ensure_ascii=False).encode())

    there = ordered(match, reader, seen, study, wanted, linked=linked_in(request))
    after = max(0, number(request, "after", 0) or 0)
    found = Visible([], []) if blind(rights) else page_of(there, size, after)
    return answer(
        {
            "notes": [made[note] for note in found.notes],
            "variations": [made[one] for one in found.variations],
            "left": found.left,
            "may_write": writer and rights.annotate,
            "may_reply": rights.annotate,
            "may_settle": study is not None and writer,
            "may_hide": rights.visitor.moderator,
            "study": study is not None,
            "guest": not rights.visitor.account,
            "account": rights.visitor.account_key,
            "name": rights.visitor.name,
            "names": offered(match, found.notes, reader, study) if rights.annotate else [],
            "csrf": get_token(request),
        }
    )


def _only(request: HttpRequest) -> frozenset[type[Note | Variation]]:
    """What is asked for. Raises Unfit."""
    asked = request.GET.get("only")
    if asked is None:
        return BOTH
    if asked not in _KINDS:
        raise Unfit(f"only: expected one of {', '.join(_KINDS)}, found {asked[:60]!r}")
    return frozenset({_KINDS[asked]})


@json_view("POST")
def match_variations(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Add a variation."""
    return keep_variation(request, *match_of(request, pk))


def keep_variation(
    request: HttpRequest, match: Match, rights: Rights, study: Study | None = None
) -> HttpResponse:
    """Store the variation in the request's body."""
    author = annotator_of(request, rights)
    body = body_of(request)
    try:
        made = notes.write_variation(
            author,
            match,
            said_in(body),
            sharing_in(body) or Sharing(),
            key=key_in(body),
            line=named(Variation, match, reader_of(request), body.get("line"), "line"),
            study=study,
        )
    except Conflict as conflict:
        return _conflict(request, conflict)
    return answer(variation_json(made, reader_of(request)), HTTPStatus.CREATED)


def write_note(
    request: HttpRequest, match: Match, rights: Rights, study: Study | None = None
) -> HttpResponse:
    """Store the note in the request's body."""
    author = annotator_of(request, rights)
    body = body_of(request)
    reply = named(Note, match, reader_of(request), body.get("reply"), "reply")
    try:
        written = notes.write(
            author,
            match,
            said_in(body),
            sharing_in(body) or Sharing(),
            key=key_in(body),
            line=named(Variation, match, reader_of(request), body.get("line"), "line"),
            reply=reply,
            study=study,
        )
    except Conflict as conflict:
        return _conflict(request, conflict)
    return answer(note_json(written, reader_of(request)), HTTPStatus.CREATED)


def _unseen(request: HttpRequest) -> Q:
    """Excludes anything beyond what the viewer has seen, if they hide how matches end."""
    round_number, event = number(request, "round", 0) or 0, number(request, "event", 0) or 0
    return Q(round__lt=round_number) | Q(round=round_number, event__lte=event)


# --- One note or variation ---------------------------------------------------------------------


@json_view("GET", "PUT", "DELETE")
def note(request: HttpRequest, key: str) -> HttpResponseBase:
    """Read, change or delete one note."""
    if request.method == "GET":
        return answer(note_json(_one(Note, request, key), reader_of(request)))
    must_be_signer(request)
    return _changed(request, _one(Note, request, key))


@json_view("GET", "PUT", "DELETE")
def variation(request: HttpRequest, key: str) -> HttpResponseBase:
    """Read, rename or delete one variation."""
    if request.method == "GET":
        return answer(variation_json(_one(Variation, request, key), reader_of(request)))
    must_be_signer(request)
    return _changed(request, _one(Variation, request, key))


def _changed(request: HttpRequest, found: Note | Variation) -> HttpResponse:
    if request.method == "DELETE":
        must_be_able_to_delete(request, found)
    else:
        must_own(request, found)
        must_write_there(request, found)
    body = body_of(request)
    revision = revision_in(body)
    try:
        if request.method == "DELETE":
            by_owner = found.owner in reader_of(request).persons
            return _answered(request, notes.remove(found, revision, by_owner=by_owner))
        if isinstance(found, Note):
            said = notes.as_of(found, as_of) if (as_of := as_of_in(body)) else said_in(body)
            by = visitor_of(request).name
            changed: Note | Variation = notes.change(found, revision, said, sharing_in(body), by)
        else:
            order = order_in(body)
            changed = notes.change_variation(
                found, revision, said_in(body), sharing_in(body), order
            )
        return _answered(request, changed)
    except Conflict as conflict:
        return _conflict(request, conflict)


def _conflict(request: HttpRequest, conflict: Conflict) -> HttpResponse:
    other, reader = conflict.args[0], reader_of(request)
    mine = other.owner in reader.persons
    return conflict_with(_fields(other, reader), other.by, other.edited, you=mine)


@json_view("POST")
def promote_variation(request: HttpRequest, key: str) -> HttpResponseBase:
    """Let a variation of a variation branch off where its parent does."""
    must_be_signer(request)
    found = _one(Variation, request, key)
    must_own(request, found)
    must_write_there(request, found)
    try:
        return _answered(request, notes.promote(found, revision_in(body_of(request))))
    except Conflict as conflict:
        return _conflict(request, conflict)


@json_view("POST")
def restore_note(request: HttpRequest, key: str) -> HttpResponseBase:
    """Restore a deleted note."""
    return _restored(request, _one(Note, request, key))


@json_view("POST")
def restore_variation(request: HttpRequest, key: str) -> HttpResponseBase:
    """Restore a deleted variation."""
    must_be_signer(request)
    return _restored(request, _one(Variation, request, key))


def _restored(request: HttpRequest, found: Note | Variation) -> HttpResponse:
    must_own(request, found)
    must_write_there(request, found)
    return _answered(request, notes.restore(found))


@json_view("POST")
def settle_note(request: HttpRequest, key: str) -> HttpResponseBase:
    """Settle a thread or reopen it, for the person who started it and the writers of its study."""
    found = _one(Note, request, key)
    if not writes_its_study(request, found):
        must_own(request, found)
        must_write_there(request, found)
    settled = body_of(request).get("settled")
    if type(settled) is not bool:
        raise Unfit("settled: expected true or false")
    return _answered(request, notes.settle(found, settled=settled))


@json_view("POST")
def report_note(request: HttpRequest, key: str) -> HttpResponseBase:
    """Report a note to the moderators."""
    found = _one(Note, request, key)
    author = annotator_of(request, rights_in(request, found.match))
    notes.report(found, author, reason_in(body_of(request)))
    return answer({"reported": True})


@json_view("POST")
def hide_note(request: HttpRequest, key: str) -> HttpResponseBase:
    """Hide a note from all but its author, or show it again; for moderators, who say why."""
    found = _one(Note, request, key)
    if not visitor_of(request).moderator:
        raise PermissionDenied("only moderators hide notes")
    body = body_of(request)
    hidden, reason = body.get("hidden"), reason_in(body)
    if type(hidden) is not bool:
        raise Unfit("hidden: expected true or false")
    if not reason:
        raise Unfit("reason: expected why")
    moderating.set_hidden([found.pk], request.user, reason, hidden=hidden)
    found.hidden = hidden
    return _answered(request, found)


@json_view("GET")
def note_history(request: HttpRequest, key: str) -> HttpResponseBase:
    """A note's earlier versions, newest first, for its author."""
    found = _one(Note, request, key)
    must_own(request, found)
    history: Any = found.history  # the library has no types
    rows = history.order_by("-history_date", "-history_id")[:100]
    versions = [{"text": old.text, "glyph": old.glyph, "revision": old.revision} for old in rows]
    return answer({"history": versions})


@json_view("POST")
def preview(request: HttpRequest) -> HttpResponseBase:
    """A text as it will be rendered, and the tags that it gives a note."""
    body = body_of(request)
    text, round_number = body.get("text"), body.get("round", 1)
    if not isinstance(text, str) or len(text) > MAX_TEXT or type(round_number) is not int:
        raise Unfit(f"text: expected at most {MAX_TEXT} characters, and round: a number")
    author = asker_of(request)
    tags = notes.tags_in(text, (), author.person if author else "")
    return answer({"html": notes.as_html(text, round_number), "tags": tags})


def _one(kind: type[I], request: HttpRequest, key: str) -> I:
    """An item that this reader may see, in a match that they may see. Raises Http404."""
    remember_token(request, kind._default_manager.filter(key=key))
    rows = kind._default_manager.filter(readable_notes(reader_of(request), kind), key=key)
    found = rows.select_related("match", "line").distinct().first()
    if found is None or blind(rights_in(request, found.match)):
        raise Http404("there is no such note")
    return found


def readable_note(request: HttpRequest, match: Match) -> Note | None:
    """The note on a match that the query names, if any. Raises Http404."""
    key = request.GET.get("note")
    if key is None:
        return None
    found = _one(Note, request, key)
    if found.match_id != match.pk or found.deleted:
        raise Http404("there is no such note")
    return found


def _answered(request: HttpRequest, item: Note | Variation) -> HttpResponse:
    return answer(_fields(item, reader_of(request)))


def _fields(item: Note | Variation, reader: Reader) -> NoteJson | VariationJson:
    if isinstance(item, Note):
        return note_json(item, reader)
    return variation_json(item, reader)
