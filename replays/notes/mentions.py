"""`@name` in a note: the accounts, the links, the offered names and the notifications.

No one learns a new name here: only the match's players, and the authors of readable notes, are
offered.
"""

import re
from collections.abc import Collection, Iterable
from typing import Final

from django.contrib.auth import get_user_model
from django.db.models import F
from django.urls import reverse

from games.archive.players import with_pages
from games.models import Match
from games.people.accounts import Named, accounts_named
from games.people.person import account, encode
from games.people.visitor import Author, Reader
from replays.models import News, Note, Study
from replays.news import tell
from replays.notes.access import StudyAccess
from replays.notes.audience import accounts_of

_MOST_NAMED: Final = 20
_NAME: Final = re.compile(r"(?<![\w@.])@([\w.+-]{1,150})")


def named_in(text: str) -> dict[str, Named]:
    """The accounts that a text names as `@name`, by the name as written there."""
    names = {name.rstrip(".-+") for name in _NAME.findall(text)}
    return accounts_named(sorted(names)[:_MOST_NAMED])


def pages_in(text: str) -> dict[str, str]:
    """The addresses of the players' pages of the accounts that a text names, by name as there."""
    named = named_in(text)
    if not named:
        return {}
    paged = with_pages(account.name for account in named.values())
    return {
        written: reverse("replays:player", args=[account.name])
        for written, account in named.items()
        if account.name in paged
    }


def offered(
    match: Match, notes: Iterable[Note], reader: Reader, study: Study | None = None
) -> list[str]:
    """The other accounts that the reader of these notes may mention on that match. Two queries.

    Children are not among them: no list shows the names that they log in with.
    A study's notes are for its readers, so the match's players are among them only if anyone may
    read it.
    """
    adults = get_user_model()._default_manager.exclude(account__supervised=True)
    users = adults.exclude(pk=reader.account or 0)
    signed = {(row.user_id, row.by) for row in (*notes, *([study] if study else []))}
    written = users.filter(pk__in={pk for pk, _ in signed if pk is not None})
    names = {name for pk, name in written.values_list("pk", "username") if (pk, name) in signed}
    if study is None or study.visibility in (Study.Visibility.EVERYONE, Study.Visibility.LINK):
        seated = users.filter(seats__match=match, seats__player__name=F("username"))
        names.update(seated.values_list("username", flat=True))
    return sorted(names, key=str.casefold)


# --- Notifications --------------------------------------------------------------------------------


def announce(note: Note, before: Collection[int] = ()) -> None:
    """Notify of a note that has been written or changed. `before`: its former readers.

    Tags come by the dozen, so that notes shared on one match are one piece of news.
    """
    answered = note.reply.user_id if note.reply else None
    kinds = Note.Visibility
    if note.deleted or (note.study is None and note.visibility == kinds.SELF):
        return
    shared = frozenset[int]() if note.study else accounts_of(note)
    named = set(note.mentions.values_list("pk", flat=True)) - {answered}
    if note.study is not None:
        who = StudyAccess.of(note.study) if named else None
        persons = {pk: Reader([encode(account(pk))], pk) for pk in named}
        named = {pk for pk, reader in persons.items() if who and who.may_read(reader)}
    elif note.visibility != kinds.EVERYONE:
        named &= shared
    by = Author(note.owner, note.by)
    tell([answered], News.Kind.REPLY, note.key, by)
    tell(named, News.Kind.MENTION, note.key, by)
    if note.reply is None:
        others = shared - named - frozenset(before)
        match = str(note.match_id)
        tell(others, News.Kind.NOTES, match, by, again=True)
