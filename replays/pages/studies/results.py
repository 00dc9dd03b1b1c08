"""Who opened a chapter or a study, and how they did at its questions, for its writers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.views.decorators.http import require_safe

from games.people.matches import rights_in
from replays.models import Attempt, Chapter
from replays.pages.studies.asked import chapter_of, may_write, study_of
from replays.pages.studies.pages import contents_of, private_page
from replays.studies.questions import answer_words, original_of
from replays.studies.results import (
    MOST,
    ClassCell,
    Opened,
    class_of,
    distribution,
    learners,
    readings,
)

MOST_SHOWN: Final = 200
"""Learners in the table of a class, the latest; all count in its sums."""


@require_safe
def results(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Who opened a chapter; of a question also their attempts, answers and times."""
    found = chapter_of(request, key, number)
    if not may_write(request, found.study):
        raise PermissionDenied
    context: dict[str, Any] = {"study": found.study, "chapter": found}
    if found.question:
        context |= _at_question(request, found)
    else:
        context["readings"] = readings(found.study).filter(chapter=found)[:MOST]
    return private_page(request, "results", context)


def _at_question(request: HttpRequest, found: Chapter) -> dict[str, Any]:
    """How learners did at a question."""
    may_see = rights_in(request, found.match).see
    original = original_of(found) if may_see else None
    rows = learners(found)
    return {
        "learners": [
            (row, answer_words(row.answer) if row.answer else "", _seconds(row.first_ms))
            for row in rows
        ],
        "times": distribution(found, original and original.ms),
        "original": _seconds(original.ms) if original else "",
        "answered": sum(row.answer is not None for row in rows),
        "given_up": sum(bool(row.verdicts) and row.answer is None for row in rows),
    }


@require_safe
def class_results(request: HttpRequest, key: str) -> HttpResponse:
    """What each learner opened of a study, and how they did at each question."""
    study = study_of(request, key)
    if not may_write(request, study):
        raise PermissionDenied
    chapters = contents_of(study)
    rows = class_of(study, [row.number for row in chapters])
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
    return private_page(request, "class", context)


def _cell(cell: ClassCell | Opened | None) -> tuple[str, str]:
    """A learner at a chapter: the state, for its looks, and in words."""
    if cell is None:
        return "none", "–"
    if isinstance(cell, Opened):
        first, last = _when(cell.first), _when(cell.last)
        return "opened", first if first == last else f"{first}, last {last}"
    if not cell.verdict:
        return "open", "open"
    label = Attempt.Verdict(cell.verdict).label
    again = f", {cell.attempts} attempts" if cell.attempts > 1 else ""
    solved = ", then right" if cell.solved and cell.verdict != Attempt.Verdict.RIGHT else ""
    return cell.verdict, f"{label}, {_seconds(cell.first_ms)} s{solved}{again}"


def _when(at: datetime) -> str:
    return date_format(localtime(at), "j M, H:i")


def _first_right(cells: Iterable[ClassCell | Opened | None]) -> str:
    """How many of those who answered a question were right at once."""
    answered = [cell for cell in cells if isinstance(cell, ClassCell) and cell.verdict]
    right = sum(cell.verdict == Attempt.Verdict.RIGHT for cell in answered)
    return f"{right} of {len(answered)}" if answered else "–"


def _seconds(ms: int | None) -> str:
    return "" if ms is None else f"{ms / 1_000:.1f}"
