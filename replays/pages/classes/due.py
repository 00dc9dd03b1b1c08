"""What pupils have to do, for the home page."""

from __future__ import annotations

from typing import Any

from django.utils.functional import SimpleLazyObject

from games.people.visit import Request
from replays.classes import homework
from replays.classes.progress import Progress, progress_of


def homework_due(request: Request) -> dict[str, Any]:
    """For templates: `due`, the visitor's homework that is to be done."""
    account = request.visit.visitor.account if hasattr(request, "visit") else None
    return {"due": SimpleLazyObject(lambda: open_homework(account))}


def open_homework(account: int | None) -> list[Progress]:
    """What an account has to do and has not done: what is due first first."""
    if account is None:
        return []
    rows = progress_of(homework.assignments_of(account))
    return [row for row in rows if row.finished is None and not row.gone]
