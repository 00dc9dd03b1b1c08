"""How learners did at a question, for the writers of its study."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.people.matches import rights_in
from replays.pages.studies.asked import chapter_of, may_write
from replays.pages.studies.pages import private_page
from replays.studies.questions import answer_words, original_of
from replays.studies.results import distribution, learners


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


def _seconds(ms: int | None) -> str:
    return "" if ms is None else f"{ms / 1_000:.1f}"
