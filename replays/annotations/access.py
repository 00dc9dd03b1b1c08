"""Who may read what somebody wrote or made, as far as its visibility goes.

The owner always may; everyone, if it is public; named accounts, if it is for them; holders of
its token, if it is shared by link. Only the owner sees what is deleted or hidden by a moderator.

A study is also for its writers; a note or variation of a study is for anyone who reads the study,
and has no visibility of its own.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Q

from games.people.person import Kind, encode
from games.people.visitor import Visitor
from replays.models import Note, Shared, Study, Variation


class Reader(NamedTuple):
    """Who is asking: the stored persons behind one browser, an account, opened links."""

    persons: Collection[str] = ()
    account: int | None = None
    tokens: Collection[str] = ()
    moderator: bool = False


def reader(visitor: Visitor) -> Reader:
    """A visitor as a reader."""
    accounts = [int(one.key) for one in visitor.persons if one.kind is Kind.ACCOUNT]
    persons = [encode(one) for one in visitor.persons]
    account = accounts[0] if accounts else None
    return Reader(persons, account, visitor.tokens, visitor.moderator)


def readable(reader: Reader) -> Q:
    """What this reader may see, as a condition on any kind of `Shared`.

    Use it with `.distinct()`: a reader may also be named on something public.
    """
    kinds = Shared.Visibility
    found = Q(visibility=kinds.EVERYONE)
    if reader.account is not None:
        found |= Q(visibility=kinds.PEOPLE, readers=reader.account)
    if reader.tokens:
        found |= Q(visibility=kinds.LINK, token__in=list(reader.tokens))
    found &= Q(deleted=None)
    if not reader.moderator:
        found &= Q(hidden=False)
    return found | own(reader)


def readable_study(reader: Reader) -> Q:
    """The studies that this reader may see; nobody sees a deleted one."""
    found = readable(reader)
    if reader.account is not None:
        found |= Q(writers=reader.account, hidden=False)
    return found & Q(deleted=None)


def writable_study(reader: Reader) -> Q:
    """The studies that this reader may change."""
    found = own(reader)
    if reader.account is not None:
        found |= Q(writers=reader.account, hidden=False)
    return found & Q(deleted=None)


def writes(study: Study, reader: Reader) -> bool:
    """Whether this reader is the study's owner or one of its writers."""
    if study.owner in reader.persons:
        return True
    return reader.account is not None and study.writers.filter(pk=reader.account).exists()


def by_its_writers(study: Study) -> Q:
    """A study's notes but the replies of its readers, which go into no copy and no file of it."""
    theirs = Q(owner=study.owner) | Q(user__in=study.writers.all())
    return Q(reply=None) | theirs


class StudyAccess(NamedTuple):
    """Who may read and write one study, to be asked about any number of readers."""

    study: Study
    readers: frozenset[int]
    writers: frozenset[int]

    @classmethod
    def of(cls, study: Study) -> StudyAccess:
        """Two queries."""
        named, writers = (
            frozenset(people.values_list("pk", flat=True))
            for people in (study.readers, study.writers)
        )
        return cls(study, named, writers)

    def may_write(self, reader: Reader) -> bool:
        """As `writes` says."""
        return self.study.owner in reader.persons or reader.account in self.writers

    def may_read(self, reader: Reader) -> bool:
        """As `readable_study` says."""
        study, kinds = self.study, Shared.Visibility
        if study.deleted:
            return False
        if study.owner in reader.persons or (not study.hidden and reader.account in self.writers):
            return True
        if study.hidden and not reader.moderator:
            return False
        shared = {
            kinds.EVERYONE: True,
            kinds.PEOPLE: reader.account in self.readers,
            kinds.LINK: study.token in reader.tokens,
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
    """What this reader owns; nothing for an unknown reader."""
    return Q(owner__in=list(reader.persons)) if reader.persons else Q(pk__in=())
