"""A request's note, and its visitor's rights to it."""

import re
from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.pages.problems import must_be_there
from games.people.accounts import accounts_named
from games.people.rights import Rights
from games.people.visit import Visit
from games.records.shape import without_marks
from replays.classes.membership import out_of_reach
from replays.models import Note, Playlist, Shared, Study, Variation
from replays.notes.access import readable_playlist, readable_study, writable_study
from replays.notes.positions import ValidationFault

MOST_REASON: Final = 500
KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")


def must_annotate(rights: Rights) -> None:
    """Raise PermissionDenied unless they may write notes on a match."""
    if not rights.annotate:
        raise PermissionDenied(_("you cannot write notes on a match while playing in it"))


def must_be(visit: Visit, account: str | None) -> None:
    """Raise PermissionDenied unless they are logged in to the account that a body names.

    It is the account that the page was loaded for. If its owner has logged out in the meantime, a
    guest or another account must not sign or send their words.
    """
    visitor = visit.visitor
    if account is not None and (not visitor.account or visitor.name != account):
        raise PermissionDenied(
            _("you are not logged in as {account} any more").format(account=account)
        )


def remember_token(visit: Visit, *items: QuerySet[Any]) -> None:
    """Remember the token in the address (`?share=`), if it opens one of these items by link.

    No other token enters the list: invented ones would push real ones out of it.
    """
    if not KEY.fullmatch(visit.share) or visit.share in visit.visitor.tokens:
        return
    opens = {"token": visit.share, "visibility": Shared.Visibility.LINK, "deleted": None}
    if any(rows.filter(**opens).exists() for rows in items):
        visit.remember_token(study=any(rows.model is Study for rows in items))


def playlist_of(visit: Visit, key: str) -> Playlist:
    """A playlist that this visitor may see. Raises Http404."""
    remember_token(visit, Playlist.objects.filter(key=key))
    rows = Playlist.objects.filter(readable_playlist(visit.reader), key=key)
    return must_be_there(rows.distinct().first(), _("there is no such playlist"))


def must_own(visit: Visit, item: Shared) -> None:
    """Raise PermissionDenied unless this visitor is the owner."""
    if item.owner not in visit.reader.persons:
        raise PermissionDenied(_("only its author may do this"))


def must_write_there(visit: Visit, item: Note | Variation) -> None:
    """Raise PermissionDenied if it is in a study that this visitor may not change (any more).

    Its readers may change their replies, and authors may delete what is theirs all the same.
    """
    if item.study_id is None or writes_its_study(visit, item):
        return
    replies = isinstance(item, Note) and item.reply_id is not None
    there = Study.objects.filter(readable_study(visit.reader), pk=item.study_id)
    if not (replies and there.exists()):
        raise PermissionDenied(_("only the owner and the writers of a study may change its notes"))


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


def reason_of(form: Mapping[str, str]) -> str:
    """Why something is complained about, in one line. Raises ValidationFault."""
    reason = " ".join(form.get("reason", "").split())
    if len(reason) > MOST_REASON or "\0" in reason:
        raise ValidationFault("reason: expected at most {most} characters", most=MOST_REASON)
    return reason


def linked(key: str) -> str:
    """The note or variation that a query names. Empty if no key has that form."""
    return key if KEY.fullmatch(key) else ""


def verified_accounts(visit: Visit, names: list[str], field: str) -> tuple[int, ...]:
    """The accounts of these names. Raises ValidationFault, blaming the field.

    A child's account does not exist for anyone but its coaches.
    """
    plain = [without_marks(name).strip() for name in names]
    known = accounts_named(plain)
    accounts = {account.user for account in known.values()}
    unreached = out_of_reach(accounts, visit.visitor.account)
    for name in plain:
        if name not in known or known[name].user in unreached:
            raise ValidationFault(
                "{field}: there is no account named “{name}”", field=field, name=name
            )
    return tuple(accounts)
