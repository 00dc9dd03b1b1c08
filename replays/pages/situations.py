"""Situations: takes by seat and time (docs/reference/situations.md).

The answer is one value. The page shows it, and programs get it as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from games.engine.message import Message, plural
from games.models import Match
from games.people.embargoes import with_embargoes
from games.people.visit import Request, Visit
from replays.analysis import situations as situated
from replays.pages.moment_pictures import PicturedMoment, Place, pictured
from replays.pages.players.choices import Choice, choice
from replays.pages.rendering import private_page
from replays.pages.responses import must_show_results
from replays.pages.telling import told
from replays.situations import cells_seen
from replays.stored.logs import lines_to

router: Final = Router(tags=["situations"])
_SHOWN, _LOOKED_AT = 8, 60
"""How many places there are to watch, and among how many matches they are found."""


def _fields() -> dict[str, tuple[str, Sequence[str]]]:
    """The label of each field of a `Kind`, and the words of each number."""
    return {
        "top": (_("Top card"), ("", *"1234")),
        "height": (_("Stack"), _stacks()),
        "hand": (
            _("In hand"),
            (_("no 5, no wild"), _("a 5"), pgettext("hand", "a wild"), _("a 5 and a wild")),
        ),
    }


def _stacks() -> list[str]:
    return [
        _("1 card"),
        *(
            _("{low} to {high} cards").format(low=low, high=end - 1)
            for low, end in pairwise(situated.HEIGHTS[1:])
        ),
        _("{count} cards or more").format(count=situated.HEIGHTS[-1]),
    ]


class SituationQuery(BaseModel):
    """Which situations, by the numbers that the page's form has. '' is any."""

    top: str = "4"
    height: str = "3"
    hand: str = "1"


class SituationAnswer(TypedDict):
    """The outcomes of the chosen situations in all public matches, but embargoed ones.

    With too few there are no rows. `moments` are to be watched, pictured right after the card was
    laid.
    """

    text: str
    chosen: dict[str, str]
    situations: int
    rows: list[situated.Row]
    moments: list[dict[str, str]]


def choices_of(asked: SituationQuery) -> list[Choice]:
    """The options and the choices. Invalid values count as not given."""
    given, choices = asked.model_dump(), []
    for name, (label, texts) in _fields().items():
        options = [(str(number), said) for number, said in enumerate(texts) if said]
        choices.append(choice(name, label, options, given, whole=name not in ("top", "height")))
    return choices


def answer(visit: Visit, choices: Sequence[Choice]) -> SituationAnswer:
    """What became of such situations in the matches that a visitor may see."""
    chosen = {picked.name: picked.chosen for picked in choices}
    seen = cells_seen(f"{chosen['top']}.{chosen['height']}", visit.embargoed)
    cells = [cell for hand, cell in seen.items() if chosen["hand"] in ("", hand)]
    counts = situated.summed(counted for counted, _places in cells)
    places = [place for _counts, kept in cells for place in kept]
    rows = situated.by_time(counts)
    found: SituationAnswer = told(
        {
            "text": _text(counts[-1], rows),
            "chosen": chosen,
            "situations": counts[-1],
            "rows": rows,
            "moments": [moment._asdict() for moment in _moments(visit, places)],
        },
        (),
    )
    return found


def _text(count: int, rows: Sequence[situated.Row]) -> Message:
    if not rows:
        return Message("Too few such situations are known to tell anything: {count}.", count=count)
    soon = rows[min(situated.SOON, len(rows) - 1)]
    by = {who: figure["text"] for who, figure in soon["figures"].items()}
    return plural(
        "Within {time}, {anyone} of {count} such stack were taken: {you} by the player with that "
        "hand.",
        "Within {time}, {anyone} of {count} such stacks were taken: {you} by the player with that "
        "hand.",
        count=count,
        anyone=by[situated.ANYBODY],
        time=soon["name"],
        you=by[situated.YOU],
    )


def _moments(visit: Visit, places: Sequence[list[int]]) -> list[PicturedMoment]:
    """The latest of these places in different matches that the visitor may see."""
    last = {match: place for match, *place in sorted(places)}
    latest = sorted(last, reverse=True)[:_LOOKED_AT]
    known = with_embargoes(Match.objects.all()).in_bulk(latest)
    seen = [pk for pk in latest if pk in known and visit.rights(known[pk]).see][:_SHOWN]
    names = {pk: [seat.name for seat in of] for pk, of in seats_by_match(seen).items()}
    return pictured(
        (
            Place(pk, number, seq, after=True),
            " · ".join(names[pk]),
            _("Round {round}: the hand of {player}").format(round=number, player=names[pk][seat]),
        )
        for pk in seen
        for number, seq, seat in (last[pk],)
    )


@require_safe
def situations(request: Request) -> HttpResponse:
    """The page. `?match=&round=&seq=&seat=` leads to the situation of a seat before that line."""
    context: dict[str, Any] = {}
    if request.visit.shows_results:
        if "match" in request.GET:
            return redirect(f"{reverse('replays:situations')}?{urlencode(_there(request))}")
        choices = choices_of(SituationQuery.model_validate(request.GET.dict()))
        context = {"choices": choices, "answer": answer(request.visit, choices)}
    return private_page(request, "situations", context)


def _there(request: Request) -> dict[str, int]:
    """The choices for a place of a match. Empty if no stack lay there. Raises Http404."""
    given = [request.GET.get(name, "") for name in ("match", "round", "seq", "seat")]
    if not all(text.isascii() and text.isdigit() and len(text) < 10 for text in given):
        return {}
    pk, number, seq, seat = map(int, given)
    match = request.visit.match(pk)[0]
    with suppress(Fault):
        if match.over and seat < match.seat_count:
            played = lines_to(match, number).timeline.rounds[-1]
            situation = situated.situation_at(played, seq, seat)
            return situation.kind._asdict() if situation else {}
    return {}


@router.get("/situations", url_name="situations", response=SituationAnswer)
def read_situations(request: Request, which: Query[SituationQuery]) -> SituationAnswer:
    """What became of such situations (docs/reference/situations.md)."""
    must_show_results(request.visit)
    return answer(request.visit, choices_of(which))
