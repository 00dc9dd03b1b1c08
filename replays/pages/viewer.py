"""The viewer: which match they may see, and whether they want to see how matches ended."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse

from games.models import Match
from games.people import embargoes
from games.people.matches import rights_in
from games.people.rights import Rights
from games.people.sessions import visitor_of

COOKIE: Final = "spoilers"
_OFF: Final = "off"
_YEAR_S: Final = 365 * 86_400
_MAX_NUMBER: Final = 2**31


class BadNumberError(ValueError):
    """A number in a URL is invalid or out of range."""


def may_show(request: HttpRequest) -> bool:
    """Whether winners, scores, lengths and ends may be shown. The response varies by cookie."""
    return request.COOKIES.get(COOKIE) != _OFF


_NO_MATCH: Final = "there is no such match, or you cannot see it"
"""Nobody learns which of the two."""


def remember(request: HttpRequest, response: HttpResponse, *, show: bool) -> None:
    """Store the viewer's choice."""
    if show:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    response.set_cookie(
        COOKIE, _OFF, max_age=_YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure()
    )


def match_of(request: HttpRequest, pk: int) -> tuple[Match, Rights]:
    """The match, if this visitor may see it, and their rights in it. Raises Http404."""
    match = embargoes.with_embargoes(Match.objects.filter(pk=pk)).first()
    if match is None:
        raise Http404(_NO_MATCH)
    may = rights_in(request, match)
    if not may.see:
        raise Http404(_NO_MATCH)
    return match, may


def own_table(request: HttpRequest, pk: int) -> str | None:
    """The table of a match that this visitor may not see but is playing in."""
    match = Match.objects.filter(pk=pk).first()
    playing = match is not None and match.hidden and rights_in(request, match).play
    return match.record_id if match and playing else None


def question_on(request: HttpRequest, pk: int) -> str | None:
    """Where this visitor has to answer a question before they see that match; None: nowhere."""
    match = Match.objects.filter(pk=pk).first()
    if match is None or not rights_in(request, match).embargoed:
        return None
    return embargoes.place_of(match, visitor_of(request).persons)


def embargoed_to(request: HttpRequest) -> frozenset[int]:
    """The matches that no list may show to this visitor for now."""
    return embargoes.embargoed_matches(visitor_of(request).persons)


def number(request: HttpRequest, name: str, default: int | None = None) -> int | None:
    """A whole number from the query string. Raises BadNumberError."""
    text = request.GET.get(name)
    if text is None:
        return default
    if not _is_number(text):
        raise BadNumberError(f"{name}: expected a whole number")
    return int(text)


def numbers(request: HttpRequest, name: str) -> list[int]:
    """All whole numbers of that name in the query string; anything else is left out."""
    return [int(text) for text in request.GET.getlist(name) if _is_number(text)]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 11 and int(text) < _MAX_NUMBER
