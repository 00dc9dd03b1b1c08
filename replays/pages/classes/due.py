"""For the home page: what pupils have to do, and to what their classes call them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from games.people.visit import Request, Visit
from replays.classes import homework
from replays.classes.progress import Progress, progress_of
from replays.models import Review
from replays.reviews.admission import enterable, listed

CALLED: Final = timedelta(minutes=30)
"""A review in which nothing has happened for this long calls nobody."""
MOST_CALLS: Final = 3


def homework_due(request: Request) -> dict[str, Any]:
    """For templates: `due`, the visitor's homework that is to be done, and `calls`."""
    account = request.visit.visitor.account if hasattr(request, "visit") else None
    return {
        "due": SimpleLazyObject(lambda: open_homework(account)),
        "calls": SimpleLazyObject(lambda: calls(request.visit)),
    }


def calls(visit: Visit) -> list[tuple[str, Review]]:
    """The reviews to which their classes are called now, each with the name of its class."""
    since, names = timezone.now() - CALLED, visit.classes
    going = Review.objects.filter(enterable(visit.visitor), ended=False, changed__gt=since)
    called = listed(visit.visitor, going.order_by("-changed")[:MOST_CALLS])
    return [(names[review.school_class], review) for review in called]


def open_homework(account: int | None) -> list[Progress]:
    """What an account has to do and has not done: what is due first first."""
    if account is None:
        return []
    rows = progress_of(homework.assignments_of(account))
    return [row for row in rows if row.finished is None and not row.gone]
