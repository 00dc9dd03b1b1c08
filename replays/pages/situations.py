"""Situations: who takes such a stack, by when, and what players choose (docs/situations.md).

The answer is one value; the page shows it, and programs get it as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe
from ninja import Query, Router
from pydantic import BaseModel
from typing_extensions import TypedDict

from games.archive.queries import seats_by_match
from games.engine.facts import Fault
from games.models import Match
from games.people.embargoes import with_embargoes
from games.people.visit import Request, Visit
from replays.analysis.situation_shares import (
    ANYBODY,
    ENOUGH,
    YOU,
    ShareRow,
    by_choice,
    by_rank,
    by_time,
    size,
    summed,
)
from replays.analysis.situations import HEIGHTS, situation_at
from replays.charts.hazard import hazard
from replays.pages.moment_pictures import PicturedMoment, Place, pictured
from replays.pages.players.choices import Choice
from replays.pages.rendering import private_page
from replays.pages.responses import must_show_results
from replays.situations import RANKS, cells_seen, ranks_of
from replays.stored.lines import lines_to

router: Final = Router(tags=["situations"])
_SHOWN: Final = 9
_LOOKED_AT: Final = 60
"""Matches among which those to watch are found."""
_STACKS: Final = (
    *("1 card", *(f"{low} to {next_ - 1} cards" for low, next_ in pairwise(HEIGHTS[1:]))),
    f"{HEIGHTS[-1]} cards or more",
)
_FIELDS: Final = (
    ("top", "Top card", dict(enumerate("1234", 1)), "4"),
    ("height", "Stack", dict(enumerate(_STACKS)), "3"),
    ("hand", "In hand", dict(enumerate(("no 5, no wild", "a 5", "a wild", "a 5 and a wild"))), "1"),
    ("score", "Score", dict(enumerate(("behind", "level", "ahead"))), ""),
    ("rank", "Player", dict(enumerate(RANKS)), ""),
)
"""Name, label, the words of each number of a `Kind`, and what is chosen if nothing is asked."""


class SituationQuery(BaseModel):
    """Which situations, by the numbers that the page's form has; '' is any."""

    top: str = "4"
    height: str = "3"
    hand: str = "1"
    score: str = ""
    rank: str = ""


class SituationAnswer(TypedDict):
    """What became of the chosen situations in all matches that the visitor may see.

    Of too few of them nothing is told. The rows are by time, by choice and by rank; `moments` are
    to be watched, pictured right before the card was laid; `figure` is Plotly's.
    """

    text: str
    chosen: dict[str, str]
    situations: int
    tables: dict[str, list[ShareRow]]
    moments: list[dict[str, str]]
    figure: dict[str, Any] | None


def choices_of(asked: Mapping[str, str]) -> list[Choice]:
    """What can be chosen, and what is. Invalid values count as not given."""
    found = []
    for name, label, words, usual in _FIELDS:
        options = [(str(number), said) for number, said in words.items()]
        options = options if name in ("top", "height") else [("", "any"), *options]
        value = asked.get(name, usual)
        found.append(Choice(name, label, options, value if value in dict(options) else usual))
    return found


def answer(visit: Visit, choices: Sequence[Choice]) -> SituationAnswer:
    """What became of such situations in the matches that a visitor may see."""
    chosen = {choice.name: choice.chosen for choice in choices}
    top, height, hand, score, rank = chosen.values()
    cells = cells_seen(f"{top}.{height}", visit.visitor, visit.embargoed)
    sums: dict[str, dict[int, list[list[int]]]] = defaultdict(lambda: defaultdict(list))
    places = []
    for group, of in cells.items():
        for name, (counts, kept) in of.items():
            its_hand, its_score, its_rank = name.split(".")
            if hand in ("", its_hand) and score in ("", its_score):
                for key in ("", its_rank):
                    sums[key][group].append(counts)
                places += kept if rank in ("", its_rank) else []
    groups = {key: [summed(some) for some in of.values()] for key, of in sorted(sums.items())}
    asked = groups.pop(rank, []) if not rank else groups.get(rank, [])
    situations, tables, text = size(summed(asked)), dict[str, list[ShareRow]](), _TOO_FEW
    if situations >= ENOUGH:
        rows, ranks = by_time(asked), {RANKS[int(key)]: of for key, of in groups.items() if key}
        tables = {"time": rows, "choice": by_choice(asked), "rank": by_rank(ranks)}
        text = _text(rows)
    return {
        "text": text.format(situations),
        "chosen": chosen,
        "situations": situations,
        "tables": tables,
        "moments": [one._asdict() for one in _moments(visit, places)],
        "figure": hazard(tables["time"]) if tables else None,
    }


_TOO_FEW: Final = "Only {:,} such situations are known: too few to tell anything."


def _text(rows: Sequence[ShareRow]) -> str:
    said = (
        f"within {row['name']} in {row['figures'][ANYBODY]['text']}, by you in "
        f"{row['figures'][YOU]['text']}"
        for row in (rows[5], rows[-1])
    )
    return f"In {{:,}} such situations the stack, as it lay, was taken {'; '.join(said)}."


def _moments(visit: Visit, places: Sequence[list[int]]) -> list[PicturedMoment]:
    """The latest of these places in different matches that the visitor may see."""
    last = {match: place for match, *place in sorted(places)}
    latest = sorted(last, reverse=True)[:_LOOKED_AT]
    known = with_embargoes(Match.objects.all()).in_bulk(latest)
    seen = [pk for pk in latest if pk in known and visit.rights(known[pk]).see][:_SHOWN]
    names = {pk: [seat.name for seat in of] for pk, of in seats_by_match(seen).items()}
    return pictured(
        (Place(pk, number, seq), " · ".join(names[pk]), f"Round {number}, as {names[pk][seat]}")
        for pk in seen
        for number, seq, seat in (last[pk],)
    )


@require_safe
def situations(request: Request) -> HttpResponse:
    """The page; `?match=&round=&seq=&seat=` leads to the situation of a seat before that line."""
    context: dict[str, Any] = {}
    if request.visit.shows_results:
        if "match" in request.GET:
            return redirect(f"{reverse('replays:situations')}?{urlencode(_there(request))}")
        choices = choices_of(request.GET.dict())
        context = {"choices": choices, "answer": answer(request.visit, choices)}
    return private_page(request, "situations", context)


def _there(request: Request) -> dict[str, int]:
    """What to choose for a place of a match; nothing if no stack lay there. Raises Http404."""
    given = [request.GET.get(name, "") for name in ("match", "round", "seq", "seat")]
    if not all(text.isascii() and text.isdigit() and len(text) < 10 for text in given):
        return {}
    pk, number, seq, seat = map(int, given)
    match, _ = request.visit.match(pk)
    if not match.over or seat >= match.seat_count:
        return {}
    try:
        played = lines_to(match, number).timeline.rounds[-1]
    except Fault:
        return {}
    found = situation_at(played, seq, seat, ranks_of(match)[seat])
    return {} if found is None else found.kind._asdict()


@router.get("/situations", url_name="situations", response=SituationAnswer)
def read_situations(request: Request, which: Query[SituationQuery]) -> SituationAnswer:
    """What became of such situations (docs/situations.md)."""
    must_show_results(request.visit)
    return answer(request.visit, choices_of(which.model_dump()))
