"""My matches: what the requester has played, as an account or as this browser's guest."""

from __future__ import annotations

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from games.archive.own import matches_of
from games.people.sessions import visitor_of
from games.tables import lobby
from replays.pages.rows import words_of
from replays.pages.viewer import BadNumberError, embargoed_to, may_show, number

MOST_PAGES = 1_000


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The requester's matches, including private ones, and the tables where they sit."""
    try:
        page = number(request, "page", 1) or 1
    except BadNumberError as error:
        raise Http404(str(error)) from None
    if page > MOST_PAGES:
        raise Http404("page: there are fewer pages")
    shown, visitor = may_show(request), visitor_of(request)
    rows, more = matches_of(visitor.persons, page)
    without = embargoed_to(request)
    here = reverse("replays:mine")
    context = {
        "matches": [words_of(row, spoilers=shown) for row in rows if row.id not in without],
        "tables": lobby.mine(visitor.persons) if page == 1 else [],
        "guest": not visitor.account,
        "next_page": f"{here}?page={page + 1}" if more else None,
        "first_page": here if page > 1 else None,
        "spoilers_shown": shown,
    }
    response = render(request, "replays/mine.html", context, status=HTTPStatus.OK)
    add_never_cache_headers(response)
    return response
