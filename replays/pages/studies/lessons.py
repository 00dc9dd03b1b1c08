"""A chapter's page: the replay page with a bar. Where a question stops, it ends at the stop.

`replays.pages.studies.answering` says what a learner sees before, at and after its question.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any, Final, TypedDict
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.timezone import now
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.archive.store import header_of
from games.engine.events import Event
from games.engine.fitting import every_use
from games.people import embargoes
from games.people.matches import rights_in
from games.people.person import encode
from games.people.rights import Rights
from games.people.sessions import visitor_of
from replays.annotations.markdown import render as markdown
from replays.models import Attempt, Chapter, Review, Study
from replays.pages.json_api import body_of, json_view
from replays.pages.match_log import numbered_of_round
from replays.pages.notes.api import keep_variation, notes_answer, write_note
from replays.pages.notes.asked import reader_of
from replays.pages.replay_page import replay_of
from replays.pages.studies.answering import attempt_of, rights_and_question
from replays.pages.studies.asked import (
    ChapterJson,
    asked_of,
    chapter_json,
    chapter_of,
    may_write,
    must_write,
    token_of,
)
from replays.pages.studies.pages import ChapterRow, Heading, contents_of, headings
from replays.pages.views import page, replay_context
from replays.studies import attempts, readings
from replays.studies.questions import (
    answer_words,
    asked_in,
    comment,
    given_away,
    given_limit_ms,
    limit_ms,
    original_of,
)
from replays.studies.stops import stop_of

LEAD_MS: Final = 6_000
"""How long before its stop a question begins to play."""
_PLACES: Final = ("round", "seq", "line")


@require_safe
def chapter(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """A chapter as a lesson, at its place; the query string may name another place."""
    try:
        found = chapter_of(request, key, number)
    except Http404:
        _release(request, key, number)
        raise
    writer = may_write(request, found.study)
    may, where = rights_and_question(request, found)
    if where is not None and where != attempts.place(found):
        messages.info(request, "Answer this question first: it is about the same match.")
        return redirect(where)
    if not may.admitted:
        return _bare(request, found, "absent", HTTPStatus.NOT_FOUND)
    attempt = attempt_of(request, found)
    if where is not None and attempt is not None and attempt.answered:
        # The same account has answered in another browser, whose guest is another person.
        embargoes.lift(where, may.visitor.persons)
        where = None
    if where is not None:
        return _opened(request, found, attempt, _question)
    if found.question and not writer and (attempt is None or attempt.answered is None):
        given = in_seconds(given_limit_ms(found, found.speed))
        return _bare(request, found, "start", limit=given)
    return _opened(request, found, attempt, _lesson)


def _release(request: HttpRequest, key: str, number: int) -> None:
    """Nobody stays locked out by a question that they can no longer open."""
    place = reverse("replays:chapter", args=[key, number])
    embargoes.lift(place, visitor_of(request).persons)


def _bare(
    request: HttpRequest,
    found: Chapter,
    state: str,
    status: int = HTTPStatus.OK,
    limit: str | None = None,
) -> HttpResponse:
    """The chapter's page without the match."""
    context = {**_bar(request, found), "state": state, "limit": limit}
    response = render(request, "replays/studies/closed.html", context, status=status)
    add_never_cache_headers(response)
    return response


# --- The lesson ----------------------------------------------------------------------------------


def _opened(
    request: HttpRequest, found: Chapter, attempt: Attempt | None, show: Any
) -> HttpResponse:
    if not any(name in request.GET for name in _PLACES):
        query = {**place_of(found, asking=show is _question), **request.GET.dict()}
        return redirect(f"{request.path}?{urlencode(query)}")
    bar = _bar(request, found)
    context = {**show(request, found, attempt), **bar}
    if not bar["writer"] and not found.question and _read(request):
        readings.opened(found, visitor_of(request))
    writer = bar["writer"] and show is not _question
    lesson = _lesson_json(request, found, attempt, context["state"], writer=writer)
    context["lesson"] = lesson
    response = page(request, "studies/chapter", context)
    add_never_cache_headers(response)
    return response


def _read(request: HttpRequest) -> bool:
    """Whether somebody gets to see the page, and no browser fetches it in advance."""
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Moz"))
    return request.method == "GET" and not any("prefetch" in one for one in purposes)


def _lesson(request: HttpRequest, found: Chapter, attempt: Attempt | None) -> dict[str, Any]:
    """The whole match."""
    may = rights_in(request, found.match)
    context = replay_context(request, found.match, may)
    where = [found.study.key, found.number]
    if may_write(request, found.study):  # a learner's own what-ifs belong to no study
        context["variations_url"] = reverse("replays:chapter_variations", args=where)
    context |= {
        "notes_url": reverse("replays:chapter_notes", args=where),
        "attempt": attempt,
        "state": "answered" if attempt and attempt.answered else "lesson",
    }
    return {**context, **_verdict(found, attempt)} if attempt and attempt.answered else context


class Verdict(TypedDict):
    """What is said after the answer, the right ones in words, and both times, in seconds."""

    comment: str
    answer: str
    """Empty if they gave up."""
    right_answers: list[str]
    seconds: str
    original: str | None
    limit: str | None
    """How long they had; None: as long as they liked."""


class Bar(TypedDict):
    """What the bar above a chapter shows."""

    study: Study
    chapter: Chapter
    headings: list[Heading]
    count: int
    position: int
    before: ChapterRow | None
    after: ChapterRow | None
    writer: bool
    in_review: Review | None
    given_away: list[str]
    """The questions, by title, that the chapter answers before they are asked; for writers."""


class AskedJson(TypedDict):
    """As much of a question as its learners know."""

    seat: int
    timed: bool
    limit_ms: int | None
    """If the writer gave one: how long the player took is known after the answer only."""
    passed_ms: int | None
    """Since play has come to the stop; None: it has not yet."""


class LessonJson(TypedDict):
    """What the lesson's script needs; `speed` in percent."""

    chapter: ChapterJson
    study: str
    state: str
    question: AskedJson | None
    speed: int
    writer: bool
    csrf: str
    urls: dict[str, str]
    shared: bool
    """Whether anybody else may read it."""
    token: str
    """Opens it for others, if it is shared by link."""


def _verdict(found: Chapter, attempt: Attempt) -> Verdict:
    """What is said after the answer, and both times in words."""
    original = original_of(found)
    return {
        "comment": comment(found, attempt.verdict),
        "answer": answer_words(attempt.answer) if attempt.answer else "",
        "right_answers": [answer_words(one) for one in asked_in(found)["answers"]],
        "seconds": f"{(attempt.ms or 0) / 1_000:.1f}",
        "original": f"{original.ms / 1_000:.1f}" if original else None,
        "limit": in_seconds(limit_ms(found, attempt.speed)),
    }


def in_seconds(ms: int | None) -> str | None:
    """`0.9`."""
    return None if ms is None else f"{ms / 1_000:.1f}"


def _asked_json(found: Chapter, attempt: Attempt | None) -> AskedJson:
    asked, open_ = asked_in(found), attempt is not None and not attempt.answered
    asked_at = attempt.asked if attempt and open_ else None
    return {
        "seat": asked["seat"],
        "timed": asked["timed"],
        "limit_ms": given_limit_ms(found, attempt.speed if attempt else found.speed),
        "passed_ms": None if asked_at is None else int((now() - asked_at).total_seconds() * 1_000),
    }


def _question(request: HttpRequest, found: Chapter, attempt: Attempt | None) -> dict[str, Any]:
    """The match as far as the stop, and nothing that knows more."""
    urls = {"log": reverse("replays:chapter_log", args=[found.study.key, found.number])}
    stop = stop_of(found)
    match = replay_of(found.match, urls, spoilers=False) | {
        "spoilers": True,
        "rounds": stop.rounds,
        "seq": stop.seq,
        "finished": True,
        "result": None,
    }
    hint = asked_in(found)["hint"]
    return {
        "match": match,
        "attempt": attempt,
        "state": "question",
        "hint": markdown(hint, found.round) if hint else "",
        "question_uses": every_use(header_of(found.match).rules),
        "first_round": None,
        "live": None,
    }


def _bar(request: HttpRequest, found: Chapter) -> Bar:
    """What the bar above a chapter shows."""
    rows = contents_of(found.study, asked_of(request, found.study))
    writer = may_write(request, found.study)
    at = next(at for at, row in enumerate(rows) if row.number == found.number)
    return {
        "study": found.study,
        "chapter": found,
        "headings": headings(rows, partial(_item, number=found.number)),
        "count": len(rows),
        "position": at + 1,
        "before": rows[at - 1] if at else None,
        "after": rows[at + 1] if at + 1 < len(rows) else None,
        "writer": writer,
        "in_review": _review_of(request, found.study),
        "given_away": given_away(found) if writer else [],
    }


def _review_of(request: HttpRequest, study: Study) -> Review | None:
    """A review of the study that goes on, and that this visitor has been in."""
    persons = [encode(person) for person in visitor_of(request).persons]
    rows = Review.objects.filter(study=study, ended=False, members__person__in=persons)
    return rows.order_by("-changed").first() if persons else None


def _item(entry: ChapterRow, number: int) -> str:
    """A chapter in the bar's table of contents."""
    current = mark_safe(' aria-current="page"') if entry.number == number else ""
    item = '<li><a href="{}"{}><bdi>{}</bdi></a></li>'
    return format_html(item, entry.url, current, entry.title)


def _lesson_json(
    request: HttpRequest, found: Chapter, attempt: Attempt | None, state: str, *, writer: bool
) -> LessonJson:
    """What the lesson's script needs; `writer`: with the right answers, to be edited."""
    where = [found.study.key, found.number]
    return {
        "chapter": chapter_json(found, writer=writer),
        "study": found.study.key,
        "state": state,
        "question": _asked_json(found, attempt) if found.question else None,
        "speed": attempt.speed if attempt else found.speed,
        "writer": writer,
        "csrf": get_token(request),
        "urls": {
            "chapter": reverse("replays:study_chapter", args=where),
            "answer": reverse("replays:chapter_answer", args=where),
        },
        "shared": found.study.visibility != Study.Visibility.SELF,
        "token": token_of(found.study, reader_of(request)),
    }


def place_of(found: Chapter, *, asking: bool) -> dict[str, str]:
    """The chapter's place and perspective as a query string; a question begins a little earlier."""
    view = {} if found.view == "all" else {"pov": found.view}
    if found.line is not None:
        return {"line": found.line.key, "event": str(found.event), **view}
    seq, t, count = 0, 0, 0
    for at, line in numbered_of_round(found.match, found.round):
        if isinstance(line, Event):
            count += 1
            t = line.t
        seq = at
        if count >= found.event:
            break
    if asking:
        return {"round": str(found.round), "t": str(max(0, t - LEAD_MS)), **view}
    return {"seq": str(seq), **view}


# --- What it asks for ---------------------------------------------------------------------------


@gzip_page
@json_view("GET", "POST")
def chapter_notes(request: HttpRequest, key: str, number: int) -> HttpResponseBase:
    """The study's notes on the chapter's match; POST: its writers add one, its readers reply."""
    found = chapter_of(request, key, number)
    may = _seen(request, found)
    if request.method == "POST":
        if body_of(request).get("reply") is None:
            must_write(request, found.study)
        return write_note(request, found.match, may, found.study)
    writer = may_write(request, found.study)
    return notes_answer(request, found.match, may, found.study, writer=writer)


@json_view("POST")
def chapter_variations(request: HttpRequest, key: str, number: int) -> HttpResponseBase:
    """Add a variation to the study: its writers may."""
    found = chapter_of(request, key, number)
    may = _seen(request, found)
    must_write(request, found.study)
    return keep_variation(request, found.match, may, found.study)


def _seen(request: HttpRequest, found: Chapter) -> Rights:
    """The rights of a visitor who may see what is in the chapter. Raises Http404."""
    may = rights_in(request, found.match)
    if not may.see:
        raise Http404("there is no such chapter")
    attempt = attempt_of(request, found)
    asked = found.question and (attempt is None or attempt.answered is None)
    if asked and not may_write(request, found.study):
        raise Http404("there is no such chapter")
    return may
