"""Asking a whole class in a review: everybody's match stops at once, until the answer is revealed.

    Ask: each pupil who may read the study, not write it, gets an attempt and an embargo on the
    match
      -> they answer, and go on seeing nothing of it (`replays.studies.attempts.held_in`)
    Reveal, or the end of the review: the embargo ends for all; who has not answered gave up

All of it is in the database: who comes late finds the question open, and a process that is killed
loses nothing. Both may be repeated.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from games.people import changes, embargoes
from games.people.person import account, encode
from games.people.visitor import Author, Reader
from replays.annotations.access import StudyAccess
from replays.models import Attempt, Chapter, ClassMember, Review
from replays.studies import attempts


@transaction.atomic
def ask(review: Review, chapter: Chapter) -> None:
    """Ask the class of a review a chapter's question; one that it was asked before is revealed."""
    locked = Review.objects.select_for_update().get(pk=review.pk)
    if locked.asking == chapter.number:
        return
    reveal(locked)
    Review.objects.filter(pk=review.pk).update(asking=chapter.number)
    access = StudyAccess.of(chapter.study)
    here = ClassMember.objects.filter(school_class__key=review.school_class, left=None)
    for pupil in here.filter(role=ClassMember.Role.PUPIL).select_related("user"):
        person = account(pupil.user_id)
        # The link to a review opens a study that is shared by link.
        reader = Reader((encode(person),), pupil.user_id, (chapter.study.token,))
        if access.may_write(reader) or not access.may_read(reader):
            continue
        # Under the name that everybody may know: the class's own is nobody else's.
        author = Author(encode(person), pupil.user.get_username(), pupil.user)
        attempts.begin(chapter, author, [person], chapter.speed)
    _tell(chapter)


@transaction.atomic
def reveal(review: Review) -> None:
    """Let everybody see what happened; who was asked and has not come has not been asked."""
    if not review.asking:
        return
    asked = Chapter.every.filter(study=review.study_id, number=review.asking).first()
    Review.objects.filter(pk=review.pk).update(asking=0)
    if asked is None:
        return
    here = ClassMember.objects.filter(school_class__key=review.school_class)
    left = Attempt.objects.filter(chapter=asked, answered=None, user__in=here.values("user"))
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
