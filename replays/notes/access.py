"""The rights to read shared work, as far as its visibility goes.

The owner always may. A visibility adds readers: everyone, named accounts, the present members of a
class, or holders of its link's token. A child's account is named by its coaches alone. Only the
owner sees deleted work. The owner and the
moderators see work that a moderator has hidden. Whether the match itself may be seen is another
question (`games/people/rights.py`), asked where its notes are read.

A study is also for its writers, and for a class that one of these has given it to as homework: for
its coaches, and for the pupils who have to do it. So is a playlist whose owner has given it. A note
or variation of a study is for anyone who reads the study, and has no visibility of its own.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import F, Q

from games.people.visitor import Reader
from replays.classes.membership import (
    accounts_given,
    accounts_in,
    homework_for,
    keys_of,
    may_name,
    out_of_reach,
)
from replays.models import Note, Shared, Study, Variation


def readable(reader: Reader) -> Q:
    """The things that this reader may see, as a condition on any kind of `Shared`.

    Use it with `.distinct()`: a reader may also be named on something public.
    """
    kinds = Shared.Visibility
    allowed = Q(visibility=kinds.EVERYONE)
    if reader.account is not None:
        allowed |= Q(visibility=kinds.PEOPLE, readers=reader.account) & may_name(reader.account)
        allowed |= for_classes_of(reader.account)
    if reader.tokens:
        allowed |= Q(visibility=kinds.LINK, token__in=list(reader.tokens))
    allowed &= Q(deleted=None)
    if not reader.moderator:
        allowed &= Q(hidden=False)
    return allowed | own(reader)


def for_classes_of(account: int) -> Q:
    """The things for a class that an account is in now, as a condition on any kind of `Shared`."""
    return Q(visibility=Shared.Visibility.CLASS, school_class__in=keys_of(account))


def readable_study(reader: Reader) -> Q:
    """The studies that this reader may see. No one sees a deleted one."""
    allowed = readable(reader)
    if reader.account is not None:
        given = homework_for(reader.account).filter(_by_a_writer()).values("study")
        named = Q(writers=reader.account) & may_name(reader.account)
        allowed |= (named | Q(pk__in=given)) & Q(hidden=False)
    return allowed & Q(deleted=None)


def _by_a_writer() -> Q:
    """Homework that opens its study: its giver may change the study."""
    return Q(by=F("study__user")) | Q(by=F("study__writers"))


def readable_playlist(reader: Reader) -> Q:
    """The playlists that this reader may see. Those that are homework too."""
    allowed = readable(reader)
    if reader.account is not None:
        given = homework_for(reader.account).filter(by=F("playlist__user"))
        allowed |= Q(pk__in=given.values("playlist"), hidden=False)
    return allowed & Q(deleted=None)


def writable_study(reader: Reader) -> Q:
    """The studies that this reader may change."""
    allowed = own(reader)
    if reader.account is not None:
        allowed |= Q(writers=reader.account, hidden=False)
    return allowed & Q(deleted=None)


def writes(study: Study, reader: Reader) -> bool:
    """Whether this reader is the study's owner or one of its writers."""
    if study.owner in reader.persons:
        return True
    return reader.account is not None and study.writers.filter(pk=reader.account).exists()


def by_its_writers(study: Study) -> Q:
    """A study's notes without its readers' replies, which no copy and no file of it has."""
    theirs = Q(owner=study.owner) | Q(user__in=study.writers.all())
    return Q(reply=None) | theirs


class StudyAccess(NamedTuple):
    """The readers and writers of one study, to be checked for any number of readers."""

    study: Study
    readers: frozenset[int]
    writers: frozenset[int]
    given: frozenset[int]
    """Those for whom it is homework."""
    classmates: frozenset[int]
    """Those in the class that it is for."""

    @classmethod
    def of(cls, study: Study) -> StudyAccess:
        """Four queries. Five for a study that is for a class."""
        named, writers = (
            frozenset(people.values_list("pk", flat=True))
            for people in (study.readers, study.writers)
        )
        unreached = out_of_reach(named | writers, study.user_id)
        for_class = study.visibility == Shared.Visibility.CLASS
        classmates = accounts_in(study.school_class) if for_class else frozenset()
        living = study.homework.filter(_by_a_writer(), deleted=None, school_class__deleted=None)
        given = accounts_given(living)
        return cls(study, named - unreached, writers - unreached, given, classmates)

    def may_write(self, reader: Reader) -> bool:
        return self.study.owner in reader.persons or reader.account in self.writers

    def may_read(self, reader: Reader) -> bool:
        study, kinds = self.study, Shared.Visibility
        if study.deleted:
            return False
        if study.owner in reader.persons or (not study.hidden and reader.account in self.writers):
            return True
        if study.hidden and not reader.moderator:
            return False
        if reader.account in self.given and not study.hidden:
            return True
        shared = {
            kinds.EVERYONE: True,
            kinds.PEOPLE: reader.account in self.readers,
            kinds.LINK: study.token in reader.tokens,
            kinds.CLASS: reader.account in self.classmates,
        }
        return shared.get(kinds(study.visibility), False)


def readable_notes(reader: Reader, kind: type[Note | Variation] = Note) -> Q:
    """The notes or variations that this reader may see, in studies or alone."""
    studies = Study.objects.filter(readable_study(reader)).values("pk")
    shown = Q(deleted=None) if reader.moderator else Q(deleted=None, hidden=False)
    alone = Q(study=None) & readable(reader)
    if kind is Note:
        alone |= Q(study=None) & replies_to(reader) & shown
    return alone | own(reader) | (Q(study__in=studies) & shown)


def replies_to(reader: Reader) -> Q:
    """Replies to what this reader has written, unless they are for their authors alone."""
    if not reader.persons:
        return Q(pk__in=())
    return Q(reply__owner__in=list(reader.persons)) & ~Q(visibility=Shared.Visibility.SELF)


def own(reader: Reader) -> Q:
    """The things that this reader owns. None for an unknown reader."""
    return Q(owner__in=list(reader.persons)) if reader.persons else Q(pk__in=())
