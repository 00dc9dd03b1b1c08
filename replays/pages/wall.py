"""Who is winning the matches on the wall, for its script."""

from __future__ import annotations

from typing import Final, TypedDict

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import cache_page
from django.views.decorators.http import require_safe

from games.models import Match
from games.pages.watching import FRESH_S, WALL
from games.people.matches import access_of
from games.people.rights import public
from games.tables import lobby
from replays.pages.live_curves import LONGEST, CurvePoint, live
from replays.pages.viewer import may_show

POINTS: Final = 40
"""About how many points of each curve are sent."""


class WallChances(TypedDict):
    """A table on the wall, and the course of its match."""

    table: str
    curve: list[CurvePoint]


@require_safe
def chances(request: HttpRequest) -> HttpResponseBase:
    """The win probabilities of the matches on the wall so far; none to viewers who hide results."""
    answer = _chances(request) if may_show(request) else _answer([])
    patch_vary_headers(answer, ("Cookie",))
    answer["Cache-Control"] = "no-store"
    return answer


@cache_page(FRESH_S)
def _chances(_request: HttpRequest) -> HttpResponse:
    """The same for everyone, so a match that must be kept from anybody is left out."""
    tables = [one.id for one in lobby.playing(WALL)]
    shown = Match.objects.filter(record_id__in=tables, lines__range=(2, LONGEST), embargoes=None)
    return _answer([_match(one) for one in shown if public(access_of(one))])


def _match(match: Match) -> WallChances:
    return {"table": match.record_id, "curve": live.outline(match, POINTS)}


def _answer(matches: list[WallChances]) -> JsonResponse:
    return JsonResponse({"matches": matches}, json_dumps_params={"separators": (",", ":")})
