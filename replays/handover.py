"""People's work beside the logs, when a guest gets an account, and when it is old.

A `Keeper` of `games.people.keepers`.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django.db.models import Model, Q
from django.utils import timezone
from django.utils.translation import ngettext

from games.models import ChatLine, Embargo, LiveTable
from games.people.keepers import move
from games.people.person import Person, encode
from games.tables.retention import forget_chats
from replays import news
from replays.classes import members
from replays.models import (
    AnsweredRequest,
    Attempt,
    Chapter,
    Clip,
    Job,
    News,
    Note,
    NoteComplaint,
    PatternSearch,
    Playlist,
    Reading,
    Review,
    ReviewMember,
    Study,
    StudyComplaint,
    Variation,
)

_NAMED: Final[tuple[tuple[type[Model], Callable[[int], str]], ...]] = (
    (Note, lambda count: ngettext("{count} note", "{count} notes", count)),
    (Variation, lambda count: ngettext("{count} what-if", "{count} what-ifs", count)),
    (Playlist, lambda count: ngettext("{count} playlist", "{count} playlists", count)),
    (Study, lambda count: ngettext("{count} study", "{count} studies", count)),
)
_MOVED: Final[tuple[tuple[type[Model], str, tuple[str, ...]], ...]] = (
    (Note, "owner", ()),
    (Variation, "owner", ()),
    (Playlist, "owner", ()),
    (Study, "owner", ()),
    (PatternSearch, "owner", ()),
    (NoteComplaint, "reporter", ("note",)),
    (StudyComplaint, "reporter", ("study",)),
    (Attempt, "person", ()),
    (Reading, "person", ("chapter",)),
    (ReviewMember, "person", ("review",)),
    (AnsweredRequest, "person", ("key",)),
)
_history: Final[Any] = Note.history.model  # type: ignore[attr-defined]  # the library has no types


def work_of(guest: Person) -> list[str]:
    """A guest's work, in words."""
    counts = (
        (kind._default_manager.filter(owner=encode(guest), deleted=None).count(), words)
        for kind, words in _NAMED
    )
    return [words(count).format(count=count) for count, words in counts if count]


def hand_over(guest: Person, account: Person) -> None:
    """Make all of it an account's."""
    user = int(account.key)
    for kind, field, once in _MOVED:
        move(kind, field, guest, account, once, user_id=user)
    move(News, "person", guest, account)
    _history.objects.filter(owner=encode(guest)).update(owner=encode(account), user_id=user)
    # An account's places for jobs may be taken. Jobs that were begun are done all the same.
    jobs = Job.objects.filter(owner=encode(guest))
    jobs.update(owner=encode(account), user_id=user, slot=None)


def needing(account: Person) -> list[str]:
    """The classes with other people in them whose only coach an account is, by name."""
    return members.coached_alone(int(account.key))


def forget(account: Person, name: str) -> None:
    """Delete the classes without members, and the account's name elsewhere."""
    members.delete_empty()
    news.forget(account)
    Clip.objects.all().delete()  # names are drawn in them, and they can be made again
    Study.objects.filter(worded_by=name).update(worded_by=news.GONE)
    Chapter.every.filter(by=name).update(by=news.GONE)
    for quoted in {json.dumps(name), json.dumps(name, ensure_ascii=False)}:
        AnsweredRequest.objects.filter(body__contains=quoted).delete()  # others' responses


def tidy(days: int) -> None:
    """Delete the earlier versions of notes that are gone, or were deleted so many days ago.

    Also the answers to old requests, embargoes of questions that are gone, and the chats of reviews
    that went with their match or study.
    """
    asked = Chapter.objects.filter(study__deleted=None, question__isnull=False)
    Embargo.objects.exclude(chapter__in=asked.values("pk")).delete()
    AnsweredRequest.objects.filter(created__lt=timezone.now() - timedelta(days=1)).delete()
    rooms = ChatLine.objects.exclude(room__in=LiveTable.objects.values("record_id"))
    gone = rooms.exclude(room__in=Review.objects.values("key"))
    forget_chats(set(gone.values_list("room", flat=True)))
    kept_since = timezone.now() - timedelta(days=days)
    living = Note.objects.filter(Q(deleted=None) | Q(deleted__gt=kept_since))
    _history.objects.exclude(id__in=living.values("pk")).delete()
