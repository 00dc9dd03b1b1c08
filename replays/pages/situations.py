"""Situations, for the page and for programs (docs/reference/situations.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe
from ninja import Query, Router
from pydantic import BaseModel
from typing_extensions import TypedDict

from games.archive.queries import seats_by_match
from games.engine.facts import Fault
from games.models import Match
from games.pages.words import day, grouped
from games.people.visit import Request, Visit
from replays.analysis import situations as situated
from replays.pages.moment_pictures import PicturedMoment, Place, pictured
from replays.pages.players.choices import Choice, choice
from replays.pages.rendering import private_page
from replays.pages.responses import must_show_results
from replays.pages.telling import render
from replays.query_string import BadNumberError, number
from replays.situations import cells_seen
from replays.stored.logs import lines_to

router: Final = Router(tags=["situations"])
_MOMENTS: Final = 6


class SituationQuery(BaseModel):
    """Which situations, by the numbers that the page's form has. '' is any."""

    top: str = "4"
    height: str = "3"
    hand: str = "1"


class SituationAnswer(TypedDict):
    """With too few situations there are no rows. `moments`: right after the card was laid."""

    text: str
    chosen: dict[str, str]
    situations: int
    matches: int
    rows: list[situated.Row]
    moments: list[dict[str, str]]


def choices_of(asked: SituationQuery) -> list[Choice]:
    """The options and the choices, by the numbers of a `Kind`. Invalid values are not chosen."""
    given = asked.model_dump()
    spans = pairwise(situated.HEIGHTS[1:])
    stacks = [
        _("1 card"),
        *(_("{low} to {high} cards").format(low=low, high=end - 1) for low, end in spans),
        _("{count} cards or more").format(count=situated.HEIGHTS[-1]),
    ]
    hands = [_("no 5, no wild"), _("a 5"), pgettext("hand", "a wild"), _("a 5 and a wild")]
    return [
        choice("hand", _("In your hand"), _numbered(hands), given),
        choice("top", _("Top card"), [(face, face) for face in "1234"], given, whole=False),
        choice("height", _("Height"), _numbered(stacks), given, whole=False),
    ]


def _numbered(texts: Sequence[str]) -> list[tuple[str, str]]:
    return [(str(at), text) for at, text in enumerate(texts)]


def answer(visit: Visit, choices: Sequence[Choice]) -> SituationAnswer:
    """What became of such situations in the matches that a visitor may see."""
    chosen = {picked.name: picked.chosen for picked in choices}
    seen = list(cells_seen(f"{chosen['top']}.{chosen['height']}", visit.embargoed))
    cells = [
        (pk, cell)
        for pk, by_hand in seen
        for hand, cell in by_hand.items()
        if chosen["hand"] in ("", hand)
    ]
    counts = situated.summed(counted for _pk, (counted, _place) in cells)
    rows: list[situated.Row] = render(situated.by_time(counts), ())
    return {
        "text": _text(rows),
        "chosen": chosen,
        "situations": int(counts[-1]),
        "matches": len(seen),
        "rows": rows,
        "moments": [moment._asdict() for moment in _moments(cells)],
    }


def _soon(rows: Sequence[situated.Row]) -> situated.Row | None:
    """The row of the sentence and its picture."""
    return rows[min(situated.SOON, len(rows) - 1)] if rows else None


def _text(rows: Sequence[situated.Row]) -> str:
    soon = _soon(rows)
    if soon is None:
        return _("Too few stacks like this to tell.")
    you, anyone = (round(100 * share["value"]) for share in soon["figures"].values())
    said = _("You take {you} of 100 within {time}, others take {others}.")
    return said.format(time=soon["name"], you=you, others=anyone - you)


def _drawn(chosen: Mapping[str, str]) -> tuple[list[str], str]:
    """The faces of the cards in hand, none for a card that can be any, and the stack's."""
    hands = {"1": ["5"], "2": ["✦"], "3": ["5", "✦"]}
    return hands.get(chosen["hand"], [""]), chosen["top"]


def _moments(cells: Sequence[tuple[int, situated.Cell]]) -> list[PicturedMoment]:
    places = dict(list({pk: place for pk, (_counts, place) in cells}.items())[:_MOMENTS])
    seats, matches = seats_by_match(places), Match.objects.in_bulk(places)
    when = _("Round {round}, {time}")
    return pictured(
        (
            Place(pk, number, seq, after=True),
            seats[pk][seat].name,
            when.format(round=number, time=day(matches[pk].started_at)),
        )
        for pk, (number, seq, seat) in places.items()
    )


@require_safe
def situations(request: Request) -> HttpResponse:
    """The page. `?match=&round=&seq=&seat=` leads to the situation of a seat before that line."""
    context: dict[str, Any] = {}
    if request.visit.shows_results:
        if "match" in request.GET:
            return redirect(f"{reverse('replays:situations')}?{urlencode(_there(request))}")
        choices = choices_of(SituationQuery.model_validate(request.GET.dict()))
        shown = answer(request.visit, choices)
        context = {"choices": choices, "answer": shown, "most": grouped(shown["matches"])}
        context |= {"soon": _soon(shown["rows"]), "drawn": _drawn(shown["chosen"])}
    return private_page(request, "situations", context)


def _there(request: Request) -> dict[str, int]:
    """The choices for a place of a match. Empty if no stack lay there. Raises Http404."""
    with suppress(BadNumberError, Fault):
        names = "match", "round", "seq", "seat"
        pk, at, seq, seat = (number(request.GET, name) or 0 for name in names)
        match = request.visit.match(pk)[0]
        if match.over:
            situation = situated.situation_at(lines_to(match, at).timeline.rounds[-1], seq, seat)
            return situation.kind._asdict() if situation else {}
    return {}


@router.get("/situations", url_name="situations", response=SituationAnswer)
def read_situations(request: Request, which: Query[SituationQuery]) -> SituationAnswer:
    """What became of such situations (docs/reference/situations.md)."""
    must_show_results(request.visit)
    return answer(request.visit, choices_of(which))
