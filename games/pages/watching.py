"""Pages for watching: the wall of live matches, and the link from a finished match to the next."""

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.cache import cache_page
from django.views.decorators.http import require_safe
from typing_extensions import TypedDict

from games.people.following import following_of
from games.people.visit import Request
from games.tables import lobby
from games.tables.lobby import TableSummary
from games.tables.plan import Plan

WALL: Final = 9
"""How many live matches the wall shows."""
FRESH_S: Final = 3
"""How long the same snapshot of the wall is served to everyone."""


@require_safe
def watch(request: Request) -> HttpResponse:
    """The live matches, those of followed players and classes first."""
    account = request.visit.visitor.account
    following = following_of(account) if account else []
    shown = _own_wall(account) if account and following else public_wall(WALL)
    return render(request, "games/watch.html", {**shown, "following": following})


@require_safe
def wall(request: Request) -> HttpResponse:
    """The wall's current content, for pages that show it. A visitor by link is sent to the wall."""
    if request.headers.get("Sec-Fetch-Mode") == "navigate":
        return redirect("games:watch")
    account = request.visit.visitor.account if "followed" in request.GET else None
    if account is None:
        return _wall(request)
    response = render(request, "games/wall.html", _own_wall(account))
    add_never_cache_headers(response)
    return response


@cache_page(FRESH_S)
def _wall(_request: HttpRequest) -> HttpResponse:
    """The snapshot, the same for everyone."""
    return HttpResponse(render_to_string("games/wall.html", public_wall(WALL)))


@require_safe
def following(_request: HttpRequest, table_id: str) -> HttpResponseRedirect:
    """Redirect from a finished match to the one to watch next, or to the wall."""
    table = lobby.next_to(table_id)
    return redirect("games:table", table) if table else redirect("games:watch")


class SeatShown(TypedDict):
    """The player of a seat, for scripts."""

    name: str
    kind: str


class Goal(TypedDict):
    """The rules for winning a match, for scripts that show the leader."""

    target: int
    speedy: bool
    floor_at_zero: bool


class WallMatch(TypedDict):
    """A live match, for the wall's script."""

    id: str
    seats: list[SeatShown]
    rules: Goal


class Wall(TypedDict):
    """Live matches for a template, at most `most`, and the same for its script.

    `wall_url`: where that finds which there are later.
    """

    playing: list[TableSummary]
    wall: list[WallMatch]
    wall_url: str
    most: int


def public_wall(most: int) -> Wall:
    """Up to `most` of the live matches that everyone may watch."""
    return wall_of(lobby.playing(most), reverse("games:wall"), most)


def _own_wall(account: int) -> Wall:
    """The same for an account that follows players."""
    first = lobby.followed(account)
    ids = {table.id for table in first}
    others = [table for table in lobby.playing(WALL) if table.id not in ids]
    return wall_of([*first, *others][:WALL], f"{reverse('games:wall')}?followed=1", WALL)


def wall_of(playing: list[TableSummary], url: str, most: int) -> Wall:
    """Live matches for templates, with the data for the wall's script."""
    shown: list[WallMatch] = [
        {"id": table.id, "seats": seats_shown(table.plan), "rules": goal_of(table.plan)}
        for table in playing
    ]
    return {"playing": playing, "wall": shown, "wall_url": url, "most": most}


def seats_shown(plan: Plan) -> list[SeatShown]:
    return [{"name": place.name, "kind": place.shown_kind} for place in plan.places]


def goal_of(plan: Plan) -> Goal:
    rules = plan.rules
    return {"target": rules.target, "speedy": rules.speedy, "floor_at_zero": rules.floor_at_zero}
