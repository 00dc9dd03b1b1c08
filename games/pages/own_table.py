"""The link back to the visitor's table, on every page."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from games.people.visit import Request
from games.tables import lobby


def own_table(request: Request) -> dict[str, Any]:
    """For templates: `own_table`, the URL of the visitor's table elsewhere, or an empty text."""
    return {"own_table": SimpleLazyObject(lambda: _address(request))}


def _address(request: Request) -> str:
    persons = request.visit.visitor.persons if hasattr(request, "visit") else ()
    table = lobby.own(persons) if persons else None
    address = reverse("games:table", args=[table]) if table else ""
    return "" if request.path == address else address
