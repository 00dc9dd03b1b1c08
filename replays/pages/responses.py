"""Answers that are made by hand, because they are stored or written as they are sent."""

import gzip
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from games.models import Match
from games.pages.problems import Refused
from games.people.matches import access_of
from games.people.rights import public
from games.people.visit import Visit

_KEEP_S: Final = 3_600


def must_show_results(visit: Visit) -> None:
    """Raise Refused if the viewer has hidden results, maybe in another tab."""
    if not visit.shows_results:
        raise Refused(_("results are hidden"), HTTPStatus.FORBIDDEN, results="hidden")


def about_match(match: Match, body: bytes) -> HttpResponse:
    """JSON about a match. Browsers may cache it if it will never change."""
    return _kept_if_over(HttpResponse(body, "application/json"), match)


def gzipped(request: HttpRequest, match: Match, body: bytes) -> HttpResponse:
    """The same, already gzipped."""
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return _kept_if_over(HttpResponse(gzip.decompress(body), "application/json"), match)
    response = HttpResponse(body, "application/json")
    response["Content-Encoding"] = "gzip"
    return _kept_if_over(response, match)


def _kept_if_over(response: HttpResponse, match: Match) -> HttpResponse:
    lasting = match.over and public(access_of(match))
    response["Cache-Control"] = f"private, max-age={_KEEP_S}" if lasting else "private, no-store"
    patch_vary_headers(response, ("Accept-Encoding", "Cookie"))
    return response
