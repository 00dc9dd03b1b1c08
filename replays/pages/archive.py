"""The list of matches, one's own, and the switch that hides how they ended."""

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.archive.own import matches_of
from games.archive.queries import Filter, Row, page_of, with_remarks
from games.people.visit import HIDDEN, RESULTS, Request, Visit
from games.tables import lobby
from replays.notes.finding import noted_matches
from replays.pages.forms import MatchFilters, write_mark
from replays.pages.rendering import page, private_page
from replays.pages.rows import words_of
from replays.pages.telling import rows_known
from replays.query_string import number_or_404

_YEAR_S: Final = 365 * 86_400
_MOST_REMARKED: Final = 500


@require_safe
def archive(request: Request) -> HttpResponse:
    """The list of matches, newest first unless requested otherwise."""
    if "" in request.GET.values():  # a form also sends empty fields
        given = {name: value for name, value in request.GET.items() if value}
        return redirect(f"{request.path}?{urlencode(given)}" if given else request.path)
    shown = request.visit.shows_results
    asked = MatchFilters(request.GET, spoilers=shown)
    wanted = filter_for(request.visit, asked)
    matches = None if asked.nobody else page_of(wanted, asked.after)
    after = matches and matches.after
    context = {
        "asked": asked,
        "matches": [words_of(row, spoilers=shown) for row in matches.rows] if matches else [],
        "next_page": asked.address(after=write_mark(after)) if after else None,
        "first_page": asked.address() if asked.after else None,
        "cut": matches is not None and matches.cut,
        "tags": _tags_of(matches.rows) if matches and asked.noted else "",
    }
    return page(request, "archive", context)


def filter_for(visit: Visit, asked: MatchFilters) -> Filter:
    """The requested filter, without the matches that this visitor may not see yet."""
    noted = None
    if asked.noted:
        noted = [*{*noted_matches(visit.reader), *with_remarks(_MOST_REMARKED)}]
    return asked.filter(noted)._replace(without=visit.embargoed)


def _tags_of(rows: Sequence[Row]) -> str:
    """The address of the tags in the listed matches."""
    query = urlencode([("match", row.id) for row in rows])
    return f"{reverse('replays:my_notes')}?folder=tags&{query}" if query else ""


@require_POST
def spoilers(request: Request) -> HttpResponse:
    """From now on, show or hide how matches ended for this viewer."""
    target = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, request.is_secure()):
        target = reverse("replays:archive")
    response = HttpResponseRedirect(target)
    if request.POST.get("show") == "on":
        response.delete_cookie(RESULTS, samesite="Lax")
    else:
        rules: dict[str, Any] = {"httponly": True, "samesite": "Lax", "secure": request.is_secure()}
        response.set_cookie(RESULTS, HIDDEN, max_age=_YEAR_S, **rules)
    return response


MOST_PAGES = 1_000


@require_safe
def mine(request: Request) -> HttpResponse:
    """The requester's matches, including private ones, and the tables where they sit."""
    visit = request.visit
    page = number_or_404(request.GET, "page", 1) or 1
    if page > MOST_PAGES:
        raise Http404(_("page: there are fewer pages"))
    shown, visitor, without = visit.shows_results, visit.visitor, visit.embargoed
    rows, more = matches_of(visitor.persons, page)
    listed = [row for row in rows if row.id not in without]
    here = reverse("replays:mine")
    context = {
        "matches": [words_of(row, spoilers=shown) for row in rows_known(visit, listed)],
        "tables": lobby.mine(visitor.persons, visitor.classes) if page == 1 else [],
        "guest": not visitor.account,
        "next_page": f"{here}?page={page + 1}" if more else None,
        "first_page": here if page > 1 else None,
    }
    return private_page(request, "mine", context)
