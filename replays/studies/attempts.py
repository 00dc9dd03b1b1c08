"""Attempts at questions: an embargo lasts from opening a question until answering it.

Players who try a play of their own again are under none: they have played the match.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from games.people import changes, embargoes
from games.people.person import Person, encode
from games.people.visitor import Author, Visitor
from replays.classes.membership import keys_of
from replays.models import Attempt, Chapter, Reading, Review
from replays.notes.positions import ValidationFault
from replays.studies.drills import MISSED_TAKES, key_of
from replays.studies.questions import Answer, judge, limit_ms

GRACE_MS: Final = 1_500
"""How much longer than a browser says an answer may have taken: loading and the network."""
_MOST_MS: Final = 2**31 - 1
MOST_READERS: Final = 2_000
"""The learners who opened a chapter that are kept."""
APART: Final = timedelta(minutes=1)
"""Opening a chapter again within this time writes nothing."""


def question_url(chapter: Chapter) -> str:
    return reverse("replays:chapter", args=[chapter.study.key, chapter.number])


def pending_question(matches: Iterable[int], persons: Sequence[Person]) -> Chapter | None:
    """The question that these persons have to answer before they see one of these matches."""
    return first_of(embargoes.asking(matches, persons))


def first_of(asked: Collection[int]) -> Chapter | None:
    """The first of these chapters that is not gone, by their numbers."""
    rows = Chapter.every.in_bulk(asked) if asked else {}
    return next((rows[pk] for pk in asked if pk in rows), None)


def pending_question_url(matches: Iterable[int], persons: Sequence[Person]) -> str | None:
    """Where these persons have to answer before they see one of these matches. None: nowhere."""
    chapter = pending_question(matches, persons)
    return question_url(chapter) if chapter else None


def barring(key: str, number: int, persons: Sequence[Person]) -> int | None:
    """The match that a chapter's question keeps from these persons, whether it is gone or not."""
    rows = Chapter.every.filter(study__key=key, number=number).values_list("match", "pk")
    return next((match for match, pk in rows if pk in embargoes.asking([match], persons)), None)


def tries_again(chapter: Chapter, persons: Iterable[Person]) -> bool:
    """Whether the question is about a play of their own, which Practise or their match asks."""
    owner = chapter.study.owner
    own = chapter.study.key == key_of(owner, MISSED_TAKES)
    return own and owner in {encode(person) for person in persons}


def latest(chapter: Chapter, persons: Sequence[Person]) -> Attempt | None:
    """The learner's last attempt at a question, answered or open."""
    names = [encode(person) for person in persons]
    return Attempt.objects.filter(chapter=chapter, person__in=names).order_by("-pk").first()


@transaction.atomic
def begin(chapter: Chapter, author: Author, persons: Sequence[Person], speed: int = 100) -> bool:
    """Open a question for a learner. False if there is another that they have to answer first."""
    if tries_again(chapter, persons):
        asks = next(iter(embargoes.asking([chapter.match_id], persons)), chapter.pk)
    else:
        asks = embargoes.begin(chapter.match, persons, chapter.pk)
    if asks != chapter.pk:
        return False
    _attempt(chapter, author, persons, speed)
    return True


@transaction.atomic
def begin_first(chapter: Chapter, author: Author, persons: Sequence[Person]) -> None:
    """Open a question for a learner at once, before any other about the same match.

    Their time at that other one counts from when they come back to its stop.
    """
    embargoes.begin(chapter.match, persons, chapter.pk, besides=True)
    names = [encode(person) for person in persons]
    others = Attempt.objects.filter(chapter__match=chapter.match_id, person__in=names)
    others.filter(answered=None).exclude(chapter=chapter).update(asked=None)
    _attempt(chapter, author, persons, chapter.speed)


def _attempt(chapter: Chapter, author: Author, persons: Sequence[Person], speed: int) -> None:
    previous = latest(chapter, persons)
    if previous is None or previous.answered:
        Attempt.objects.create(
            chapter=chapter, person=author.person, name=author.name, user=author.user, speed=speed
        )
        changes.changed(changes.of_answers(chapter.study_id))


def review_asking(attempt: Attempt) -> Review | None:
    """The review in which the learner's class is asked this now: the right answer is hidden.

    Others who answer the same question meanwhile see it at once.
    """
    study, number = attempt.chapter.study_id, attempt.chapter.number
    return _asking(Q(study=study) | Q(questions=study), number, attempt.user_id).first()


def with_withheld(rows: QuerySet[Attempt]) -> QuerySet[Any]:
    """Attempts, each with `held`: whether the right answer is still hidden from its learner."""
    study = "chapter__study"
    here = Q(study=OuterRef(study)) | Q(pk=OuterRef(f"{study}__asked_in"))
    asking = _asking(here, OuterRef("chapter__number"), OuterRef(OuterRef("user")))
    return rows.annotate(held=Exists(asking))


def _asking(here: Q, number: Any, user: Any) -> QuerySet[Review]:
    """The reviews here in which that account's class is asked that chapter's question now."""
    now = Review.objects.exclude(asking=0).filter(here, asking=number, ended=False)
    return now.filter(school_class__in=keys_of(user))


def ask(attempt: Attempt) -> None:
    """Play has come to the stop: time counts now."""
    if attempt.asked is None:
        attempt.asked = timezone.now()
        attempt.save(update_fields=["asked"])


@transaction.atomic
def answer(
    attempt: Attempt,
    persons: Sequence[Person],
    said: Answer | None,
    ms: int,
    *,
    hinted: bool,
) -> Attempt:
    """Take an answer (None: given up) and lift the embargo.

    Raises ValidationFault if there was one.

    While a class is asked, the embargo lasts until the answer is revealed to all. `ms` is the
    browser's time. The server's own time corrects it beyond `GRACE_MS`.
    """
    current = Attempt.objects.select_for_update(of=("self",)).get(pk=attempt.pk)
    if current.answered:
        raise ValidationFault("answer: you have answered already")
    chapter, now = attempt.chapter, timezone.now()
    passed = int((now - (current.asked or current.opened)).total_seconds() * 1_000)
    current.ms = min(max(ms, passed - GRACE_MS, 0), _MOST_MS)
    current.answered = now
    current.answer = None if said is None else dict(said)
    current.hinted = hinted
    current.verdict = judge(chapter, said, current.ms, limit_ms(chapter, current.speed))
    current.save()
    if review_asking(current) is None:
        embargoes.lift(chapter.pk, persons)
    changes.changed(changes.of_answers(chapter.study_id))
    return current


def unanswered(chapters: Iterable[Chapter], persons: Collection[str]) -> list[Chapter]:
    """The questions among these chapters that none of these stored persons has answered."""
    asked = [row for row in chapters if row.question is not None]
    done = {chapter for chapter, _ in answered(asked, persons)}
    return [row for row in asked if row.pk not in done]


def answered(chapters: Iterable[Chapter], persons: Collection[str]) -> set[tuple[int, str]]:
    """Which of these chapters' questions each of these stored persons has answered. One query."""
    asked = [row.pk for row in chapters if row.question is not None]
    done = Attempt.objects.filter(chapter__in=asked, person__in=list(persons))
    return set(done.exclude(answered=None).values_list("chapter", "person"))


def record_reading(chapter: Chapter, visitor: Visitor) -> bool:
    """Note a learner's visit to a chapter without a question. Returns whether it was the first.

    Visitors whom the site does not know yet, without an account or a guest's name, leave nothing.
    """
    if not visitor.named:
        return False
    now, names = timezone.now(), [encode(person) for person in visitor.persons]
    known = chapter.readings.filter(person__in=names).order_by("pk").first()
    if known is not None:
        if now - known.last >= APART:
            chapter.readings.filter(pk=known.pk).update(last=now)
    elif chapter.readings.count() < MOST_READERS:
        said = {
            "user_id": visitor.account,
            "name": visitor.name,
            "first": now,
            "last": now,
        }
        return Reading.objects.get_or_create(chapter=chapter, person=names[0], defaults=said)[1]
    return False
