"""Reviews in the database (for `replays.reviews.store`): each function is one operation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from games.models import Match
from games.people import changes
from games.people.person import encode
from games.people.visitor import Author, Reader, Visitor
from games.tables.retention import forget_chats
from replays.classes.membership import accounts_in, names_in
from replays.models import (
    Chapter,
    News,
    Note,
    Review,
    ReviewMember,
    ReviewPresence,
    Shared,
    Variation,
)
from replays.news import tell
from replays.notes.audience import accounts_of
from replays.notes.fields import note_json
from replays.reviews import admission, asking
from replays.reviews.frames import Who
from replays.reviews.frames import encode as as_text
from replays.reviews.gathering import Admission, Attendance, OpenedReview
from replays.reviews.room import OWNER, LeaderPlace, ReviewPosition, State
from replays.reviews.state_json import from_json, to_json
from replays.reviews.store_protocol import Attended, ReviewNews, ShownNote

MOST_OPEN: Final = 20
"""How many reviews that have not ended one person may own."""
KEEP_DAYS: Final = 60
BEGINNING: Final = "start"
"""The name of the place at which a review of a study begins."""
BATCH: Final = 20
"""How many old reviews are deleted when one is started."""
FRESH: Final = timedelta(seconds=6)
"""A process that has not said for this long who is here has died."""


class TooManyReviewsError(Exception):
    """This person has started enough reviews."""


# --- Starting and entering -----------------------------------------------------------------------


def start(match: Match, author: Author, school_class: str = "") -> Review:
    """A new review of a match, owned and led by its author. Raises TooManyReviewsError.

    `school_class`: the key of the class that it is for.
    """
    return _create(author, match=match, school_class=school_class)


def start_at(chapter: Chapter, author: Author, school_class: str = "") -> Review:
    """A new review of a study, which begins at that chapter. Raises TooManyReviewsError."""
    line = chapter.line.key if chapter.line else ""
    position = ReviewPosition(chapter.round, chapter.event, line, chapter.number)
    place = LeaderPlace(position, speed=chapter.speed, view=chapter.view, id=BEGINNING)
    state = State(study=True, place=place)
    return _create(author, study=chapter.study, state=to_json(state), school_class=school_class)


def _create(author: Author, **fields: Any) -> Review:
    forget_old()
    with transaction.atomic():
        review = Review.objects.create(people=OWNER, **fields)
        review.members.create(
            number=OWNER, person=author.person, user=author.user, name=author.name
        )
    # Counted afterwards: requests at the same moment see each other's.
    own = ReviewMember.objects.filter(number=OWNER, person=author.person, review__ended=False)
    if own.count() > MOST_OPEN:
        review.delete()
        raise TooManyReviewsError
    pupils = accounts_in(review.school_class) if review.school_class else ()
    tell(pupils, News.Kind.REVIEW, review.key, author)
    return review


def forget_old() -> None:
    """Delete some reviews that nothing has happened in for `KEEP_DAYS`."""
    before = timezone.now() - timedelta(days=KEEP_DAYS)
    old = dict(Review.objects.filter(changed__lt=before).values_list("pk", "key")[:BATCH])
    Review.objects.filter(pk__in=old).delete()
    forget_chats(old.values())


def admissions(key: str, visitors: Sequence[Visitor]) -> list[Admission | None]:
    """Each visitor's rights in a review. None: as far as they know, it does not exist."""
    review = Review.objects.filter(key=key).select_related("match", "study").first()
    return [None] * len(visitors) if review is None else admission.admissions(review, visitors)


def enter(key: str, visitor: Visitor) -> tuple[OpenedReview, int]:
    """The review, and the visitor's number in it. 0 without a name. Raises Review.DoesNotExist."""
    review = Review.objects.select_related("study").get(key=key)
    number = _number(review, visitor) if visitor.shown else 0
    state = from_json(review.version, review.state)
    members = _members([review.pk], _named_members(state) | {number})
    known, subjects = members.get(review.pk, {}), admission.subjects(review)
    asked = asking.study_of(review)
    answers = changes.of_answers(asked.pk) if asked else ""
    return OpenedReview(review.pk, key, state, known, subjects, answers), number


def _number(review: Review, visitor: Visitor) -> int:
    """The number of whichever of the visitor's persons is a member already, or a new one."""
    persons = [encode(person) for person in visitor.persons]
    member = review.members.filter(person__in=persons).order_by("number").first()
    if member is None:
        return _add_member(review, visitor, persons[0])
    if member.name != visitor.name and member.person == persons[0]:
        review.members.filter(pk=member.pk).update(name=visitor.name)
    return member.number


def is_member(review: int, number: int, visitor: Visitor) -> bool:
    """Whether a visitor is still that member."""
    persons = [encode(person) for person in visitor.persons]
    rows = ReviewMember.objects.filter(review=review, number=number, person__in=persons)
    return rows.exists()


def _add_member(review: Review, visitor: Visitor, person: str) -> int:
    try:
        with transaction.atomic():
            Review.objects.filter(pk=review.pk).update(people=F("people") + 1)
            number = Review.objects.values_list("people", flat=True).get(pk=review.pk)
            review.members.create(
                number=number, person=person, user_id=visitor.account, name=visitor.name
            )
    except IntegrityError:  # the same person came twice at once
        return review.members.get(person=person).number
    return number


def _named_members(state: State) -> set[int]:
    """The members that a state names."""
    by = {moment.by for moment in state.moments}
    return by | {state.leader, OWNER, *(hand.member for hand in state.hands)}


def _members(reviews: Iterable[int], numbers: set[int]) -> dict[int, dict[int, Who]]:
    """Members by review and number. In a review for a class under the names that it knows."""
    rows = ReviewMember.objects.filter(review__in=list(reviews), number__in=numbers)
    members: dict[int, dict[int, Who]] = {}
    named = list(rows.values_list("review", "number", "name", "user", "review__school_class"))
    called = names_in({row[4] for row in named} - {""}, {row[3] for row in named if row[3]})
    for review, number, name, user, key in named:
        members.setdefault(review, {})[number] = Who(called.get((key, user or 0), name), user)
    return members


# --- The state -----------------------------------------------------------------------------------


def save(review: int, base: int, state: State) -> bool:
    """Store a state based on version `base`. False if there is a later one."""
    rows = Review.objects.filter(pk=review)
    saved = rows.filter(version=base).update(
        version=state.version,
        state=to_json(state),
        ended=state.ended,
        changed=timezone.now(),
    )
    if saved and state.ended:
        asking.reveal(rows.get())
    return bool(saved)


def news(known: Mapping[int, int]) -> list[ReviewNews]:
    """Those of these reviews with a later version than the known one."""
    if not known:
        return []
    newer = reduce(or_, (Q(pk=pk, version__gt=version) for pk, version in known.items()))
    rows = Review.objects.filter(newer).values_list("pk", "version", "state")
    states = {pk: from_json(version, state) for pk, version, state in rows}
    if not states:
        return []
    needed = set().union(*map(_named_members, states.values()))
    members = _members(states, needed)
    return [ReviewNews(pk, state, members.get(pk, {})) for pk, state in states.items()]


# --- Who is here ---------------------------------------------------------------------------


def attended(process: str, here: Mapping[int, Attendance], *, say: bool) -> Attended:
    """The people in these reviews through other processes. `say` first stores this one's."""
    if say:
        _attend(process, here)
    elsewhere = _elsewhere(process, here)
    numbers = {number for attendance in elsewhere.values() for number in attendance.members}
    return Attended(elsewhere, _members(elsewhere, numbers) if numbers else {})


def here(review: Review) -> set[int]:
    """The numbers of the members who are here, through any process. One query."""
    fresh = ReviewPresence.objects.filter(review=review, seen__gt=Now() - FRESH)
    return {number for members in fresh.values_list("members", flat=True) for number in members}


def _attend(process: str, here: Mapping[int, Attendance]) -> None:
    kept = Review.objects.filter(pk__in=list(here)).values_list("pk", flat=True)
    rows = [
        ReviewPresence(
            review_id=pk,
            process=process,
            members=list(here[pk].members),
            others=here[pk].others,
            detached=list(here[pk].detached),
            others_detached=here[pk].others_detached,
            seen=Now(),
        )
        for pk in kept
    ]
    ReviewPresence.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["review", "process"],
        update_fields=[*Attendance._fields, "seen"],
    )


def _elsewhere(process: str, reviews: Iterable[int]) -> dict[int, Attendance]:
    fresh = ReviewPresence.objects.filter(review__in=list(reviews), seen__gt=Now() - FRESH)
    by_review: dict[int, Attendance] = {}
    rows = fresh.exclude(process=process).values_list("review", *Attendance._fields)
    for review, members, others, detached, others_detached in rows:
        there = Attendance(tuple(members), others, tuple(detached), others_detached)
        by_review[review] = by_review.get(review, Attendance()).joined(there)
    return by_review


# --- Notes ---------------------------------------------------------------------------------


def note(review: int, key: str) -> ShownNote | None:
    """A note on a reviewed match, for those who may read it. None if that is only its author.

    One shared by link is not announced: only sessions know the holders of the link. A note of the
    reviewed study is for everyone here.
    """
    study = Review.objects.filter(pk=review).values("study")
    living = Q(match__chapters__study__in=study, match__chapters__deleted=None)
    inside = living | Q(match__reviews=review)
    rows = Note.objects.filter(inside, key=key, deleted=None, hidden=False)
    shown = rows.annotate(ours=Q(study__in=study)).first()
    if shown is None:
        return None
    readers = None if shown.ours else _readers(shown)
    if readers is not None and not readers:
        return None
    return ShownNote(shown.match_id, as_text(note_json(shown, Reader())), readers)


def _readers(note: Note) -> frozenset[int] | None:
    """The accounts that may read a note. None: everyone."""
    limits = [_accounts(note), *(_accounts(under, owner=True) for under in _under(note))]
    named = [accounts for accounts in limits if accounts is not None]
    return frozenset.intersection(*named) if named else None


def _under(note: Note) -> Iterator[Note | Variation]:
    """The note that a note answers, and the variations it is on: without them it is not shown."""
    if note.reply is not None:
        yield note.reply
    line = note.line
    while line is not None:
        yield line
        line = line.line


def _accounts(item: Note | Variation, *, owner: bool = False) -> frozenset[int] | None:
    """The accounts that may read something, with its owner's or not. None: everyone may."""
    kinds = Shared.Visibility
    if item.deleted or item.hidden or item.visibility in (kinds.SELF, kinds.LINK):
        return frozenset()
    if item.visibility == kinds.EVERYONE:
        return None
    accounts = accounts_of(item)
    return accounts | {item.user_id} if owner and item.user_id else accounts
