"""Who is told of a note: whom it answers, whom it names, and with whom it is now shared."""

from __future__ import annotations

from collections.abc import Collection

from games.people.person import account, encode
from games.people.visitor import Author, Reader
from replays.models import News, Note, Study
from replays.news import tell
from replays.notes.access import StudyAccess
from replays.notes.audience import accounts_of


def announce(note: Note, before: Collection[int] = ()) -> None:
    """Tell of a note that has been written or changed; `before`: who could read it already.

    Tags come by the dozen, so that notes shared on one match are one piece of news.
    """
    answered = note.reply.user_id if note.reply else None
    kinds = Note.Visibility
    if note.deleted or (note.study is None and note.visibility == kinds.SELF):
        return
    shared = frozenset[int]() if note.study else accounts_of(note)
    named = set(note.mentions.values_list("pk", flat=True)) - {answered}
    if note.study is not None:
        named = _readers(note.study, named)
    elif note.visibility != kinds.EVERYONE:
        named &= shared
    by = Author(note.owner, note.by)
    tell([answered], News.Kind.REPLY, note.key, by)
    tell(named, News.Kind.MENTION, note.key, by)
    if note.reply is None:
        others = shared - named - frozenset(before)
        match = str(note.match_id)
        tell(others, News.Kind.NOTES, match, by, again=True)


def _readers(study: Study, accounts: Collection[int]) -> set[int]:
    """Those of these accounts who may read a study."""
    who = StudyAccess.of(study) if accounts else None
    persons = {pk: Reader([encode(account(pk))], pk) for pk in accounts}
    return {pk for pk, reader in persons.items() if who and who.may_read(reader)}
