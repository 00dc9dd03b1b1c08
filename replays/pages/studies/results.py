"""The readers of a chapter or a study, and their results at its questions, for its writers."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.http import HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from games.pages.words import HERE
from games.people.visit import Request, Visit
from replays.models import Attempt, Chapter
from replays.pages.rendering import private_page
from replays.pages.studies.access import chapter_of, must_write, study_to_write
from replays.pages.studies.pages import contents_of
from replays.studies.questions import answer_words, original_of
from replays.studies.results import (
    MAX_ATTEMPTS,
    Opened,
    Tried,
    distribution,
    learner_rows,
    learners,
    readings,
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
        context["readings"] = readings(chapter.study).filter(chapter=chapter)[:MAX_ATTEMPTS]
    return private_page(request, "studies/results", context)


def _at_question(visit: Visit, chapter: Chapter) -> dict[str, Any]:
    """How learners did at a question."""
    may_see = visit.rights(chapter.match).see
    original = original_of(chapter) if may_see else None
    rows = learners(chapter)
    return {
        "learners": [
            (row, answer_words(row.answer) if row.answer else "", _seconds(row.first_ms))
            for row in rows
        ],
        "times": distribution(chapter, original and original.ms),
        "original": _seconds(original.ms) if original else "",
        "answered": sum(row.answer is not None for row in rows),
        "given_up": sum(bool(row.verdicts) and row.answer is None for row in rows),
    }


@require_safe
def study_results(request: Request, key: str) -> HttpResponse:
    """The chapters that each learner opened, and their result at each question."""
    study = study_to_write(request.visit, key)
    chapters = contents_of(study)
    rows = learner_rows(study, [row.number for row in chapters])
    context = {
        "study": study,
        "chapters": chapters,
        "questions": sum(row.asks for row in chapters),
        "rows": [(row, [_cell(cell) for cell in row.cells]) for row in rows[-MOST_SHOWN:]],
        "learners": len(rows),
        "first_right": [
            _first_right(row.cells[at] for row in rows) if chapter.asks else ""
            for at, chapter in enumerate(chapters)
        ],
    }
    return private_page(request, "studies/learners", context)


def _cell(cell: Tried | Opened | None) -> tuple[str, str]:
    """A learner at a chapter: the state, for its looks, and in words."""
    if cell is None:
        return "none", "–"
    if isinstance(cell, Opened):
        first, last = _time_words(cell.first), _time_words(cell.last)
        if first == last:
            return "opened", first
        return "opened", _("{first}, last {last}").format(first=first, last=last)
    if not cell.verdict:
        return "open", pgettext("question", "open")
    later = cell.solved and cell.verdict != Attempt.Verdict.RIGHT
    words = _("{verdict}, {seconds} s, then right") if later else _("{verdict}, {seconds} s")
    label = str(Attempt.Verdict(cell.verdict).label)
    said = words.format(verdict=label, seconds=_seconds(cell.first_ms))
    if cell.attempts > 1:
        said = with_attempts(said, cell.attempts)
    return cell.verdict, said


def with_attempts(result: str, count: int) -> str:
    """`right, 2 attempts`."""
    said = ngettext("{result}, {count} attempt", "{result}, {count} attempts", count)
    return said.format(result=result, count=count)


def _time_words(at: datetime) -> str:
    time = date_format(localtime(at), _("j M, H:i"))
    return f"{time} UTC"


def _first_right(cells: Iterable[Tried | Opened | None]) -> str:
    """How many of those who answered a question were right at once."""
    answered = [cell for cell in cells if isinstance(cell, Tried) and cell.verdict]
    right = sum(cell.verdict == Attempt.Verdict.RIGHT for cell in answered)
    return _("{some} of {all}").format(some=right, all=len(answered)) if answered else "–"


def _seconds(ms: int | None) -> str:
    return "" if ms is None else HERE.number(ms / 1_000, 1)
