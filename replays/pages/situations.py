"""Situations: takes by seat and time, and players' choices (docs/reference/situations.md).

The answer is one value. The page shows it, and programs get it as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from math import log10
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
from games.pages.words import words
from games.people.embargoes import with_embargoes
from games.people.visit import Request, Visit
from replays.analysis import situations as situated
from replays.analysis.marks import COLOURS, SYMBOLS
from replays.charts.frame import Json, end_words, of_seat
from replays.pages.moment_pictures import PicturedMoment, Place, pictured
from replays.pages.players.choices import Choice, choice
from replays.pages.rendering import private_page
from replays.pages.responses import must_show_results
from replays.pages.telling import told
from replays.situations import RANKS, cells_seen, ranks_of
from replays.stored.logs import lines_to

router: Final = Router(tags=["situations"])
_SHOWN, _LOOKED_AT = 9, 60
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
        "score": (_("Score"), (_("behind"), pgettext("score", "level"), _("ahead"))),
        "rank": (_("Player"), [str(rank) for rank in RANKS]),
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
    score: str = ""
    rank: str = ""


class SituationAnswer(TypedDict):
    """The outcomes of the chosen situations in all matches that the visitor may see.

    With too few, nothing is shown. The rows are by time, by choice and by rank. `moments` are to be
    watched, pictured right before the card was laid. `figure` is Plotly's.
    """

    text: str
    chosen: dict[str, str]
    situations: int
    tables: dict[str, list[situated.Row]]
    moments: list[dict[str, str]]
    figure: dict[str, Any] | None


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
    cells, places = _picked(visit, chosen)
    asked = situated.summed(cells.get(chosen["rank"], []))
    count, tables = situated.size(asked), dict[str, list[situated.Row]]()
    if count >= situated.ENOUGH:
        known = [(str(RANKS[int(rank)]), of) for rank, of in sorted(cells.items()) if rank]
        ranks = [(rank, situated.summed(of)) for rank, of in known]
        tables["time"], tables["choice"] = (
            situated.by_time(asked, ranked=chosen["rank"] != ""),
            situated.by_choice(asked),
        )
        tables["rank"] = situated.by_rank(ranks)
    found: SituationAnswer = told(
        {
            "text": _text(count, tables.get("time", [])),
            "chosen": chosen,
            "situations": count,
            "tables": tables,
            "moments": [moment._asdict() for moment in _moments(visit, places)],
            "figure": _figure(tables["time"]) if tables.get("time") else None,
        },
        (),
    )
    return found


def _picked(
    visit: Visit, chosen: dict[str, str]
) -> tuple[dict[str, list[list[int]]], list[list[int]]]:
    """The counts of each rank, those of all ranks under ''. And places."""
    top, height, hand, score, rank = chosen.values()
    by_rank, places = defaultdict[str, list[list[int]]](list), list[list[int]]()
    cells = cells_seen(f"{top}.{height}", visit.visitor, visit.embargoed)
    for name, (counts, kept) in cells.items():
        its_hand, its_score, its_rank = name.split(".")
        if hand in ("", its_hand) and score in ("", its_score):
            by_rank[""].append(counts)
            by_rank[its_rank].append(counts)
            places += kept if rank in ("", its_rank) else []
    return by_rank, places


def _text(count: int, rows: Sequence[situated.Row]) -> Message:
    if not rows:
        return Message("Too few such situations are known to tell anything: {count}.", count=count)
    soon = rows[min(situated.SOON, len(rows) - 1)]
    by = {who: figure["text"] for who, figure in soon["figures"].items()}
    return plural(
        "In {count} such situation, {anyone} of the stacks were taken within {time}, {you} by you.",
        "In {count} such situations, {anyone} of the stacks were taken within {time}, {you} by "
        "you.",
        count=count,
        anyone=by[situated.ANYBODY],
        time=soon["name"],
        you=by[situated.YOU],
    )


def _figure(rows: Sequence[situated.Row]) -> Json:
    """A line for the seat's own takes, and one for all takes, in percent."""
    lines = [[row["figures"][who] for row in rows] for who in (situated.YOU, situated.ANYBODY)]
    most = 110 * max(0.02, *(share["high"] for share in lines[1]))
    times = situated.WITHIN_MS[: len(rows)]
    layout = {
        "xaxis": {
            "type": "log",
            "range": [log10(0.9 * times[0]), log10(1.1 * times[-1])],
            "title": {"text": Message("time since the card was played")},
            "tickmode": "array",
            "tickvals": list(times),
            "ticktext": [row["name"] for row in rows],
        },
        "yaxis": {"title": {"text": Message("% taken")}, "range": [0, most]},
        "hovermode": False,
        "dragmode": False,
        "annotations": [
            end_words(
                seat, f"{words(of[-1]['label'])} {words(of[-1]['text'])}", 100 * of[-1]["value"]
            )
            for seat, of in enumerate(lines)
        ],
        "meta": {"rounds": []},
    }
    data = [_line(seat, of, times) for seat, of in enumerate(lines)]
    return {"data": data, "layout": layout}


def _line(seat: int, shares: Sequence[situated.Share], times: Sequence[int]) -> Json:
    beyond = {
        "array": [100 * (share["high"] - share["value"]) for share in shares],
        "arrayminus": [100 * (share["value"] - share["low"]) for share in shares],
    }
    error = {"type": "data", "symmetric": False, "thickness": 1.5, "width": 4, **beyond}
    points = [(ms, 100 * share["value"]) for ms, share in zip(times, shares, strict=True)]
    look = {"line": {"color": COLOURS[seat]}, "marker": {"symbol": SYMBOLS[seat], "size": 8}}
    name = words(shares[0]["label"])
    return of_seat(seat, name, points, mode="lines+markers", error_y=error, **look)


def _moments(visit: Visit, places: Sequence[list[int]]) -> list[PicturedMoment]:
    """The latest of these places in different matches that the visitor may see."""
    last = {match: place for match, *place in sorted(places)}
    latest = sorted(last, reverse=True)[:_LOOKED_AT]
    known = with_embargoes(Match.objects.all()).in_bulk(latest)
    seen = [pk for pk in latest if pk in known and visit.rights(known[pk]).see][:_SHOWN]
    names = {pk: [seat.name for seat in of] for pk, of in seats_by_match(seen).items()}
    return pictured(
        (
            Place(pk, number, seq),
            " · ".join(names[pk]),
            _("Round {round}, as {player}").format(round=number, player=names[pk][seat]),
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
            situation = situated.situation_at(played, seq, seat, ranks_of(match)[seat])
            return situation.kind._asdict() if situation else {}
    return {}


@router.get("/situations", url_name="situations", response=SituationAnswer)
def read_situations(request: Request, which: Query[SituationQuery]) -> SituationAnswer:
    """What became of such situations (docs/reference/situations.md)."""
    must_show_results(request.visit)
    return answer(request.visit, choices_of(which))
