"""The page on which a seat of a match is raced: a live table's, with ghosts around it."""

from typing import Any
from urllib.parse import urlencode

from django.db.models import Min
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from games.engine.fitting import every_use
from games.models import Match
from games.pages.words import reason
from games.people.visit import Request
from games.records.log import Header
from replays.ghost_races.opening import (
    NoGhostRaceError,
    Wanted,
    header_for,
    keeps,
    raced_match,
    wanted,
)
from replays.ghost_races.state import GHOST
from replays.ghost_races.table import SLOW
from replays.pages.rendering import page

_SPEEDS = {1: gettext_lazy("Speed 1×"), 2: gettext_lazy("Speed ½×"), 4: gettext_lazy("Speed ¼×")}


@require_safe
def ghost_race(request: Request, pk: int) -> HttpResponse:
    """Sit down in a seat at a position. A match that is being played leads to its replay."""
    try:
        match, may = raced_match(request.visit, pk)
    except NoGhostRaceError:
        return redirect("replays:replay", pk)
    try:
        asked = wanted(request.GET)
    except NoGhostRaceError as error:
        raise Http404(reason(error)) from None
    header = header_for(request.visit, match)
    if asked.seat >= len(header.seats):
        raise Http404(
            _("seat: expected 0 to {most}, found {found}").format(
                most=len(header.seats) - 1, found=asked.seat
            )
        )
    kept = keeps(request.visit, may)
    context = {
        "match": match,
        "name": header.seats[asked.seat].name,
        "seats": [(at, seat.name, at == asked.seat) for at, seat in enumerate(header.seats)],
        "speeds": [(slow, _SPEEDS[slow], slow == asked.slow) for slow in SLOW],
        "asked": asked,
        "back": _back(match, asked),
        "shout": header.rules.out,
        "keeps": kept,
        "page": {
            **_page(match, header, asked),
            "keeps": kept,
            "account": request.visit.visitor.account_key,
        },
    }
    return page(request, "ghost_race", context)


def _back(match: Match, asked: Wanted) -> str:
    """The address of the place in the replay."""
    number, event, line = asked.place
    where: dict[str, Any] = {"line": line, "event": event}
    if line is None:
        deal = match.chunks.filter(round=number).aggregate(seq=Min("first_seq"))["seq"]
        where = {"seq": (deal or 0) + event}
    return f"{reverse('replays:replay', args=[match.pk])}?{urlencode(where)}"


def _page(match: Match, header: Header, asked: Wanted) -> dict[str, Any]:
    """The data for the page's script, like that of a live table."""
    rules, seat = header.rules, asked.seat
    hand_ms = rules.tie_window_ms if header.seats[seat].beginner else rules.one_hand_ms
    place = {"round": asked.place.round, "event": asked.place.event, "seat": seat}
    line = {"line": asked.place.line} if asked.place.line else {}
    return {
        "id": str(match.pk),
        "seat": seat,
        "event": asked.place.event,
        "key": "",
        "watching": False,
        "seats": [
            {"name": player.name, "kind": "human" if at == seat else GHOST}
            for at, player in enumerate(header.seats)
        ],
        "uses": every_use(rules),
        "rules": {
            "out": rules.out,
            "target": rules.target,
            "speedy": rules.speedy,
            "floor_at_zero": rules.floor_at_zero,
            "gap_ms": hand_ms * asked.slow,
            "mistake_ms": rules.mistake_ms * asked.slow,
        },
        "socket": f"/ws/races/{match.pk}/?{urlencode({**place, **line, 'slow': asked.slow})}",
        "replay": reverse("replays:replay", args=[match.pk]),
        "variation": reverse("api:variation", args=["KEY"]),
    }
