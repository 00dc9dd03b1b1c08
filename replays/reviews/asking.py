"""Asking a whole class in a review: everyone's match stops at once, until the answer is revealed.

    Ask: each pupil who may read the study, not write it, gets an attempt and an embargo on the
        match, whatever other question about it they are at
      -> they answer, and go on seeing nothing of it (`replays.studies.attempts.review_asking`)
    Reveal, or the end of the review: the embargo ends for all. Pupils who have not answered count
        as having given up.

A question is a chapter: of the study that is reviewed or, in a review of a match, of a study that
the review has for itself, which is in no list.

All of it is in the database: a latecomer finds the question open, and a killed process loses
nothing. Both may be repeated.
"""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.people import changes, embargoes
from games.people.person import account, encode
from games.people.visitor import Author, Reader
from replays.classes.membership import Pupil, accounts_since, pupils_in
from replays.models import Attempt, Chapter, Review, Study
from replays.notes.access import StudyAccess
from replays.studies import attempts, writing
from replays.studies.chapters import ChapterFields


def _lock(review: Review) -> Review:
    return Review.objects.select_for_update(of=("self",)).get(pk=review.pk)


def study_of(review: Review) -> Study | None:
    """The study whose questions are asked. None: of a match whose class was asked nothing yet."""
    return review.study or Study.objects.filter(asked_in=review).first()


@transaction.atomic
def question_at(review: Review, said: ChapterFields, author: Author) -> Chapter:
    """A moment as a question. The same one if it is one already. Raises ValidationFault."""
    _lock(review)  # two who ask about one moment at once make one question
    study = study_of(review) or _study_for(review, author)
    place = {name: said.fields[name] for name in ("round", "event")}
    seat = said.fields["question"]["seat"]
    there = study.chapters.filter(match=said.match, line=None, question__seat=seat, **place)
    return there.first() or writing.add(study, said, author.name)


def _study_for(review: Review, author: Author) -> Study:
    """The study that a review of a match has for itself."""
    made: Study = Study.objects.get_or_create(
        asked_in=review,
        defaults={
            "owner": author.person,
            "user": author.user,
            "by": author.name,
            "visibility": Study.Visibility.CLASS,
            "school_class": review.school_class,
        },
    )[0]
    return made


@transaction.atomic
def ask(review: Review, chapter: Chapter) -> None:
    """Ask the class of a review a chapter's question. An earlier open one is revealed."""
    locked = _lock(review)
    if locked.asking == chapter.number:
        return
    reveal(locked)
    number, now = chapter.number, timezone.now()
    asked = {"asking": number, "asked": number, "asked_at": now, "coached_at": now}
    Review.objects.filter(pk=review.pk).update(**asked, forgotten="")
    access = StudyAccess.of(chapter.study)
    # In order: two classes with the same pupils do not wait for each other's rows.
    for pupil in pupils_in(review.school_class):
        _ask(pupil, chapter, access)
    _tell(chapter)


@transaction.atomic
def ask_late(review: Review, user: int | None) -> bool:
    """Ask a pupil who has joined since the class was asked.

    Returns whether they are asked only now.
    """
    if review.asked_at is None:
        return False
    here = pupils_in(review.school_class)
    pupil = next((pupil for pupil in here if pupil.user.pk == user), None)
    chapter = Chapter.objects.filter(study=study_of(review), number=review.asking).first()
    if pupil is None or chapter is None:
        return False
    since = Q(answered=None) | Q(answered__gte=review.asked_at)
    if Attempt.objects.filter(since, chapter=chapter, user=user).exists():
        return False
    _ask(pupil, chapter, StudyAccess.of(chapter.study))
    return True


def _ask(pupil: Pupil, chapter: Chapter, access: StudyAccess) -> None:
    person = account(pupil.user.pk)
    # The link to a review opens a study that is shared by link.
    reader = Reader((encode(person),), pupil.user.pk, (chapter.study.token,))
    if access.may_write(reader) or not access.may_read(reader):
        return
    # Under the public name: the class's own is for the class alone.
    author = Author(encode(person), pupil.user.get_username(), pupil.user)
    attempts.begin_first(chapter, author, [person])


@transaction.atomic
def reveal(review: Review, forgotten: str = "") -> None:
    """Show everyone what happened. An asked pupil who has not come counts as not asked.

    `forgotten`: why it ends by itself, unless something else is asked by now.
    """
    locked = _lock(review)
    if not locked.asking or (forgotten and locked.asked_at != review.asked_at):
        return
    asked = Chapter.every.filter(study=study_of(locked), number=locked.asking).first()
    Review.objects.filter(pk=review.pk).update(asking=0, forgotten=forgotten)
    if asked is None:
        return
    # Pupils who have left since then were asked too.
    here = accounts_since(review.school_class, locked.asked_at or locked.created)
    left = Attempt.objects.filter(chapter=asked, answered=None, user__in=here)
    left.filter(asked=None).delete()
    left.update(answered=timezone.now(), verdict=Attempt.Verdict.GIVEN_UP)
    # Others who are at the question, of a study that is not the class's alone, go on.
    at_it = Attempt.objects.filter(chapter=asked, answered=None).values_list("person", flat=True)
    embargoes.lift(asked.pk, but=list(at_it))
    _tell(asked)


def _tell(chapter: Chapter) -> None:
    changes.changed(changes.of_match(chapter.match_id))
    changes.changed(changes.of_study(chapter.study_id))
    changes.changed(changes.of_answers(chapter.study_id))
