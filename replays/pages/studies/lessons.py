"""A chapter's page: the replay page with a bar. Where a question stops, it ends at the stop.

`replays.studies.learning` decides what a learner sees before, at and after its question.
"""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Min
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from ninja import Query, Router, Status

from games.archive.store import header_of
from games.engine.fitting import every_use
from games.models import Match
from games.pages.words import HERE, words
from games.people.embargoes import open_questions
from games.people.visit import Request, Visit
from replays.analysis.missed_takes import cost_of
from replays.homework.giving import homework_ending_with
from replays.models import Attempt, Chapter, Note, Review, Study, Variation
from replays.notes.fields import NoteJson, VariationJson
from replays.notes.markdown import render as markdown
from replays.pages.moment_pictures import audience_of, link_preview
from replays.pages.notes.api import NotesJson, Which, notes_of, written
from replays.pages.notes.schemas import NewNote, NewVariation
from replays.pages.rendering import private_page
from replays.pages.replay import replay_context
from replays.pages.replay_page import replay_of
from replays.pages.studies.access import CHAPTER, chapter_of, may_write, must_write, token_of
from replays.pages.studies.pages import ChapterRow, contents_of, headings
from replays.pages.studies.practice import PRACTISING
from replays.pages.studies.puzzles import closing_words, of_puzzle
from replays.pages.studies.schemas import chapter_json
from replays.pages.studies.tables import table_before
from replays.pages.telling import names_in
from replays.stored import reports
from replays.studies import attempts
from replays.studies.daily import PUZZLES, TONIGHT, comment
from replays.studies.learning import Extent, LearnerState, Stage, learner_state
from replays.studies.questions import (
    answer_words,
    given_away,
    given_limit_ms,
    is_right,
    limit_ms,
    original_of,
    question_of,
)
from replays.studies.stops import stop_of

LEAD_MS: Final = 6_000
"""How long before its stop a question begins to play."""
PLACE_PARAMS: Final = ("round", "seq", "line")
router: Final = Router(tags=["studies"])


@require_safe
def chapter_page(request: Request, key: str, number: int) -> HttpResponse:
    """A chapter as a lesson, at its place. The query string may name another place."""
    try:
        chapter = chapter_of(request.visit, key, number)
    except Http404:
        barring = attempts.barring(key, number, request.visit.visitor.persons)
        if barring is None:
            raise
        return redirect("replays:release_match", barring)
    state = learner_state(request.visit, chapter, practising=PRACTISING in request.GET)
    if state.stage is Stage.ELSEWHERE:
        messages.info(request, _("Answer this question first: it is about the same match."))
        return redirect(state.pending)
    if state.sees is Extent.NOTHING:
        return _bare(request, state)
    if not any(name in request.GET for name in PLACE_PARAMS):
        # A class that is asked stops there at once.
        asking = state.stage is Stage.AT and not state.review
        query = {**place_of(chapter, asking=asking), **request.GET.dict()}
        return redirect(f"{request.path}?{urlencode(query)}")
    show = _question if state.sees is Extent.TO_STOP else _lesson
    context = {
        **show(request, state),
        **_bar(request.visit, state),
        "audience": audience_of(state.rights.access, chapter.study),
        "attempt": state.attempt,
        "review_asking": state.review,
        "practising": state.practising and state.stage is Stage.AFTER,
        "lesson": _lesson_json(request.visit, state),
    }
    return private_page(request, "studies/chapter", context)


def _bare(request: Request, state: LearnerState) -> HttpResponse:
    """The chapter's page without the match: before its question, or for who may not see it."""
    chapter, absent = state.chapter, state.stage is Stage.ABSENT
    context = {
        **_bar(request.visit, state),
        "state": "absent" if absent else "start",
        "locked": absent and state.rights.admitted,
        "table": "" if absent else table_before(chapter),
        "limit": in_seconds(given_limit_ms(chapter, chapter.speed)) if not absent else None,
    }
    status = HTTPStatus.NOT_FOUND if absent else HTTPStatus.OK
    return private_page(request, "studies/closed", context, status)


# --- The lesson ----------------------------------------------------------------------------------


def chapter_context(request: Request, chapter: Chapter, **parts: bool) -> dict[str, Any]:
    """What the replay page shows of a chapter's whole match, with the study's notes."""
    where = [chapter.study.key, chapter.number]
    picture = reverse("replays:picture", args=[chapter.match_id])
    place = urlencode(place_of(chapter, asking=False))
    return replay_context(
        request,
        chapter.match,
        request.visit.rights(chapter.match),
        **parts,
        notes_url=reverse("api:chapter_notes", args=where),
        # A learner's own what-ifs belong to no study.
        variations_url=reverse("api:chapter_variations", args=where)
        if may_write(request.visit, chapter.study)
        else "",
        preview=link_preview(
            request,
            request.build_absolute_uri(f"{picture}?{place}"),
            heading_of(chapter),
            _("A chapter of a study: a moment of a match."),
        ),
    )


def _lesson(request: Request, state: LearnerState) -> dict[str, Any]:
    visit, chapter = request.visit, state.chapter
    # A reader's lesson is the moment alone.
    shown = chapter_context(request, chapter, analysis=may_write(visit, chapter.study))
    context = {**shown, "state": "lesson", "match_seen": visit.rights(chapter.match).see}
    if state.attempt and state.attempt.answered:
        context |= {**answer_context(visit, chapter, state.attempt), "state": "answered"}
    return context


def answer_context(visit: Visit, chapter: Chapter, attempt: Attempt) -> dict[str, Any]:
    """The text after the answer, with the right ones in words, and both times in seconds.

    `answer`: empty if they gave up. `limit`: None without a time limit. `cost`: of the take that
    they missed there, once it is known. `closed`: how a puzzle's take ended in the match. `crowd`:
    everyone's results, at a puzzle. For `studies/verdict.html`.
    """
    original, answers = original_of(chapter), question_of(chapter)["answers"]
    limit = limit_ms(chapter, attempt.speed)
    return {
        "comment": comment(chapter, attempt.verdict),
        "answer": answer_words(attempt.answer) if attempt.answer else "",
        "late_by": in_seconds(_late_ms(chapter, attempt, limit)),
        "right_answers": _either([answer_words(answer) for answer in answers]),
        "several_right": len(answers) > 1,
        "seconds": HERE.number((attempt.ms or 0) / 1_000, 1),
        "original": HERE.number(original.ms / 1_000, 1) if original else None,
        "limit": in_seconds(limit),
        "cost": _cost(visit, chapter) if chapter.study.drill else "",
        "closed": closing_words(visit, chapter),
        **(of_puzzle(visit, chapter, attempt) if chapter.study.key == PUZZLES else {}),
    }


def _late_ms(chapter: Chapter, attempt: Attempt, limit: int | None) -> int | None:
    """By how many ms a right answer was late, at a time limit in ms. None: it was not."""
    if attempt.verdict != Attempt.Verdict.LATE or not attempt.answer:
        return None
    if limit is None or attempt.ms is None or not is_right(chapter, attempt.answer):
        return None
    return max(attempt.ms - limit, 100)


def _either(answers: Sequence[str]) -> str:
    """As `a`, or `a, b or c`."""
    if len(answers) < 2:
        return "".join(answers)
    return _("{first} or {last}").format(first=", ".join(answers[:-1]), last=answers[-1])


def _cost(visit: Visit, chapter: Chapter) -> str:
    """What the first take cost that was missed there, as the match's report has it."""
    asked = question_of(chapter)
    plays = {(answer.get("card"), answer.get("stack")) for answer in asked["answers"]}
    deal = chapter.match.chunks.filter(round=chapter.round).aggregate(seq=Min("first_seq"))["seq"]
    missed = [
        take
        for take in reports.missed_takes(chapter.match) or ()
        if (take["seat"], take["round"]) == (asked["seat"], chapter.round)
        and (take["card"], take["slot"]) in plays
        and take["seq"] > deal + chapter.event
    ]
    first = min(missed, key=lambda take: take["seq"], default=None)
    names = names_in(chapter.match, visit)
    return " ".join(words(said, names) for said in cost_of(first)) if first else ""


def in_seconds(ms: int | None) -> str | None:
    """`0.9`, `10`."""
    if ms is None:
        return None
    tenths = round(ms / 100)
    return HERE.number(tenths / 10, 1 if tenths % 10 else 0)


def _asked_json(chapter: Chapter, attempt: Attempt | None) -> dict[str, Any]:
    """As much of a question as its learners know.

    `limit_ms`: a writer's, or how long a puzzle's take stays open. None: as long as the player
    took, which only the verdict reveals. `passed_ms`: since play has come to the stop. None: it has
    not yet. `answer`: their own.
    """
    asked, open_ = question_of(chapter), attempt is not None and not attempt.answered
    asked_at = attempt.asked if attempt and open_ else None
    return {
        "seat": asked["seat"],
        "timed": asked["timed"],
        "limit_ms": given_limit_ms(chapter, attempt.speed if attempt else chapter.speed),
        "answer": attempt.answer if attempt else None,
        "passed_ms": None if asked_at is None else int((now() - asked_at).total_seconds() * 1_000),
    }


def _question(request: Request, state: LearnerState) -> dict[str, Any]:
    """The match as far as the stop, and nothing that knows more."""
    chapter = state.chapter
    urls = {"log": reverse("api:chapter_log", args=[chapter.study.key, chapter.number])}
    stop = stop_of(chapter)
    match = replay_of(request.visit, chapter.match, urls, spoilers=False) | {
        "spoilers": True,
        "rounds": stop.rounds,
        "seq": stop.seq,
        "finished": True,
        "result": None,
    }
    held, hint = state.stage is Stage.HELD, question_of(chapter)["hint"]
    answer = state.attempt.answer if state.attempt and held else None
    return {
        "match": match,
        "state": "question",
        "held": held,
        "answer": answer_words(answer) if answer else "",
        "hint": markdown(hint, chapter.round) if hint and not held else "",
        "question_uses": every_use(header_of(chapter.match).rules),
        "first_round": None,
        "live": None,
    }


def _bar(visit: Visit, state: LearnerState) -> dict[str, Any]:
    """The data of the bar above a chapter.

    `given_away`: for writers, the questions that the chapter answers before they are asked.
    """
    chapter = state.chapter
    pending = {} if state.writes else open_questions(visit.visitor.persons)
    rows = contents_of(chapter.study, pending)
    at = next(at for at, row in enumerate(rows) if row.number == chapter.number)
    last, asked_in = at + 1 == len(rows), chapter.study.asked_in
    return {
        "study": chapter.study,
        "chapter": chapter,
        "heading": heading_of(chapter),
        **(_of_the_day(visit, chapter) if chapter.study.key == TONIGHT else {}),
        "headings": headings(rows, partial(_item, number=chapter.number)),
        "count": len(rows),
        "position": at + 1,
        "before": rows[at - 1] if at else None,
        "after": None if last else rows[at + 1],
        "homework": homework_ending_with(visit.visitor.account, chapter, last=last),
        "in_review": _review_of(visit, chapter.study),
        "asked_in": asked_in if asked_in and not asked_in.ended and not state.edits else None,
        "given_away": given_away(chapter) if state.writes and not chapter.study.drill else [],
    }


def heading_of(chapter: Chapter) -> str:
    """A chapter's title. Those of every day have only their day as one."""
    title = chapter.shown_title
    if chapter.study.key == PUZZLES:
        return _("Puzzle of {day}").format(day=title)
    return _("Match of the day, {day}").format(day=title) if chapter.study.key == TONIGHT else title


def _of_the_day(visit: Visit, chapter: Chapter) -> dict[str, Any]:
    """How close it was. One day is enough: when it was played is left out if that is the same."""
    told = visit.shows_results and visit.rights(chapter.match).see
    said = {"decided": decided_words(chapter.match) if told else ""}
    same = chapter.title == chapter.match.started_at.date().isoformat()
    return {**said, "played_on": ""} if same else said


def decided_words(match: Match) -> str:
    """How close a match of the day was, and what is shown of it."""
    margin = match.margin
    if margin is None:
        return _("Here is the play that changed most.")
    if margin == 0:
        return _("It ended in a draw. Here is the play that changed most.")
    said = ngettext(
        "Decided by {count} point. Here is where.",
        "Decided by {count} points. Here is where.",
        margin,
    )
    return said.format(count=margin)


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


def _lesson_json(visit: Visit, state: LearnerState) -> dict[str, Any]:
    """The data for the lesson's script. Editors get the right answers. `speed` in percent. `token`
    opens it for others, if it is shared by link."""
    chapter, attempt, writer = state.chapter, state.attempt, state.edits
    asked = _asked_json(chapter, attempt) if chapter.question else None
    where = [chapter.study.key, chapter.number]
    urls = {
        "chapter": reverse("api:study_chapter", args=where),
        "answer": reverse("api:chapter_answer", args=where),
        "page": attempts.question_url(chapter),
    }
    if state.stage is Stage.LESSON and not state.writes and visit.visitor.named:
        urls["opened"] = reverse("api:chapter_opened", args=where)
    return {
        "chapter": chapter_json(chapter, writer=writer),
        "study": chapter.study.key,
        "state": state.stage.value,
        "question": asked,
        "speed": attempt.speed if attempt else chapter.speed,
        "writer": writer,
        "account": visit.visitor.account_key,
        "urls": urls,
        "token": token_of(chapter.study, visit.reader, writer=state.writes),
    }


def place_of(chapter: Chapter, *, asking: bool) -> dict[str, str]:
    """The chapter's place and perspective as a query string. A question begins a little earlier."""
    view = {} if chapter.view == "all" else {"pov": chapter.view}
    if chapter.line is not None:
        return {"line": chapter.line.key, "event": str(chapter.event), **view}
    lead = {"lead": str(LEAD_MS)} if asking else {}
    return {"round": str(chapter.round), "event": str(chapter.event), **lead, **view}


# --- What it asks for ---------------------------------------------------------------------------


@router.get(f"{CHAPTER}/notes", url_name="chapter_notes", response=NotesJson)
def chapter_notes(request: Request, key: str, number: int, which: Query[Which]) -> NotesJson:
    """The study's notes and variations on the chapter's match, as those of a match."""
    state = _visible_state(request.visit, key, number)
    chapter, writer = state.chapter, state.writes
    return notes_of(request, chapter.match, state.rights, which, chapter.study, writer=writer)


@router.post(
    f"{CHAPTER}/notes",
    url_name="chapter_notes",
    response={201: NoteJson},
)
def add_chapter_note(request: Request, key: str, number: int, asked: NewNote) -> Status[NoteJson]:
    """Add a note to the study: its writers may, and its readers may reply."""
    state = _visible_state(request.visit, key, number)
    study = state.chapter.study
    if asked.reply is None:
        must_write(request.visit, study)
    return written(request.visit, Note, asked, (state.chapter.match, state.rights), study)


@router.post(
    f"{CHAPTER}/variations",
    url_name="chapter_variations",
    response={201: VariationJson},
)
def add_chapter_variation(
    request: Request, key: str, number: int, asked: NewVariation
) -> Status[VariationJson]:
    """Add a variation to the study: its writers may."""
    state = _visible_state(request.visit, key, number)
    study = state.chapter.study
    must_write(request.visit, study)
    return written(request.visit, Variation, asked, (state.chapter.match, state.rights), study)


def _visible_state(visit: Visit, key: str, number: int) -> LearnerState:
    """The state of a visitor who may see all of the chapter. Raises Http404."""
    state = learner_state(visit, chapter_of(visit, key, number))
    if state.sees is not Extent.ALL:
        raise Http404(_("there is no such chapter"))
    return state
