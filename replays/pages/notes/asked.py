"""Who asks for notes, what they may do with them, and what a request's body says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from games.models import Match
from games.people import guests
from games.people.guests import player, tokens_of
from games.people.matches import rights_in
from games.people.person import encode
from games.people.rights import Rights
from games.people.sessions import visitor_of
from replays.annotations import access
from replays.annotations.access import Reader, readable, readable_study, writable_study
from replays.annotations.audience import Sharing
from replays.annotations.notes import Author
from replays.annotations.positions import Unfit
from replays.models import Note, Playlist, Shared, Study, Variation
from replays.pages.json_api import body_of

MOST_READERS: Final = 50
MOST_ORDER: Final = 10_000
MOST_REASON: Final = 500
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_SAID: Final = ("round", "event", "until", "glyph", "tags", "text", "marks", "arrows", "events")


# --- Who asks --------------------------------------------------------------------------------


def reader_of(request: HttpRequest) -> Reader:
    """The requester as a reader."""
    return access.reader(visitor_of(request))


def asker_of(request: HttpRequest) -> Author | None:
    """The requester as an author, if they have a name and an identity."""
    visitor = visitor_of(request)
    if visitor.person is None or not visitor.named:
        return None
    user = request.user if request.user.is_authenticated else None
    return Author(encode(visitor.person), visitor.name, user)


def author_of(request: HttpRequest) -> Author:
    """The requester as an author; becomes a guest if necessary."""
    person, name = player(request)
    user = request.user if request.user.is_authenticated else None
    return Author(encode(person), name, user)


def annotator_of(request: HttpRequest, rights: Rights) -> Author:
    """The author of a note on a match. Raises PermissionDenied."""
    if not rights.annotate:
        raise PermissionDenied("you cannot write notes on a match while playing in it")
    must_be_signer(request)
    return author_of(request)


def must_be_signer(request: HttpRequest) -> None:
    """Raise PermissionDenied if the body is another account's.

    `as` in the body is the account that the page was loaded for: what its owner wrote is not
    signed or sent by a guest, or by somebody else, if they have logged out in the meantime.
    """
    account, visitor = body_of(request).get("as"), visitor_of(request)
    if account is not None and (not visitor.account or visitor.name != account):
        raise PermissionDenied(f"you are not logged in as {account} any more")


def remember_token(request: HttpRequest, *items: QuerySet[Any]) -> None:
    """Remember the token in the URL (`?share=`), if it opens one of these items by link.

    No other token enters the list: invented ones would push real ones out of it.
    """
    token = request.GET.get("share", "")
    if not _KEY.fullmatch(token) or token in tokens_of(request.session):
        return
    opens = {"token": token, "visibility": Shared.Visibility.LINK, "deleted": None}
    if any(rows.filter(**opens).exists() for rows in items):
        study = any(rows.model is Study for rows in items)
        guests.remember_token(request.session, token, study=study)


def blind(rights: Rights) -> bool:
    """Whether notes are hidden from them: nobody is coached while playing."""
    return not rights.see or (rights.access.secret and rights.play)


def watched(request: HttpRequest, pk: int) -> Match | None:
    """A match by its number, if this visitor may see it and is not playing in it."""
    match = Match.objects.filter(pk=pk).first()
    return None if match is None or blind(rights_in(request, match)) else match


def playlist_of(request: HttpRequest, key: str) -> Playlist:
    """A playlist that this visitor may see. Raises Http404."""
    remember_token(request, Playlist.objects.filter(key=key))
    rows = Playlist.objects.filter(readable(reader_of(request)), key=key, deleted=None)
    found = rows.distinct().first()
    if found is None:
        raise Http404("there is no such playlist")
    return found


def must_own(request: HttpRequest, item: Shared) -> None:
    """Raise PermissionDenied unless this visitor is the owner."""
    if item.owner not in reader_of(request).persons:
        raise PermissionDenied("only its author may do this")


def must_write_there(request: HttpRequest, item: Note | Variation) -> None:
    """Raise PermissionDenied if it is in a study that this visitor may not change (any more).

    Its readers may change their replies, and authors may delete what is theirs all the same.
    """
    if item.study_id is None or writes_its_study(request, item):
        return
    replies = isinstance(item, Note) and item.reply_id is not None
    there = Study.objects.filter(readable_study(reader_of(request)), pk=item.study_id)
    if not (replies and there.exists()):
        raise PermissionDenied("only the owner and the writers of a study may change its notes")


def must_be_able_to_delete(request: HttpRequest, item: Note | Variation) -> None:
    """Raise PermissionDenied unless it is this visitor's, or a reply in a study of theirs."""
    replies = isinstance(item, Note) and item.reply_id is not None
    if not (replies and writes_its_study(request, item)):
        must_own(request, item)


def writes_its_study(request: HttpRequest, item: Note | Variation) -> bool:
    """Whether it is in a study that this visitor may change."""
    if item.study_id is None:
        return False
    return Study.objects.filter(writable_study(reader_of(request)), pk=item.study_id).exists()


# --- What a body says -----------------------------------------------------------------------


def said_in(body: Mapping[str, Any]) -> dict[str, Any]:
    """The note's own fields; null or empty means not given."""
    return {name: body[name] for name in _SAID if body.get(name) not in (None, "", [])}


def key_in(body: Mapping[str, Any]) -> str:
    """The key created by the client. Raises Unfit."""
    key = body.get("key")
    if not (isinstance(key, str) and _KEY.fullmatch(key)):
        raise Unfit("key: expected 16 to 64 characters of A-Z a-z 0-9 _ -, new for each note")
    return key


def linked_in(request: HttpRequest) -> str:
    """The note or variation that the query names; empty if none can have that key."""
    key = request.GET.get("note", "")
    return key if _KEY.fullmatch(key) else ""


def revision_in(body: Mapping[str, Any]) -> int:
    """The revision on which a change is based. Raises Unfit."""
    revision = body.get("revision")
    if type(revision) is not int:
        raise Unfit("revision: expected the revision that this edit is based on")
    return revision


def order_in(body: Mapping[str, Any]) -> int | None:
    """A variation's place among those of its line, if the body says. Raises Unfit."""
    order = body.get("order")
    if order is not None and (type(order) is not int or abs(order) > MOST_ORDER):
        raise Unfit(f"order: expected a whole number from {-MOST_ORDER} to {MOST_ORDER}")
    return order


def reason_in(body: Mapping[str, Any]) -> str:
    """Why something is reported or hidden, in one line; may be missing. Raises Unfit."""
    reason = body.get("reason", "")
    if not isinstance(reason, str) or len(reason) > MOST_REASON or "\0" in reason:
        raise Unfit(f"reason: expected at most {MOST_REASON} characters")
    return " ".join(reason.split())


def as_of_in(body: Mapping[str, Any]) -> int | None:
    """The earlier revision that a change goes back to, if it does. Raises Unfit."""
    revision = body.get("as_of")
    if revision is not None and type(revision) is not int:
        raise Unfit("as_of: expected an earlier revision")
    return revision


def sharing_in(body: Mapping[str, Any]) -> Sharing | None:
    """Who may read it, if the body says. Raises Unfit."""
    if "visibility" not in body:
        return None
    visibility, names = body["visibility"], body.get("readers", [])
    if visibility not in Shared.Visibility.values:
        raise Unfit(f"visibility: expected one of {', '.join(Shared.Visibility.values)}")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Unfit("readers: expected a list of names")
    if len(names) > MOST_READERS:
        raise Unfit(f"readers: expected at most {MOST_READERS}")
    return Sharing(visibility, accounts_named(names, "readers") if visibility == "people" else ())


def accounts_named(names: list[str], field: str) -> tuple[int, ...]:
    """The accounts of these names. Raises Unfit, blaming the field."""
    user = get_user_model()
    rows = user._default_manager.filter(username__in=names).values_list("username", "pk")
    known = dict(rows)
    for name in names:
        if name not in known:
            raise Unfit(f"{field}: there is no account named “{name}”")
    return tuple(known.values())
