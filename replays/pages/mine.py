"""My matches: what the requester has played, as an account or as this browser's guest."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.archive.own import matches_of
from games.people.visit import Request
from games.tables import lobby
from replays.pages.rendering import private_page
from replays.pages.rows import words_of
from replays.query_string import number_or_404

MOST_PAGES = 1_000


@require_safe
def mine(request: Request) -> HttpResponse:
    """The requester's matches, including private ones, and the tables where they sit."""
    visit = request.visit
    page = number_or_404(request.GET, "page", 1) or 1
    if page > MOST_PAGES:
        raise Http404("page: there are fewer pages")
    shown, visitor, without = visit.shows_results, visit.visitor, visit.embargoed
    rows, more = matches_of(visitor.persons, page)
    here = reverse("replays:mine")
    context = {
        "matches": [words_of(row, spoilers=shown) for row in rows if row.id not in without],
        "tables": lobby.mine(visitor.persons) if page == 1 else [],
        "guest": not visitor.account,
        "next_page": f"{here}?page={page + 1}" if more else None,
        "first_page": here if page > 1 else None,
    }
    return private_page(request, "mine", context)
