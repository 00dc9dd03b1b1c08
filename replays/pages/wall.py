"""Who is winning the matches on the wall, for its script."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache
from ninja import Router
from typing_extensions import TypedDict

from games.models import Match
from games.pages.watching import FRESH_S, WALL
from games.people.matches import access_of
from games.people.rights import public
from games.people.visit import Request
from games.tables import lobby
from replays.pages.live_curves import CurvePoint, live_curves

POINTS: Final = 40
"""About how many points of each curve are sent."""
_KEPT: Final = "chances-of-the-wall"

router: Final = Router(tags=["matches"])


class WallMatch(TypedDict):
    """A table on the wall, and the course of its match."""

    table: str
    curve: list[CurvePoint]


class WallChances(TypedDict):
    """The matches on the wall."""

    matches: list[WallMatch]


@router.get("/wall/chances", url_name="wall_chances", response=WallChances)
def wall_chances(request: Request) -> WallChances:
    """The win probabilities of the matches on the wall so far; none to viewers who hide results."""
    if not request.visit.shows_results:
        return {"matches": []}
    return {"matches": cache.get_or_set(_KEPT, _matches, FRESH_S) or []}


def _matches() -> list[WallMatch]:
    """The same for everyone, so a match that must be kept from anybody is left out."""
    tables = [table.id for table in lobby.playing(WALL)]
    shown = Match.objects.filter(record_id__in=tables, lines__gte=2, embargoes=None)
    return [_match(match) for match in shown if public(access_of(match))]


def _match(match: Match) -> WallMatch:
    return {"table": match.record_id, "curve": live_curves.outline(match, POINTS)}
