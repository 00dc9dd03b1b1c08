"""The answers of a review's members to a chapter's question, for the writers of its study.

A review for a class lists all its pupils, children too, under the names that the class knows.
Another one lists those who have been in it.
"""

from typing import Final, NamedTuple, cast

from games.people.names import in_order
from games.people.person import account, encode
from replays.classes.membership import pupils_in
from replays.models import Attempt, Chapter, Review
from replays.reviews.storage import here
from replays.studies.questions import Answer, answer_words

ASKED, ANSWERED, AWAY = "asked", "answered", "away"
"""Still to answer, done, or not here."""
MAX_MEMBERS: Final = 200
"""Members listed of a review without a class."""


class GivenAnswer(NamedTuple):
    """A member's latest answer to a question, in words. Empty `words`: none, or given up.

    ANSWERED without `ms`: the question has ended before they answered.
    """

    name: str
    state: str
    words: str = ""
    verdict: str = ""
    ms: int | None = None


def answers(review: Review, chapter: Chapter) -> list[GivenAnswer]:
    """The answers, the quickest first, then members still to answer, then others. Four queries."""
    people = _learners(review, chapter)
    rows = Attempt.objects.filter(chapter=chapter, person__in=people)
    latest = {row.person: row for row in rows.order_by("pk")}
    members = dict(review.members.filter(person__in=people).values_list("person", "number"))
    present, asking = here(review), review.asking == chapter.number

    def at_it(person: str) -> bool:
        attempt = latest.get(person)
        # Children are no members, and others' connections may be renewed just now.
        has_come = attempt is not None and (attempt.asked is not None or not asking)
        return has_come or members.get(person) in present

    given = [
        _given_answer(name, latest.get(person), at_it(person)) for person, name in people.items()
    ]
    order = (ANSWERED, ASKED, AWAY)
    return sorted(
        given, key=lambda answer: (order.index(answer.state), answer.ms or 0, in_order(answer.name))
    )


def _given_answer(name: str, attempt: Attempt | None, at_it: bool) -> GivenAnswer:
    if attempt is None or attempt.answered is None:
        return GivenAnswer(name, ASKED if at_it else AWAY)
    said = cast("Answer | None", attempt.answer)
    words = answer_words(said) if said else ""
    return GivenAnswer(name, ANSWERED, words, attempt.verdict, attempt.ms)


def _learners(review: Review, chapter: Chapter) -> dict[str, str]:
    """The names of those who are asked, by stored person."""
    if review.school_class:
        pupils = pupils_in(review.school_class)
        return {encode(account(pupil.user.pk)): pupil.name for pupil in pupils}
    study = chapter.study
    writers = study.writers.all()
    others = review.members.exclude(person=study.owner).exclude(user__in=writers)
    return dict(others.order_by("number").values_list("person", "name")[:MAX_MEMBERS])
