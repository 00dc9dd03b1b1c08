"""A chapter's question: opening it, the log as far as its stop, the answer.

A question has three states for a learner: not started (its page shows nothing of the match), open
(the match as far as the stop, and an embargo on everything else), and answered. Writers of the
study see the whole match, and answer the question only if they want to.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_POST, require_safe

from games.people import embargoes
from games.people.matches import rights_in
from games.people.rights import Rights
from games.people.sessions import visitor_of
from games.records.shape import Fields, flag, whole
from replays.models import Attempt, Chapter
from replays.pages.json_api import answer, body_of, json_view, refusal
from replays.pages.notes.asked import author_of
from replays.pages.studies.asked import chapter_of
from replays.pages.viewer import BadNumberError, number
from replays.studies import attempts
from replays.studies.chapters import SPEEDS
from replays.studies.questions import answer_of, comment
from replays.studies.stops import log_until

_MOST_MS: Final = 86_400_000


def rights_and_question(request: HttpRequest, found: Chapter) -> tuple[Rights, str | None]:
    """The visitor's rights in the match, and where they must answer before they see it."""
    may = rights_in(request, found.match)
    barred = may.embargoed
    return may, embargoes.place_of(found.match, may.visitor.persons) if barred else None


def attempt_of(request: HttpRequest, found: Chapter) -> Attempt | None:
    """The visitor's latest attempt at the chapter's question, if it has one."""
    return attempts.latest(found, visitor_of(request).persons) if found.question else None


@require_POST
def start(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Open a question: from now on its learner sees nothing after the stop."""
    found = chapter_of(request, key, number)
    if not found.question or not rights_in(request, found.match).admitted:
        raise Http404("there is no question")
    author = author_of(request)
    sent = request.POST.get("speed", "")
    speed = next((one for one in SPEEDS if str(one) == sent), found.speed)
    where = attempts.begin(found, author, visitor_of(request).persons, speed)
    drill = "?drill=1" if request.POST.get("drill") else ""
    return redirect(f"{where}{drill if where == attempts.place(found) else ''}")


@require_safe
def chapter_log(request: HttpRequest, key: str, number: int) -> HttpResponseBase:
    """The log as far as the stop, for a learner who has opened the question; never cached."""
    found = chapter_of(request, key, number)
    admitted = rights_in(request, found.match).admitted
    if not found.question or not admitted or not _is_open(request, found):
        raise Http404("the question is not open")
    try:
        first_seq = max(1, _from(request))
    except BadNumberError as error:
        return refusal(str(error))
    response = HttpResponse(log_until(found, first_seq), content_type="application/json")
    add_never_cache_headers(response)
    return response


def _from(request: HttpRequest) -> int:
    return number(request, "from") or 1


def _is_open(request: HttpRequest, found: Chapter) -> bool:
    """Whether this visitor is at this question now."""
    return rights_and_question(request, found)[1] == attempts.place(found)


@json_view("POST")
def chapter_answer(request: HttpRequest, key: str, number: int) -> HttpResponseBase:
    """`{"asked": true}` when play stops; then `{"answer": …, "ms": 900, "hinted": false}`.

    `answer` null: given up. The response is the verdict.
    """
    found = chapter_of(request, key, number)
    attempt = attempt_of(request, found)
    if attempt is None or not _is_open(request, found):
        return refusal("the question is not open", HTTPStatus.CONFLICT)
    fields = Fields(body_of(request), "request")
    if fields.get("asked") is not None:
        fields.done()
        attempts.ask(attempt)
        return answer({"asked": True})
    said = fields.need("answer")
    ms = whole(fields.need("ms"), "ms", 0, _MOST_MS)
    hinted = fields.get("hinted")
    fields.done()
    done = attempts.answer(
        attempt,
        visitor_of(request).persons,
        None if said is None else answer_of(said),
        ms,
        hinted=hinted is not None and flag(hinted, "hinted"),
    )
    return answer({"verdict": done.verdict, "ms": done.ms, "html": comment(found, done.verdict)})
