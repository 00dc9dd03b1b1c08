"""Situations: who takes such a stack, by when, and what players choose (docs/situations.md).

The answer is one value; the page shows it, and programs get it as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
from games.engine.fitting import STAYING
from games.models import Match
from games.people.embargoes import with_embargoes
from games.people.visit import Request, Visit
from replays.analysis.situations.reading import EDGES_MS, HEIGHTS, Cells, situation_at
from replays.analysis.situations.shares import (
    ENOUGH,
    ChoiceRow,
    CurveRow,
    Share,
    choices,
    curve,
    gained,
    size,
    summed,
)
from replays.charts.hazard import hazard
from replays.pages.moment_pictures import Place, pictured
from replays.pages.players.choices import Choice
from replays.pages.rendering import private_page
from replays.pages.responses import must_show_results
from replays.situations.counting import RANKS, ranks_of
from replays.situations.seen import cells_seen, places_of
from replays.stored.lines import lines_to

router: Final = Router(tags=["situations"])
SOON_MS: Final = 2_000
_SHOWN: Final = 9
_LOOKED_AT: Final = 60
"""Matches among which those to watch are found."""


class RankRow(TypedDict):
    """How players of a rank fare: taken by the seat itself soon and at all; what it gained."""

    rank: str
    situations: int
    soon: Share
    own: Share
    gained: Share


class MomentRow(TypedDict):
    """Such a situation, to be watched: its picture is of right before the card was laid."""

    address: str
    picture: str
    title: str
    words: str


class SituationAnswer(TypedDict):
    """What became of the chosen situations in all matches that the visitor may see.

    Of too few of them nothing is told. `figure` is Plotly's.
    """

    text: str
    chosen: dict[str, str]
    situations: int
    enough: bool
    curve: list[CurveRow]
    choices: list[ChoiceRow]
    ranks: list[RankRow]
    moments: list[MomentRow]
    figure: dict[str, Any] | None


# --- What can be chosen ---------------------------------------------------------------------

Options = list[tuple[str, str]]
_HEIGHTS: Final[Options] = [
    *((f"{low}", f"{low} to {high - 1} cards") for low, high in pairwise(HEIGHTS)),
    (f"{HEIGHTS[-1]}", f"{HEIGHTS[-1]} cards or more"),
]
_HANDS: Final[Options] = [
    ("none", "neither a 5 nor a wild"),
    ("5", "a 5"),
    ("wild", "a wild"),
    ("both", "a 5 and a wild"),
]
_SCORES: Final[Options] = [("behind", "behind"), ("level", "level"), ("ahead", "ahead")]
_FIELDS: Final[Mapping[str, tuple[str, Options, str]]] = {
    "top": ("Top card", [(f"{top}", f"{top}") for top in STAYING], "4"),
    "height": ("Stack", _HEIGHTS, "7"),
    "hand": ("In hand", _HANDS, "5"),
    "score": ("Score", _SCORES, ""),
    "rank": ("Player", [(words.replace(" ", "-"), words) for words in RANKS], ""),
}
"""Label, what there is in the order of its numbers, and what is chosen if nothing is asked."""


def choices_of(asked: Mapping[str, str]) -> list[Choice]:
    """What can be chosen, and what is; '' is any. Invalid values count as not given."""
    found = []
    for name, (label, of, usual) in _FIELDS.items():
        options = of if name in ("top", "height") else [("", "any"), *of]
        value = asked.get(name, usual)
        known = value in dict(options)
        found.append(Choice(name, label, options, value if known else usual))
    return found


def _numbers(chosen: Sequence[Choice]) -> dict[str, str]:
    """The number of each chosen value, as `cell_of` has it; '' is any."""
    found = {}
    for name, _, _, value in chosen:
        values = [one for one, _ in _FIELDS[name][1]]
        found[name] = str(values.index(value)) if value else ""
    return found


# --- The answer -----------------------------------------------------------------------------

_Groups = dict[int, list[list[int]]]
"""Counts by group of matches."""


def answer(visit: Visit, chosen: Sequence[Choice]) -> SituationAnswer:
    """What became of such situations in the matches that a visitor may see."""
    values = _numbers(chosen)
    block = f"{STAYING[int(values['top'])]}.{values['height']}"
    cells = cells_seen(block, visit.visitor, visit.embargoed)
    by_rank, names = _by_rank(cells, values)
    ranks = [values["rank"]] if values["rank"] else sorted(by_rank)
    groups = _joined(by_rank[rank] for rank in ranks if rank in by_rank)
    situations = size(summed(groups))
    enough = situations >= ENOUGH
    rows = curve(groups) if enough else []
    kept = {name for name in names if name.split(".")[2] in ranks}
    return {
        "text": _text(rows, situations),
        "chosen": {choice.name: choice.chosen for choice in chosen},
        "situations": situations,
        "enough": enough,
        "curve": rows,
        "choices": choices(groups) if enough else [],
        "ranks": _rank_rows(by_rank),
        "moments": _moments(visit, cells.values(), kept),
        "figure": hazard(rows) if rows else None,
    }


def _by_rank(
    cells: Mapping[int, Cells], values: Mapping[str, str]
) -> tuple[dict[str, _Groups], set[str]]:
    """The counts of the cells that fit hand and score, by rank, and those cells' names."""
    found: dict[str, _Groups] = defaultdict(lambda: defaultdict(list))
    names = set()
    for group, of in cells.items():
        for name, (counts, _) in of.items():
            hand, score, rank = name.split(".")
            if values["hand"] in ("", hand) and values["score"] in ("", score):
                found[rank][group].append(counts)
                names.add(name)
    return found, names


def _joined(some: Iterable[_Groups]) -> list[list[int]]:
    """The sum of each group that has any."""
    found: _Groups = defaultdict(list)
    for groups in some:
        for group, counts in groups.items():
            found[group] += counts
    sums = (summed(counts) for counts in found.values())
    return [counts for counts in sums if size(counts)]


def _rank_rows(by_rank: Mapping[str, _Groups]) -> list[RankRow]:
    """A row for each rank of which enough is known."""
    found: list[RankRow] = []
    for rank in sorted(by_rank):
        groups = _joined([by_rank[rank]])
        if (situations := size(summed(groups))) >= ENOUGH:
            own = [row["own"] for row in curve(groups)]
            soon = own[EDGES_MS.index(SOON_MS)]
            row: RankRow = {
                "rank": RANKS[int(rank)],
                "situations": situations,
                "soon": soon,
                "own": own[-1],
                "gained": gained(groups),
            }
            found.append(row)
    return found


def _text(rows: Sequence[CurveRow], situations: int) -> str:
    if not rows:
        return f"Only {situations} such situations are known: too few to tell anything."
    soon, last = rows[EDGES_MS.index(SOON_MS)], rows[-1]
    return (
        f"In {situations:,} such situations the stack, as it lay, was taken within {soon['within']} "
        f"in {soon['taken']['text']}, by you in {soon['own']['text']}; within {last['within']} in "
        f"{last['taken']['text']} and {last['own']['text']}."
    )


def _moments(visit: Visit, cells: Iterable[Cells], names: set[str]) -> list[MomentRow]:
    """The latest such places in different matches that the visitor may see."""
    places = list(places_of(cells, names))[:_LOOKED_AT]
    known = with_embargoes(Match.objects.all()).in_bulk([place[0] for place in places])
    seen = [at for at in places if at[0] in known and visit.rights(known[at[0]]).see][:_SHOWN]
    seats = seats_by_match([match for match, *_ in seen])
    found = []
    for match, number, seq, seat in seen:
        title = " · ".join(one.name for one in seats[match])
        words = f"Round {number}, as {seats[match][seat].name}"
        found.append((Place(match, number, seq), title, words))
    return [
        {"address": address, "picture": picture, "title": title, "words": words}
        for address, picture, title, words in pictured(found)
    ]


# --- As a page, and for programs --------------------------------------------------------------


@require_safe
def situations(request: Request) -> HttpResponse:
    """The page; `?match=&round=&seq=&seat=` leads to the situation of a seat before that line."""
    context: dict[str, Any] = {}
    if request.visit.shows_results:
        if "match" in request.GET:
            return redirect(f"{reverse('replays:situations')}?{urlencode(_there(request))}")
        chosen = choices_of(request.GET.dict())
        context = {"choices": chosen, "answer": answer(request.visit, chosen)}
    return private_page(request, "situations", context)


def _there(request: Request) -> dict[str, str]:
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
    if found is None:
        return {}
    numbers = found.kind._replace(top=STAYING.index(found.kind.top))._asdict()
    return {name: _FIELDS[name][1][number][0] for name, number in numbers.items()}


class SituationQuery(BaseModel):
    """Which situations: the values are those of the page's form, '' is any."""

    top: str = "4"
    height: str = "7"
    hand: str = "5"
    score: str = ""
    rank: str = ""


@router.get("/situations", url_name="situations", response=SituationAnswer)
def read_situations(request: Request, which: Query[SituationQuery]) -> SituationAnswer:
    """What became of such situations (docs/situations.md)."""
    must_show_results(request.visit)
    return answer(request.visit, choices_of(which.model_dump()))
