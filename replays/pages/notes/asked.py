"""Who asks for notes, what they may do with them, and what a request's body says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from games.models import Account
from games.pages.operations import Asked, Key
from games.pages.problems import must_be_there
from games.people.accounts import accounts_named
from games.people.rights import Rights
from games.people.visit import Visit
from games.records.log import MAX_TEXT
from replays.classes.membership import classes_of_all
from replays.models import Note, Playlist, Shared, Study, Variation
from replays.notes.access import readable_playlist, readable_study, writable_study
from replays.notes.audience import Sharing
from replays.notes.positions import Unfit

MOST_READERS: Final = 50
MOST_ORDER: Final = 10_000
MOST_REASON: Final = 500
CLASS: Final = "class:"
"""Before the key of a class as an audience."""
Names = Annotated[list[str], Field(max_length=MOST_READERS)]
Reason = Annotated[
    str, Field(max_length=MOST_REASON), AfterValidator(lambda reason: " ".join(reason.split()))
]
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_NAMED: Final = ("self", "link", "people", "everyone")
_SAID: Final = ("round", "event", "until", "glyph", "tags", "text", "marks", "arrows", "events")


def _audience(said: str) -> str:
    if said not in _NAMED and not (said.startswith(CLASS) and _KEY.fullmatch(said[len(CLASS) :])):
        expected = ", ".join(map(repr, _NAMED))
        raise ValueError(f"expected {expected} or '{CLASS}' and a class's key, found {said!r:.80}")
    return said


Audience = Annotated[str, AfterValidator(_audience)]


# --- Who asks --------------------------------------------------------------------------------


def must_annotate(rights: Rights) -> None:
    """Raise PermissionDenied unless they may write notes on a match."""
    if not rights.annotate:
        raise PermissionDenied("you cannot write notes on a match while playing in it")


def must_be(visit: Visit, account: str | None) -> None:
    """Raise PermissionDenied unless they are logged in to the account that a body names.

    It is the account that the page was loaded for: what its owner wrote is not signed or sent by a
    guest, or by somebody else, if they have logged out in the meantime.
    """
    visitor = visit.visitor
    if account is not None and (not visitor.account or visitor.name != account):
        raise PermissionDenied(f"you are not logged in as {account} any more")


def remember_token(visit: Visit, *items: QuerySet[Any]) -> None:
    """Remember the token in the address (`?share=`), if it opens one of these items by link.

    No other token enters the list: invented ones would push real ones out of it.
    """
    if not _KEY.fullmatch(visit.share) or visit.share in visit.visitor.tokens:
        return
    opens = {"token": visit.share, "visibility": Shared.Visibility.LINK, "deleted": None}
    if any(rows.filter(**opens).exists() for rows in items):
        visit.remember_token(study=any(rows.model is Study for rows in items))


def playlist_of(visit: Visit, key: str) -> Playlist:
    """A playlist that this visitor may see. Raises Http404."""
    remember_token(visit, Playlist.objects.filter(key=key))
    rows = Playlist.objects.filter(readable_playlist(visit.reader), key=key)
    return must_be_there(rows.distinct().first(), "there is no such playlist")


def must_own(visit: Visit, item: Shared) -> None:
    """Raise PermissionDenied unless this visitor is the owner."""
    if item.owner not in visit.reader.persons:
        raise PermissionDenied("only its author may do this")


def must_write_there(visit: Visit, item: Note | Variation) -> None:
    """Raise PermissionDenied if it is in a study that this visitor may not change (any more).

    Its readers may change their replies, and authors may delete what is theirs all the same.
    """
    if item.study_id is None or writes_its_study(visit, item):
        return
    replies = isinstance(item, Note) and item.reply_id is not None
    there = Study.objects.filter(readable_study(visit.reader), pk=item.study_id)
    if not (replies and there.exists()):
        raise PermissionDenied("only the owner and the writers of a study may change its notes")


def must_be_able_to_delete(visit: Visit, item: Note | Variation) -> None:
    """Raise PermissionDenied unless it is this visitor's, or a reply in a study of theirs."""
    replies = isinstance(item, Note) and item.reply_id is not None
    if not (replies and writes_its_study(visit, item)):
        must_own(visit, item)


def writes_its_study(visit: Visit, item: Note | Variation) -> bool:
    """Whether it is in a study that this visitor may change."""
    if item.study_id is None:
        return False
    return Study.objects.filter(writable_study(visit.reader), pk=item.study_id).exists()


# --- What a body says -----------------------------------------------------------------------


class Signed(Asked):
    """A body that says for which account its page was loaded."""

    as_: Annotated[str | None, Field(alias="as")] = None


UNSIGNED: Final = Signed()
"""In place of an empty body."""


class Deleted(TypedDict):
    """It is gone."""

    deleted: bool


class Revised(Signed):
    """A body that names the revision on which a change is based."""

    revision: int


class Shares(Asked):
    """Who may read it; nothing: as before, or its owner alone."""

    visibility: Audience | None = None
    readers: Names = []

    def sharing(self, visit: Visit) -> Sharing | None:
        """The same with the accounts, if the body says. Raises Unfit."""
        if self.visibility is None:
            return None
        if self.visibility.startswith(CLASS):
            return Sharing(Shared.Visibility.CLASS, school_class=_own_class(visit, self.visibility))
        named = self.readers if self.visibility == "people" else []
        return Sharing(self.visibility, verified_accounts(visit, named, "readers"))


def _own_class(visit: Visit, audience: str) -> str:
    """The key of a class that somebody is in. Raises Unfit."""
    key = audience.removeprefix(CLASS)
    if key not in visit.visitor.classes:
        raise Unfit("visibility: you are not in that class; choose again who may read it")
    return key


class Words(Shares, Signed):
    """What notes and variations say; null or empty means not given."""

    tags: list[str] | None = None
    text: str | None = None

    def said(self) -> dict[str, Any]:
        """The item's own fields, as in a record."""
        given = {name: getattr(self, name, None) for name in _SAID}
        return {name: value for name, value in given.items() if value not in (None, "", [])}


class NoteWords(Words):
    """A note's own."""

    round: int | None = None
    event: int | None = None
    until: int | None = None
    glyph: str | None = None
    marks: list[str] | None = None
    arrows: list[str] | None = None
    line: str | None = None
    reply: str | None = None


class NewNote(NoteWords):
    """A note, on a variation (`line`) or in answer to another (`reply`)."""

    key: Key


class ChangedNote(NoteWords):
    """What a note is to say, or `as_of` which revision it is to be again.

    Its key, line and reply stay what they are.
    """

    key: str | None = None
    revision: int
    as_of: int | None = None


class NewVariation(Words):
    """A variation, of another (`line`) or of what happened; its events as in a record."""

    key: Key
    round: int
    event: int
    line: str | None = None
    events: list[dict[str, Any]]


class ChangedVariation(Words):
    """What a variation is to say, its events, or its place among those of its line."""

    revision: int
    events: list[dict[str, Any]] | None = None
    order: Annotated[int, Field(ge=-MOST_ORDER, le=MOST_ORDER)] | None = None


class Settled(Asked):
    """Whether a thread is settled."""

    settled: bool


class Reasoned(Signed):
    """Why, in one line."""

    reason: Reason = ""


class Hidden(Asked):
    """Whether a note is hidden, and why."""

    hidden: bool
    reason: Reason


class Previewed(Asked):
    """A text, and the round of the note that it is for."""

    text: str = Field(max_length=MAX_TEXT)
    round: int = 1


def reason_of(form: Mapping[str, str]) -> str:
    """Why something is complained about, in one line. Raises Unfit."""
    reason = " ".join(form.get("reason", "").split())
    if len(reason) > MOST_REASON or "\0" in reason:
        raise Unfit(f"reason: expected at most {MOST_REASON} characters")
    return reason


def linked(key: str) -> str:
    """The note or variation that a query names; empty if none can have that key."""
    return key if _KEY.fullmatch(key) else ""


def verified_accounts(visit: Visit, names: list[str], field: str) -> tuple[int, ...]:
    """The accounts of these names. Raises Unfit, blaming the field.

    A child's account does not exist for anyone who is in no class with it.
    """
    known = accounts_named(names)
    unmet = _children_elsewhere(visit, {account.user for account in known.values()})
    for name in names:
        if name not in known or known[name].user in unmet:
            raise Unfit(f"{field}: there is no account named “{name}”")
    return tuple({account.user for account in known.values()})


def _children_elsewhere(visit: Visit, accounts: set[int]) -> set[int]:
    """The children's accounts among these with whom a visitor is in no class."""
    rows = Account.objects.filter(user__in=accounts, supervised=True)
    children = list(rows.values_list("user", flat=True))
    classes = classes_of_all(children)
    mine = visit.visitor.classes if children else ()
    return {pk for pk in children if classes.get(pk, set()).isdisjoint(mine)}
