"""A chapter's page: the replay page with a bar. Where a question stops, it ends at the stop.

`replays.pages.studies.answering` says what a learner sees before, at and after its question.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.timezone import now
from django.views.decorators.http import require_safe
from ninja import Query, Router, Status
from typing_extensions import TypedDict

from games.archive.store import header_of
from games.engine.events import Event
from games.engine.fitting import every_use
from games.people import embargoes
from games.people.rights import Rights
from games.people.visit import Request, Visit
from replays.homework.progress import report_done
from replays.models import Attempt, Chapter, Note, Review, Study, Variation
from replays.notes.fields import NoteJson, VariationJson
from replays.notes.markdown import render as markdown
from replays.pages.match_log import numbered_of_round
from replays.pages.notes.api import NotesJson, Which, notes_of, written
from replays.pages.notes.asked import NewNote, NewVariation
from replays.pages.rendering import fetched_in_advance, private_page
from replays.pages.replay import ReplayContext, replay_context
from replays.pages.replay_page import replay_of
from replays.pages.studies.answering import attempt_of, rights_and_question
from replays.pages.studies.asked import (
    CHAPTER,
    ChapterJson,
    asked_of,
    chapter_json,
    chapter_of,
    may_write,
    must_write,
    token_of,
)
from replays.pages.studies.pages import ChapterRow, Heading, contents_of, headings
from replays.pages.studies.practice import PRACTISING
from replays.studies import attempts, readings
from replays.studies.daily import PUZZLES
from replays.studies.questions import (
    answer_words,
    asked_in,
    comment,
    given_away,
    given_limit_ms,
    limit_ms,
    original_of,
)
from replays.studies.results import Crowd, crowd
from replays.studies.stops import stop_of

LEAD_MS: Final = 6_000
"""How long before its stop a question begins to play."""
_PLACES: Final = ("round", "seq", "line")
router: Final = Router(tags=["studies"])


@require_safe
def chapter_page(request: Request, key: str, number: int) -> HttpResponse:
    """A chapter as a lesson, at its place; the query string may name another place."""
    try:
        chapter = chapter_of(request.visit, key, number)
    except Http404:
        _release(request.visit, key, number)
        raise
    writer = may_write(request.visit, chapter.study)
    may, asks = rights_and_question(request.visit, chapter)
    if asks not in (None, chapter.pk):
        messages.info(request, "Answer this question first: it is about the same match.")
        place = attempts.place_asking([chapter.match_id], may.visitor.persons)
        return redirect(place or request.path)
    if not may.admitted:
        return _bare(request, chapter, "absent", HTTPStatus.NOT_FOUND)
    attempt = attempt_of(request.visit, chapter)
    if asks and attempt is not None and attempt.answered:
        held = attempts.held_in(attempt)
        if held is not None:
            return redirect("replays:review", held.key)
        # The same account has answered in another browser, whose guest is another person.
        embargoes.lift(asks, may.visitor.persons)
        if another := attempts.place_asking([chapter.match_id], may.visitor.persons):
            return redirect(another)
        asks = None
    if asks:
        return _opened(request, chapter, attempt, _question)
    if chapter.question and not writer and (attempt is None or attempt.answered is None):
        given = in_seconds(given_limit_ms(chapter, chapter.speed))
        return _bare(request, chapter, "start", limit=given)
    return _opened(request, chapter, attempt, _lesson)


def _release(visit: Visit, key: str, number: int) -> None:
    """Nobody stays locked out by a question that they can no longer open."""
    for chapter in Chapter.every.filter(study__key=key, number=number):
        embargoes.lift(chapter.pk, visit.visitor.persons)


def _bare(
    request: Request,
    chapter: Chapter,
    state: str,
    status: int = HTTPStatus.OK,
    limit: str | None = None,
) -> HttpResponse:
    """The chapter's page without the match."""
    context = {**_bar(request.visit, chapter), "state": state, "limit": limit}
    return private_page(request, "studies/closed", context, status)


# --- The lesson ----------------------------------------------------------------------------------


def _opened(request: Request, chapter: Chapter, attempt: Attempt | None, show: Any) -> HttpResponse:
    held = attempts.held_in(attempt) if attempt and show is _question else None
    if not any(name in request.GET for name in _PLACES):
        # A class that is asked stops there at once.
        query = {**place_of(chapter, asking=show is _question and not held), **request.GET.dict()}
        return redirect(f"{request.path}?{urlencode(query)}")
    bar = _bar(request.visit, chapter)
    context = {**show(request, chapter, attempt), **bar}
    context["review_asking"] = held
    practising = context["state"] == "answered" and PRACTISING in request.GET
    context["practising"] = practising
    reads = not bar["writer"] and not chapter.question and not fetched_in_advance(request)
    if reads and readings.opened(chapter, request.visit.visitor):
        report_done(request.visit.visitor.account)
    writer = bar["writer"] and show is not _question and not practising
    lesson = _lesson_json(request, chapter, attempt, context["state"], writer=writer)
    context["lesson"] = lesson
    return private_page(request, "studies/chapter", context)


def chapter_context(request: Request, chapter: Chapter) -> ReplayContext:
    """What the replay page shows of a chapter's whole match, with the study's notes."""
    context = replay_context(request, chapter.match, request.visit.rights(chapter.match))
    where = [chapter.study.key, chapter.number]
    if may_write(request.visit, chapter.study):  # a learner's own what-ifs belong to no study
        context["variations_url"] = reverse("api:chapter_variations", args=where)
    context["notes_url"] = reverse("api:chapter_notes", args=where)
    return context


def _lesson(request: Request, chapter: Chapter, attempt: Attempt | None) -> dict[str, Any]:
    """The whole match."""
    context = {**chapter_context(request, chapter), "attempt": attempt, "state": "lesson"}
    if attempt and attempt.answered:
        context |= {**_verdict(chapter, attempt), "state": "answered"}
    return context


class AnswerWords(TypedDict):
    """What is said after the answer, the right ones in words, and both times, in seconds."""

    comment: str
    answer: str
    """Empty if they gave up."""
    right_answers: list[str]
    seconds: str
    original: str | None
    limit: str | None
    """How long they had; None: as long as they liked."""
    crowd: Crowd | None
    """How everybody did, if it is a puzzle for everybody."""


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
    account: str
    urls: dict[str, str]
    shared: bool
    """Whether anybody else may read it."""
    token: str
    """Opens it for others, if it is shared by link."""


def _verdict(chapter: Chapter, attempt: Attempt) -> AnswerWords:
    """What is said after the answer, and both times in words."""
    original = original_of(chapter)
    return {
        "comment": comment(chapter, attempt.verdict),
        "answer": answer_words(attempt.answer) if attempt.answer else "",
        "right_answers": [answer_words(answer) for answer in asked_in(chapter)["answers"]],
        "seconds": f"{(attempt.ms or 0) / 1_000:.1f}",
        "original": f"{original.ms / 1_000:.1f}" if original else None,
        "limit": in_seconds(limit_ms(chapter, attempt.speed)),
        "crowd": crowd(chapter) if chapter.study.key == PUZZLES else None,
    }


def in_seconds(ms: int | None) -> str | None:
    """`0.9`, `10`."""
    return None if ms is None else f"{ms / 1_000:.1f}".removesuffix(".0")


def _asked_json(chapter: Chapter, attempt: Attempt | None) -> AskedJson:
    asked, open_ = asked_in(chapter), attempt is not None and not attempt.answered
    asked_at = attempt.asked if attempt and open_ else None
    return {
        "seat": asked["seat"],
        "timed": asked["timed"],
        "limit_ms": given_limit_ms(chapter, attempt.speed if attempt else chapter.speed),
        "passed_ms": None if asked_at is None else int((now() - asked_at).total_seconds() * 1_000),
    }


def _question(_request: Request, chapter: Chapter, attempt: Attempt | None) -> dict[str, Any]:
    """The match as far as the stop, and nothing that knows more."""
    urls = {"log": reverse("api:chapter_log", args=[chapter.study.key, chapter.number])}
    stop = stop_of(chapter)
    match = replay_of(chapter.match, urls, spoilers=False) | {
        "spoilers": True,
        "rounds": stop.rounds,
        "seq": stop.seq,
        "finished": True,
        "result": None,
    }
    hint = asked_in(chapter)["hint"]
    return {
        "match": match,
        "attempt": attempt,
        "state": "question",
        "hint": markdown(hint, chapter.round) if hint else "",
        "question_uses": every_use(header_of(chapter.match).rules),
        "first_round": None,
        "live": None,
    }


def _bar(visit: Visit, chapter: Chapter) -> Bar:
    """What the bar above a chapter shows."""
    rows = contents_of(chapter.study, asked_of(visit, chapter.study))
    writer = may_write(visit, chapter.study)
    at = next(at for at, row in enumerate(rows) if row.number == chapter.number)
    return {
        "study": chapter.study,
        "chapter": chapter,
        "headings": headings(rows, partial(_item, number=chapter.number)),
        "count": len(rows),
        "position": at + 1,
        "before": rows[at - 1] if at else None,
        "after": rows[at + 1] if at + 1 < len(rows) else None,
        "writer": writer,
        "in_review": _review_of(visit, chapter.study),
        "given_away": given_away(chapter) if writer and not chapter.study.drill else [],
    }


def _review_of(visit: Visit, study: Study) -> Review | None:
    """A review of the study that goes on, and that this visitor has been in."""
    mine = {"members__person__in": visit.reader.persons}
    rows = Review.objects.filter(study=study, ended=False, **mine)
    return rows.order_by("-changed").first() or Review.objects.filter(questions=study).first()


def _item(entry: ChapterRow, number: int) -> str:
    """A chapter in the bar's table of contents."""
    current = mark_safe(' aria-current="page"') if entry.number == number else ""
    item = '<li><a href="{}"{}><bdi>{}</bdi></a></li>'
    return format_html(item, entry.url, current, entry.title)


def _lesson_json(
    request: Request, chapter: Chapter, attempt: Attempt | None, state: str, *, writer: bool
) -> LessonJson:
    """What the lesson's script needs; `writer`: with the right answers, to be edited."""
    where = [chapter.study.key, chapter.number]
    return {
        "chapter": chapter_json(chapter, writer=writer),
        "study": chapter.study.key,
        "state": state,
        "question": _asked_json(chapter, attempt) if chapter.question else None,
        "speed": attempt.speed if attempt else chapter.speed,
        "writer": writer,
        "account": request.visit.visitor.account_key,
        "urls": {
            "chapter": reverse("api:study_chapter", args=where),
            "answer": reverse("api:chapter_answer", args=where),
        },
        "shared": chapter.study.visibility != Study.Visibility.SELF,
        "token": token_of(chapter.study, request.visit.reader),
    }


def place_of(chapter: Chapter, *, asking: bool) -> dict[str, str]:
    """The chapter's place and perspective as a query string; a question begins a little earlier."""
    view = {} if chapter.view == "all" else {"pov": chapter.view}
    if chapter.line is not None:
        return {"line": chapter.line.key, "event": str(chapter.event), **view}
    seq, t, count = 0, 0, 0
    for at, line in numbered_of_round(chapter.match, chapter.round):
        if isinstance(line, Event):
            count += 1
            t = line.t
        seq = at
        if count >= chapter.event:
            break
    if asking:
        return {"round": str(chapter.round), "t": str(max(0, t - LEAD_MS)), **view}
    return {"seq": str(seq), **view}


# --- What it asks for ---------------------------------------------------------------------------


@router.get(f"{CHAPTER}/notes", url_name="chapter_notes", response=NotesJson)
def chapter_notes(request: Request, key: str, number: int, which: Query[Which]) -> NotesJson:
    """The study's notes and variations on the chapter's match, as those of a match."""
    chapter = chapter_of(request.visit, key, number)
    may = _seen(request.visit, chapter)
    writer = may_write(request.visit, chapter.study)
    return notes_of(request, chapter.match, may, which, chapter.study, writer=writer)


@router.post(
    f"{CHAPTER}/notes",
    url_name="chapter_notes",
    response={201: NoteJson},
)
def add_chapter_note(request: Request, key: str, number: int, asked: NewNote) -> Status[NoteJson]:
    """Add a note to the study: its writers may, and its readers may reply."""
    chapter = chapter_of(request.visit, key, number)
    may = _seen(request.visit, chapter)
    if asked.reply is None:
        must_write(request.visit, chapter.study)
    return written(request.visit, Note, asked, (chapter.match, may), chapter.study)


@router.post(
    f"{CHAPTER}/variations",
    url_name="chapter_variations",
    response={201: VariationJson},
)
def add_chapter_variation(
    request: Request, key: str, number: int, asked: NewVariation
) -> Status[VariationJson]:
    """Add a variation to the study: its writers may."""
    chapter = chapter_of(request.visit, key, number)
    may = _seen(request.visit, chapter)
    must_write(request.visit, chapter.study)
    return written(request.visit, Variation, asked, (chapter.match, may), chapter.study)


def _seen(visit: Visit, chapter: Chapter) -> Rights:
    """The rights of a visitor who may see what is in the chapter. Raises Http404."""
    may = visit.rights(chapter.match)
    if not may.see:
        raise Http404("there is no such chapter")
    attempt = attempt_of(visit, chapter)
    asked = chapter.question and (attempt is None or attempt.answered is None)
    if asked and not may_write(visit, chapter.study):
        raise Http404("there is no such chapter")
    return may
