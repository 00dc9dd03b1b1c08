"""What pupils have to do, for every page's template: on the home page, and reminders."""

from __future__ import annotations

from typing import Any

from django.utils.functional import SimpleLazyObject

from games.people.visit import Request
from replays.classes import homework
from replays.classes.progress import Progress, progress_of
from replays.models import Assignment


def homework_due(request: Request) -> dict[str, Any]:
    """For templates: `due`, the visitor's homework that is to be done, and their `reminders`."""
    return {
        "due": SimpleLazyObject(lambda: open_homework(_account(request))),
        "reminders": SimpleLazyObject(lambda: _reminders(_account(request))),
    }


def open_homework(account: int | None) -> list[Progress]:
    """What an account has to do and has not done: what is due first first."""
    if account is None:
        return []
    rows = progress_of(homework.assignments_of(account))
    return [row for row in rows if row.finished is None and not row.gone]


def _reminders(account: int | None) -> list[Assignment]:
    """What they are reminded of and have not done. One query, if there is nothing."""
    rows = [] if account is None else list(homework.reminders(account))
    return [row.assignment for row in progress_of(rows) if row.finished is None and not row.gone]


def _account(request: Request) -> int | None:
    return request.visit.visitor.account if hasattr(request, "visit") else None
