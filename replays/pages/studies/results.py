"""How learners did at a question, or at all of a study, for its writers."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.people.matches import rights_in
from replays.models import Attempt
from replays.pages.studies.asked import chapter_of, may_write, study_of
from replays.pages.studies.pages import contents_of, private_page
from replays.studies.questions import answer_words, original_of
from replays.studies.results import ClassCell, class_of, distribution, learners


@require_safe
def results(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Who opened a question, their attempts, answers and times."""
    found = chapter_of(request, key, number)
    if not may_write(request, found.study):
        raise PermissionDenied
    if not found.question:
        raise Http404("this chapter asks nothing")
    may_see = rights_in(request, found.match).see
    original = original_of(found) if may_see else None
    rows = learners(found)
    context = {
        "study": found.study,
        "chapter": found,
        "learners": [
            (row, answer_words(row.answer) if row.answer else "", _seconds(row.first_ms))
            for row in rows
        ],
        "times": distribution(found, original and original.ms),
        "original": _seconds(original.ms) if original else "",
        "answered": sum(bool(row.verdicts) for row in rows),
    }
    return private_page(request, "results", context)


@require_safe
def class_results(request: HttpRequest, key: str) -> HttpResponse:
    """How each learner did at each question of a study."""
    study = study_of(request, key)
    if not may_write(request, study):
        raise PermissionDenied
    questions = [row for row in contents_of(study) if row.asks]
    rows = class_of(study, [row.number for row in questions])
    context = {
        "study": study,
        "questions": questions,
        "rows": [(row, [_cell(cell) for cell in row.cells]) for row in rows],
        "first_right": [
            _first_right(row.cells[at] for row in rows) for at in range(len(questions))
        ],
    }
    return private_page(request, "class", context)


def _cell(cell: ClassCell | None) -> tuple[str, str]:
    """A learner at a question: the state, for its looks, and in words."""
    if cell is None:
        return "none", "–"
    if not cell.verdict:
        return "open", "open"
    label = Attempt.Verdict(cell.verdict).label
    again = f", {cell.attempts} attempts" if cell.attempts > 1 else ""
    solved = ", then right" if cell.solved and cell.verdict != Attempt.Verdict.RIGHT else ""
    return cell.verdict, f"{label}, {_seconds(cell.first_ms)} s{solved}{again}"


def _first_right(cells: Iterable[ClassCell | None]) -> str:
    """How many of those who answered a question were right at once."""
    answered = [cell for cell in cells if cell is not None and cell.verdict]
    right = sum(cell.verdict == Attempt.Verdict.RIGHT for cell in answered)
    return f"{right} of {len(answered)}"


def _seconds(ms: int | None) -> str:
    return "" if ms is None else f"{ms / 1_000:.1f}"
