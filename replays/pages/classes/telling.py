"""Saying on the next page what became of a button that was pressed."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages

from games.people.visit import Request
from replays.classes.limits import ClassError


def done(request: Request, work: Callable[[], object], said: str) -> bool:
    """Whether something could be done; either way the next page says so."""
    try:
        work()
    except ClassError as error:
        messages.error(request, str(error))
        return False
    messages.success(request, said)
    return True
