"""A chapter's question: opening it, the log as far as its stop, the answer.

A question has three states for a learner: not started (its page shows nothing of the match), open
(the match as far as the stop, and an embargo on everything else), and answered. Writers of the
study see the whole match, and answer the question only if they want to.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_POST
from ninja import Query, Router
from pydantic import Field
from typing_extensions import TypedDict

from games.pages.operations import Asked, Whole
from games.pages.problems import Refused
from games.people import embargoes
from games.people.rights import Rights
from games.people.visit import Request, Visit
from games.records.strict import Malformed
from replays.homework.progress import report_done
from replays.models import Attempt, Chapter
from replays.pages.api import LogSlice
from replays.pages.studies.asked import CHAPTER, chapter_of
from replays.studies import attempts
from replays.studies.questions import answer_of, comment
from replays.studies.stops import log_until

_MOST_MS: Final = 86_400_000
router: Final = Router(tags=["studies"])


def rights_and_question(visit: Visit, chapter: Chapter) -> tuple[Rights, int | None]:
    """The visitor's rights in the match, and the chapter they must answer before they see it."""
    may = visit.rights(chapter.match)
    barred = may.embargoed
    return may, embargoes.asking([chapter.match_id], may.visitor.persons) if barred else None


def attempt_of(visit: Visit, chapter: Chapter) -> Attempt | None:
    """The visitor's latest attempt at the chapter's question, if it has one."""
    return attempts.latest(chapter, visit.visitor.persons) if chapter.question else None


@require_POST
def start(request: Request, key: str, number: int) -> HttpResponse:
    """Open a question: from now on its learner sees nothing after the stop."""
    chapter = chapter_of(request.visit, key, number)
    if not chapter.question or not request.visit.rights(chapter.match).admitted:
        raise Http404("there is no question")
    author = request.visit.sign()
    persons, here = request.visit.visitor.persons, attempts.place(chapter)
    if not attempts.begin(chapter, author, persons, chapter.speed):
        return redirect(attempts.place_asking([chapter.match_id], persons) or here)
    return redirect(here)


class Answered(Asked):
    """A learner's answer (null: given up), after so many ms; or `asked`: play has stopped."""

    asked: Literal[True] | None = None
    answer: dict[str, Any] | None = None
    ms: Annotated[int, Field(ge=0, le=_MOST_MS)] | None = None
    hinted: bool = False


class QuestionAsked(TypedDict):
    """The clock of the question runs."""

    asked: bool


class AnswerJudged(TypedDict):
    """The verdict on an answer, and what its writer says to it; empty until it is revealed."""

    verdict: str
    ms: int
    html: str


@router.get(f"{CHAPTER}/log", url_name="chapter_log", response=LogSlice)
def chapter_log(
    request: Request,
    key: str,
    number: int,
    first: Whole = Query(1, alias="from"),  # noqa: B008 - how the library wants it
) -> HttpResponse:
    """The log as far as the stop, for a learner who has opened the question; never cached."""
    chapter = chapter_of(request.visit, key, number)
    admitted = request.visit.rights(chapter.match).admitted
    if not chapter.question or not admitted or not _is_open(request.visit, chapter):
        raise Http404("the question is not open")
    response = HttpResponse(log_until(chapter, max(1, first)), content_type="application/json")
    add_never_cache_headers(response)
    return response


def _is_open(visit: Visit, chapter: Chapter) -> bool:
    """Whether this visitor is at this question now."""
    return rights_and_question(visit, chapter)[1] == chapter.pk


@router.post(
    f"{CHAPTER}/answer",
    url_name="chapter_answer",
    response=AnswerJudged | QuestionAsked,
)
def answer_question(
    request: Request, key: str, number: int, asked: Answered
) -> AnswerJudged | QuestionAsked:
    """`{"asked": true}` when play stops; then the answer. The response is the verdict."""
    chapter = chapter_of(request.visit, key, number)
    attempt = attempt_of(request.visit, chapter)
    if attempt is None or not _is_open(request.visit, chapter):
        raise Refused("the question is not open")
    if asked.asked:
        attempts.ask(attempt)
        return {"asked": True}
    if "answer" not in asked.model_fields_set or asked.ms is None:
        raise Malformed("answer: expected one, or null, and ms")
    done = attempts.answer(
        attempt,
        request.visit.visitor.persons,
        None if asked.answer is None else answer_of(asked.answer),
        asked.ms,
        hinted=asked.hinted,
    )
    report_done(request.visit.visitor.account)
    assert done.ms is not None
    if attempts.held_in(done) is not None:
        return {"verdict": "", "ms": done.ms, "html": ""}
    return {"verdict": done.verdict, "ms": done.ms, "html": comment(chapter, done.verdict)}
