"""A chapter's question: opening it, the log as far as its stop, the answer.

A question has three states for a learner. Not started: its page shows nothing of the match. Open:
the match as far as the stop, and an embargo on everything else. Answered: all of it. Writers of the
study see the whole match, and answer the question only if they want to. A play of one's own match
that is tried again has no embargo.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Final, Literal, cast

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from ninja import Query, Router
from pydantic import Field
from typing_extensions import TypedDict

from games.pages.operations import NonNegativeInt, RequestBody
from games.pages.problems import Refused
from games.people import embargoes
from games.people.visit import Request
from games.records.strict import Malformed
from replays.homework.progress import report_done
from replays.models import Chapter
from replays.pages.api import LogSlice
from replays.pages.rendering import private_page
from replays.pages.studies.access import CHAPTER, chapter_of
from replays.studies import attempts
from replays.studies.daily import comment
from replays.studies.learning import Extent, Stage, learner_state
from replays.studies.questions import Answer, GivenAnswer
from replays.studies.stops import log_until

_MOST_MS: Final = 86_400_000
router: Final = Router(tags=["studies"])


@require_POST
def start(request: Request, key: str, number: int) -> HttpResponse:
    """Open a question: its learner now sees nothing after the stop."""
    chapter = chapter_of(request.visit, key, number)
    if not chapter.question or not request.visit.rights(chapter.match).admitted:
        raise Http404(_("there is no question"))
    author = request.visit.sign()
    persons, here = request.visit.visitor.persons, attempts.question_url(chapter)
    if not attempts.begin(chapter, author, persons, chapter.speed):
        return redirect(attempts.pending_question_url([chapter.match_id], persons) or here)
    return redirect(here)


@require_http_methods(["GET", "HEAD", "POST"])
def release_match(request: Request, pk: int) -> HttpResponse:
    """A page about a match that waits for a deleted question. POST shows the match again."""
    persons = request.visit.visitor.persons
    rows = Chapter.every.select_related("study").in_bulk(embargoes.asking([pk], persons))
    gone = [asks for asks in embargoes.asking([pk], persons) if not _openable(request, rows, asks)]
    if request.method != "POST" and gone:
        return private_page(request, "studies/gone", {"pk": pk}, HTTPStatus.NOT_FOUND)
    for asks in gone:
        embargoes.lift(asks, persons)
    return redirect("replays:replay", pk)


def _openable(request: Request, rows: Mapping[int, Chapter], pk: int) -> bool:
    """Whether this visitor can still open a question."""
    row = rows.get(pk)
    try:
        return row is not None and bool(chapter_of(request.visit, row.study.key, row.number))
    except Http404:
        return False


class Answered(RequestBody):
    """A learner's answer (null: given up), after so many ms. Or `asked`: play has stopped."""

    asked: Literal[True] | None = None
    answer: GivenAnswer | None = None
    ms: Annotated[int, Field(ge=0, le=_MOST_MS)] | None = None
    hinted: bool = False


class QuestionAsked(TypedDict):
    """The clock of the question runs."""

    asked: bool


class Opened(TypedDict):
    """Whether it is kept that the visitor has seen the chapter."""

    opened: bool


class AnswerJudged(TypedDict):
    """The verdict on an answer, and its writer's comment, which is empty until it is revealed."""

    verdict: str
    ms: int
    html: str


@router.get(f"{CHAPTER}/log", url_name="chapter_log", response=LogSlice)
def chapter_log(
    request: Request,
    key: str,
    number: int,
    first: NonNegativeInt = Query(1, alias="from"),  # noqa: B008 - how the library wants it
) -> HttpResponse:
    """The log as far as the stop, for a learner who has opened the question. Never cached."""
    chapter = chapter_of(request.visit, key, number)
    if learner_state(request.visit, chapter).sees is not Extent.TO_STOP:
        raise Http404(_("the question is not open"))
    response = HttpResponse(log_until(chapter, max(1, first)), content_type="application/json")
    add_never_cache_headers(response)
    return response


@router.post(f"{CHAPTER}/opened", url_name="chapter_opened", response=Opened)
def open_chapter(request: Request, key: str, number: int) -> Opened:
    """Keep that a learner has seen a chapter that asks nothing."""
    state = learner_state(request.visit, chapter_of(request.visit, key, number))
    reads = state.stage is Stage.LESSON and not state.writes
    first = reads and attempts.record_reading(state.chapter, request.visit.visitor)
    if first:
        report_done(request.visit.visitor.account)
    return {"opened": reads}


@router.post(
    f"{CHAPTER}/answer",
    url_name="chapter_answer",
    response=AnswerJudged | QuestionAsked,
)
def answer_question(
    request: Request, key: str, number: int, asked: Answered
) -> AnswerJudged | QuestionAsked:
    """`{"asked": true}` when play stops, then the answer. The response is the verdict."""
    chapter = chapter_of(request.visit, key, number)
    state = learner_state(request.visit, chapter)
    attempt = state.attempt
    if attempt is None or state.sees is not Extent.TO_STOP:
        raise Refused(_("the question is not open"))
    if asked.asked:
        attempts.ask(attempt)
        return {"asked": True}
    if "answer" not in asked.model_fields_set or asked.ms is None:
        raise Malformed("answer: expected one, or null, and ms")
    done = attempts.answer(
        attempt,
        request.visit.visitor.persons,
        None if asked.answer is None else cast("Answer", asked.answer.model_dump()),
        asked.ms,
        hinted=asked.hinted,
    )
    report_done(request.visit.visitor.account)
    assert done.ms is not None
    if attempts.review_asking(done) is not None:
        return {"verdict": "", "ms": done.ms, "html": ""}
    return {"verdict": done.verdict, "ms": done.ms, "html": comment(chapter, done.verdict)}
