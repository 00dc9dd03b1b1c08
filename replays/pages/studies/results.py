"""The readers of a chapter or a study, and their results at its questions, for its writers."""

from collections.abc import Iterable
from statistics import median
from typing import Any, Final

from django.http import HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from games.engine.message import Message
from games.pages.times import time_of_day
from games.pages.words import HERE, words
from games.people.visit import Request, Visit
from replays.classes.membership import people_in
from replays.models import Attempt, Chapter
from replays.pages.rendering import private_page
from replays.pages.studies.access import chapter_of, must_write, study_to_write
from replays.pages.studies.pages import ChapterRow, contents_of
from replays.studies.questions import answer_words, original_of
from replays.studies.results import (
    MAX_ATTEMPTS,
    Learner,
    Opened,
    Tried,
    learner_rows,
    learners,
    readings,
    verdict_words,
)

MOST_SHOWN: Final = 200
"""Learners in the table of a class, the latest. All count in its sums."""


@require_safe
def results(request: Request, key: str, number: int) -> HttpResponse:
    """The readers of a chapter. For a question also their attempts, answers and times."""
    chapter = chapter_of(request.visit, key, number)
    must_write(request.visit, chapter.study)
    context: dict[str, Any] = {"study": chapter.study, "chapter": chapter}
    if chapter.question:
        context |= _at_question(request.visit, chapter)
    else:
        rows, called = readings(chapter.study), people_in(request.visit.classes)
        there = rows.filter(chapter=chapter)[:MAX_ATTEMPTS]
        context["readings"] = [(called.get(row.person, row.name), row) for row in there]
    return private_page(request, "studies/results", context)


def _at_question(visit: Visit, chapter: Chapter) -> dict[str, Any]:
    """How learners did at a question."""
    may_see = visit.rights(chapter.match).see
    original = original_of(chapter) if may_see else None
    rows = learners(chapter, people_in(visit.classes))
    times = [row.first_ms for row in rows if row.first_ms is not None and not row.gave_up]
    return {
        "learners": [
            (row, answer_words(row.answer) if row.answer else "", *_told(row)) for row in rows
        ],
        "median": _seconds(int(median(times))) if times else "",
        "original": _seconds(original.ms) if original else "",
        "answered": len(times),
        "given_up": sum(row.gave_up for row in rows),
    }


def _told(row: Learner) -> tuple[str, str]:
    """The seconds to a learner's first answer, and their verdicts, each once: `wrong, right`."""
    said, count = ", ".join(dict.fromkeys(row.verdicts)), len(row.verdicts)
    return _seconds(row.first_ms), with_attempts(said, count) if count > 1 else said


@require_safe
def study_results(request: Request, key: str) -> HttpResponse:
    """The chapters that each learner opened, and their result at each question."""
    study = study_to_write(request.visit, key)
    chapters = contents_of(study)
    called = people_in(request.visit.classes)
    rows = learner_rows(study, [row.number for row in chapters], called)
    context = {
        "study": study,
        "chapters": chapters,
        "questions": sum(row.asks for row in chapters),
        "rows": [(row, [*map(_cell, chapters, row.cells)]) for row in rows[-MOST_SHOWN:]],
        "learners": len(rows),
        "first_right": [
            (chapter, _first_right(row.cells[at] for row in rows) if chapter.asks else "")
            for at, chapter in enumerate(chapters)
        ],
    }
    return private_page(request, "studies/learners", context)


def _cell(chapter: ChapterRow, cell: Tried | Opened | None) -> tuple[str, str, str]:
    """A learner at a chapter: its title, the state, for its looks, and in words."""
    if cell is None:
        return chapter.title, "none", ""
    if isinstance(cell, Opened):
        first, last = time_of_day(cell.first), time_of_day(cell.last)
        span = format_html(_("{first}, last {last}"), first=first, last=last)
        return chapter.title, "opened", first if first == last else span
    if not cell.verdict:
        return chapter.title, "open", pgettext("question", "open")
    later = cell.solved and cell.verdict != Attempt.Verdict.RIGHT
    said = verdict_words(cell.verdict, cell.first_ms)
    if cell.first_ms is not None:
        values = {"verdict": said, "seconds": _seconds(cell.first_ms)}
        whole = Message("{verdict}, {seconds} s, then right", **values)
        said = words(whole if later else Message("{verdict}, {seconds} s", **values))
    if cell.attempts > 1:
        said = with_attempts(said, cell.attempts)
    return chapter.title, cell.verdict, said


def with_attempts(result: str, count: int) -> str:
    """`right, 2 attempts`."""
    said = ngettext("{result}, {count} attempt", "{result}, {count} attempts", count)
    return said.format(result=result, count=count)


def _first_right(cells: Iterable[Tried | Opened | None]) -> str:
    """How many of those who answered a question were right at once."""
    answered = [cell for cell in cells if isinstance(cell, Tried) and cell.verdict]
    right = sum(cell.verdict == Attempt.Verdict.RIGHT for cell in answered)
    return _("{some} of {all}").format(some=right, all=len(answered)) if answered else "–"


def _seconds(ms: int | None) -> str:
    return "" if ms is None else HERE.number(ms / 1_000, 1)
