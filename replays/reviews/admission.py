"""The rights to enter a review, and the chapters of a study withheld from members there.

A review of a match is for those who may see the match and are not playing in it. One of a study is
for those who may read the study. One for a class is only for its members. It withholds its match
from those who have a question about it to answer. A child's account is only in reviews that a coach
of its own has started: no one else calls a child, or writes to it in a chat. A chapter is withheld
from members who may not see its match (because of an unanswered question, or because they play in
it) or have not answered its own question.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet

from games.models import Match
from games.people import changes
from games.people.embargoes import embargoed_persons
from games.people.matches import access_of
from games.people.rights import Access, rights
from games.people.visitor import Visitor
from replays.classes.membership import classes_of_all, coaches_of, out_of_reach
from replays.models import Chapter, Review, Study
from replays.notes.access import StudyAccess, readable_study
from replays.reviews.gathering import Admission
from replays.reviews.room import OWNER
from replays.studies.attempts import answered

NO_CHAPTER: Final = 0
"""What is withheld of a review of a match: all of it."""


def admissions(review: Review, visitors: Sequence[Visitor]) -> list[Admission | None]:
    """For each visitor. None: as far as they know, the review does not exist."""
    accounts = {visitor.account for visitor in visitors if visitor.account is not None}
    classes = classes_of_all(accounts)  # now, however long their sockets have been open
    now = [visitor._replace(classes=classes.get(visitor.account or 0, ())) for visitor in visitors]
    unreached = _unreached(review, now)
    return [
        admission
        if visitor.account not in unreached
        and (not review.school_class or review.school_class in visitor.classes)
        else None
        for admission, visitor in zip(_admissions(review, now), now, strict=True)
    ]


def _unreached(review: Review, visitors: Iterable[Visitor]) -> set[int]:
    """The children among these whose coach has not started the review. No query without any."""
    children = {v.account for v in visitors if v.supervised and v.account is not None}
    if not children:
        return children
    owner = review.members.filter(number=OWNER).values_list("user", flat=True).first()
    return out_of_reach(children, owner)


def _admissions(review: Review, visitors: Sequence[Visitor]) -> list[Admission | None]:
    if review.study is not None:
        return _to_study(review.study, visitors)
    assert review.match is not None
    (rule,) = _accesses([review.match]).values()
    return [_to_match(visitor, rule, waits=bool(review.school_class)) for visitor in visitors]


def admission(review: Review, visitor: Visitor) -> Admission | None:
    return admissions(review, [visitor])[0]


def may_enter(review: Review, visitor: Visitor) -> bool:
    """Whether a visitor may be in a review. Reads no chapters, for lists of reviews."""
    if review.school_class and review.school_class not in visitor.classes:
        return False
    if _unreached(review, [visitor]):
        return False
    if review.study is not None:
        return StudyAccess.of(review.study).may_read(visitor.reader)
    admitted = admission(review, visitor)
    return admitted is not None and admitted.allowed


def enterable(visitor: Visitor) -> Q:
    """The reviews for classes that a visitor may be in, as far as classes and studies say.

    For a review of a match, its match has to be checked too (`listed`).
    """
    studies = Study.objects.filter(readable_study(visitor.reader)).values("pk")
    here = Q(school_class__in=list(visitor.classes)) & ~Q(school_class="")
    if visitor.supervised:
        here &= Q(members__number=OWNER, members__user__in=coaches_of(visitor.account))
    return here & (Q(study=None) | Q(study__in=studies))


def listed(visitor: Visitor, enterable: QuerySet[Review]) -> list[Review]:
    """Those of these whose match they may see, or could see but for a question. Two queries."""
    reviews = enterable.select_related("match", "study").prefetch_related("match__seats")
    return [
        review
        for review in reviews
        if review.match is None or rights(visitor, access_of(review.match)).admitted
    ]


def _to_match(visitor: Visitor, rule: Access, *, waits: bool) -> Admission | None:
    may = rights(visitor, rule)
    if waits and may.embargoed and may.admitted:
        return Admission(True, frozenset({NO_CHAPTER}))
    return Admission(may.review) if may.see else None


def _accesses(matches: Iterable[Match]) -> dict[int, Access]:
    """The matches' rules of access, for any visitor: embargoes are read at once."""
    by_number = {match.pk: match for match in matches}
    return {
        pk: access_of(by_number[pk])._replace(embargoed=persons)
        for pk, persons in embargoed_persons(by_number).items()
    }


def _to_study(study: Study, visitors: Sequence[Visitor]) -> list[Admission | None]:
    """As many queries for any number of visitors and of chapters."""
    who = StudyAccess.of(study)
    rules = _Rules.of(study, {person for visitor in visitors for person in visitor.reader.persons})
    return [
        _admission(who, visitor, rules) if who.may_read(visitor.reader) else None
        for visitor in visitors
    ]


def reading(study: Study, visitor: Visitor) -> Admission:
    """The rights of a reader of the study."""
    rules = _Rules.of(study, visitor.reader.persons)
    return _admission(StudyAccess.of(study), visitor, rules)


class _Rules(NamedTuple):
    """A study's chapters, what their matches say about who may enter, and who has answered."""

    chapters: list[Chapter]
    accesses: dict[int, Access]
    answered: Container[tuple[int, str]]

    @classmethod
    def of(cls, study: Study, persons: Collection[str]) -> _Rules:
        chapters = list(study.chapters.select_related("match"))
        accesses = _accesses(chapter.match for chapter in chapters)
        return cls(chapters, accesses, answered(chapters, persons))


def _admission(who: StudyAccess, visitor: Visitor, rules: _Rules) -> Admission:
    withheld, reader = set(), visitor.reader
    for chapter in rules.chapters:
        asks = chapter.question is not None and not who.may_write(reader)
        done = any((chapter.pk, person) in rules.answered for person in reader.persons)
        sees = rights(visitor, rules.accesses[chapter.match_id]).review
        if not sees or (asks and not done):
            withheld.add(chapter.number)
    return Admission(True, frozenset(withheld))


def subjects(review: Review) -> frozenset[str]:
    """The changes (`games.people.changes`) after which rights in a review are asked again."""
    matches = Match.objects.filter(reviews=review)
    classes, keys = {review.school_class}, set[str]()
    if review.study is not None:
        matches = Match.objects.filter(chapters__study=review.study, chapters__deleted=None)
        given = review.study.homework.filter(deleted=None)
        classes |= {review.study.school_class, *given.values_list("school_class__key", flat=True)}
        keys.add(changes.of_study(review.study.pk))
    for pk, key in matches.values_list("pk", "school_class").distinct():
        keys.add(changes.of_match(pk))
        classes.add(key)
    return frozenset(keys | {changes.of_class(key) for key in classes if key})
