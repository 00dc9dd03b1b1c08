"""Who looks: which matches they may see, whether they want to see how those ended."""

from __future__ import annotations

from typing import Final

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse

from games.models import Match
from games.people.guests import known_guest_key, known_guest_name

COOKIE: Final = "spoilers"
_OFF: Final = "off"
_YEAR_S: Final = 365 * 86_400
_MAX_NUMBER: Final = 2**31
OPENED: Final = "matches"
"""The session's key of the matches by link that this viewer has opened."""


class BadNumberError(ValueError):
    """A number in an address is none, or is out of range."""


def may_show(request: HttpRequest) -> bool:
    """Whether winners, scores, lengths and ends may be shown. The answer varies by cookie."""
    return request.COOKIES.get(COOKIE) != _OFF


def remember(request: HttpRequest, response: HttpResponse, *, show: bool) -> None:
    """Keep the viewer's choice."""
    if show:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    response.set_cookie(
        COOKIE, _OFF, max_age=_YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure()
    )


def match_of(request: HttpRequest, pk: int) -> Match:
    """The match, if this viewer may see it. Raises Http404."""
    match = Match.objects.filter(pk=pk).first()
    if match is None or not (match.listed or match.pk in request.session.get(OPENED, ())):
        raise Http404(f"no match {pk}")
    if match.hidden and not match.spectators.get("watching", True):
        raise Http404(f"match {pk} is played without spectators")
    return match


def own_table(request: HttpRequest, pk: int) -> str | None:
    """The table of a match without spectators that this viewer is playing in."""
    match = Match.objects.filter(pk=pk, state=Match.State.OPEN, source="live").first()
    return match.record_id if match and sits(request, match) else None


def sits(request: HttpRequest, match: Match) -> bool:
    """Whether this viewer has a seat in the match."""
    key = known_guest_key(request.session)
    mine = Q(user=request.user.pk) if request.user.is_authenticated else Q(pk=None)
    return match.seats.filter(mine | Q(guest=key) if key else mine).exists()


def chat_name(request: HttpRequest) -> str:
    """Under which name this viewer may chat; empty: none yet."""
    if request.user.is_authenticated:
        return request.user.get_username()
    return known_guest_name(request.session) if known_guest_key(request.session) else ""


def number(request: HttpRequest, name: str, default: int | None = None) -> int | None:
    """A whole number from the address. Raises BadNumberError."""
    text = request.GET.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 11 and int(text) < _MAX_NUMBER):
        raise BadNumberError(f"{name}: expected a whole number")
    return int(text)
