"""A screen that runs by itself: a club's or a café's. It picks the live match to show, and plays
the days' decisive moments while there is none.
"""

from typing import Final, NamedTuple

from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from ninja import Router
from typing_extensions import TypedDict

from games.models import Match
from games.pages.invitations import qr_of
from games.pages.watching import Goal, SeatShown, goal_of, seats_shown
from games.people.matches import access_of
from games.people.rights import public
from games.people.visit import Request
from games.tables import lobby
from replays.analysis.directing import AFTER_MS, DELAY_MS, Scene, choose, swings
from replays.analysis.winning.network import rounded
from replays.pages.live_curves import live_curves
from replays.pages.replay_page import Json
from replays.pages.studies.daily import played
from replays.studies import daily

MAX_TABLES: Final = 50
"""How many live matches it picks from."""
FRESH_S: Final = 1
MOMENTS: Final = 5
TOLD: Final = 0.05
"""The least stake that is worth pointing at, as a share of the chances to win."""
_KEPT: Final = "scenes-of-the-tv"

router: Final = Router(tags=["matches"])


class Shot(TypedDict):
    """The screen's content."""

    table: str
    seats: list[SeatShown]
    rules: Goal
    seat: int | None
    """The player of the take that is about to turn the chances. Null if little is at stake."""
    p: list[float]
    """Each seat's chance to win, some seconds before what the screen shows."""
    delay_ms: int
    qr: str
    """The match's address as a QR code, in SVG."""


class Tv(TypedDict):
    """`shot` is null while there is no play."""

    shot: Shot | None


class _Live(NamedTuple):
    scene: Scene
    seats: list[SeatShown]
    rules: Goal
    p: list[float]


@require_safe
def tv(request: Request) -> HttpResponse:
    return render(request, "replays/tv.html", {"moments": _moments(request)})


@router.get("/tv", url_name="tv", response=Tv)
def shot(request: Request, on: str = "", seconds: int = 0) -> Tv:
    """The match to show after the table `on` has been shown for so many seconds."""
    live: dict[str, _Live] = cache.get_or_set(_KEPT, _live, FRESH_S) or {}
    chosen = choose([one.scene for one in live.values()], on, seconds * 1_000)
    if chosen is None:
        return {"shot": None}
    one = live[chosen.table]
    shows = request.visit.shows_results
    link = request.build_absolute_uri(reverse("games:table", args=[chosen.table]))
    return {
        "shot": {
            "table": chosen.table,
            "seats": one.seats,
            "rules": one.rules,
            "seat": _seat(one.scene) if shows else None,
            "p": one.p if shows else [],
            "delay_ms": DELAY_MS,
            "qr": qr_of(link),
        }
    }


def _live() -> dict[str, _Live]:
    """By table. The same for everyone, so a match hidden from anyone is left out."""
    tables = {table.id: table for table in lobby.playing(MAX_TABLES)}
    rows = Match.objects.filter(record_id__in=tables, lines__gt=1, embargoes=None)
    return {
        match.record_id: _one(match, seats_shown(plan), goal_of(plan))
        for match in rows
        if public(access_of(match))
        for plan in [tables[match.record_id].plan]
    }


def _one(match: Match, seats: list[SeatShown], rules: Goal) -> _Live:
    points, idle_ms = live_curves.latest(match, DELAY_MS + AFTER_MS)
    scene = Scene(match.record_id, tuple(swings(points, idle_ms)))
    return _Live(scene, seats, rules, rounded(points[0].p, 3) if points else [])


def _seat(scene: Scene) -> int | None:
    return scene.seat if scene.stake >= TOLD else None


def _moments(request: Request) -> list[Json]:
    """The latest days' decisive moments, for viewers who see results."""
    if not request.visit.shows_results:
        return []
    chapters = daily.latest(daily.TONIGHT, MOMENTS)
    seen = (chapter for chapter in chapters if request.visit.rights(chapter.match).see)
    return [moment for chapter in seen if (moment := played(request.visit, chapter))]
