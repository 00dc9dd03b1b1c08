"""Searching for patterns: the form with its presets, and a search's results."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.archive.players import with_pages
from games.pages.words import clock, grouped, sentence, words
from games.people.visit import Request, Visit
from replays.jobs.starting import TooManyJobsError
from replays.models import Job, PatternSearch
from replays.models.sharing import new_key
from replays.notes import playlists
from replays.notes.positions import ValidationFault
from replays.pages.jobs import fault_of
from replays.pages.moment_pictures import PicturedMoment, pictured
from replays.pages.patterns.form import UnfitQuery, form_rows, parse_query
from replays.pages.patterns.moments import PatternMoment, found_for, text_of
from replays.pages.rendering import private_page
from replays.patterns.matching import Hit
from replays.patterns.query import (
    LATE,
    LEFT,
    MISSED,
    MISTAKE,
    PRESETS,
    TAKER,
    TIED,
    TOOK,
    PatternQuery,
)
from replays.patterns.searching import search, searched

_LISTED: Final = 20
_PICTURED: Final = 4
"""The moments that are shown as pictures. All are in the list."""
_PLAYERS: Final = 10
"""How many players are listed first. A button shows the others."""
_ALL: Final = "all"
"""The key of the button that plays every moment."""


@require_http_methods(["GET", "HEAD", "POST"])
def patterns(request: Request) -> HttpResponse:
    """The form, filled in from the address. POST begins a search."""
    given = {name: value for name, value in _form_fields(request).items() if value}
    persons = request.visit.visitor.persons
    count = searched(persons)
    context: dict[str, Any] = {"searched": count, "most": grouped(count)}
    context["first"], context["more"], context["then"] = form_rows(given)
    context["opened"] = any(
        field.name in given for name in ("more", "then") for field in context[name]
    )
    status = HTTPStatus.OK
    try:
        query = parse_query(given) if given else None
        if request.method == "POST" and query:
            begun = search(query, request.visit.author, persons)
            return redirect("replays:pattern", begun.key)
    except UnfitQuery as fault:
        context["fault"] = sentence(fault)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    except TooManyJobsError as error:
        context["refused"] = sentence(error)
        status = HTTPStatus.TOO_MANY_REQUESTS
    context["presets"] = [
        (words(said), urlencode(preset.fields), _preset_picture(preset))
        for preset, said in PRESETS.items()
    ]
    context["searches"] = [(one, text_of(one)) for one in searches_of(request.visit)]
    return private_page(request, "patterns", context, status)


def _form_fields(request: Request) -> dict[str, str]:
    """The form's fields, or those of the address: a preset's, with the form's player and time."""
    sent = request.POST.dict()
    if "preset" in sent or "what" not in sent:
        sent = {name: sent[name] for name in ("player", "days") if name in sent}
        sent |= request.GET.dict()
    return {name: str(sent[name]) for name in PatternQuery.model_fields if name in sent}


def _preset_picture(preset: PatternQuery) -> tuple[list[str], str, str]:
    """The picture of a preset: its cards' faces, an arrow, and the card or the stack below.

    Cards that can be any show their backs. What can be any otherwise is left out.
    """
    tried = {TIED: preset.min_players or 2, LATE: 2}.get(preset.what, 1)
    takes = "5" if preset.what in (TOOK, MISSED) or preset.card == TAKER else ""
    face = {"wild": "✦", TAKER: "5"}.get(preset.card, preset.card) or takes
    arrow = "↛" if preset.what in (LEFT, MISSED, MISTAKE) else "→"
    stack = "" if preset.min_cards is None else f"{preset.min_cards}+"
    below = preset.top or stack
    return [face] * tried, arrow if below or arrow == "↛" else "", below


def searches_of(visit: Visit) -> QuerySet[PatternSearch]:
    """The visitor's latest searches, newest first."""
    mine = PatternSearch.objects.filter(owner__in=visit.reader.persons)
    return mine.defer("found").order_by("-created", "-pk")[:_LISTED]


@require_http_methods(["GET", "HEAD", "POST"])
def pattern(request: Request, key: str) -> HttpResponse:
    """A search's results, in the matches that this visitor may see.

    POST makes a playlist of them.
    """
    search = get_object_or_404(PatternSearch.objects.select_related("job"), key=key)
    if request.method == "POST":
        return _make_playlist(request, search)
    context: dict[str, Any] = {"search": search, "kept_back": not request.visit.shows_results}
    context["searched"] = text_of(search)
    context["address"] = f"{reverse('replays:patterns')}?{urlencode(search.query)}"
    if search.found is None:
        context |= {"unfinished": True, **_progress(search.job)}
    elif request.visit.shows_results:
        context |= _results(request.visit, search)
    return private_page(request, "pattern", context)


def _progress(job: Job | None) -> dict[str, Any]:
    """How far a search is."""
    return {"fault": fault_of(job), "active": job.state in Job.ACTIVE} if job else {}


def _make_playlist(request: Request, search: PatternSearch) -> HttpResponse:
    """Make a playlist of the first moments, and lead to it."""
    items = _results(request.visit, search)["spans"][_ALL]
    if not items or not request.visit.shows_results:
        return redirect("replays:pattern", search.key)
    try:
        made = playlists.create(
            request.visit.sign(),
            new_key(),
            text_of(search)[:100],
            items,
            reader=request.visit.reader,
            match_of=request.visit.reviewable,
        )
    except ValidationFault as fault:
        messages.error(
            request, _("The playlist could not be made. {error}").format(error=sentence(fault))
        )
        return redirect("replays:pattern", search.key)
    return redirect("replays:playlist_page", made.key)


def _results(visit: Visit, search: PatternSearch) -> dict[str, Any]:
    """The moments by player and in words, and the playlist items of each button."""
    found_moments = found_for(visit, search)
    cells = {player.name: f"{at}" for at, player in enumerate(found_moments.players)}
    spans = _spans(found_moments.moments, cells)
    players = [
        (player, cells[player.name] if cells[player.name] in spans else "")
        for player in found_moments.players
    ]
    return {
        "players": players[:_PLAYERS],
        "more_players": players[_PLAYERS:],
        "paged": with_pages({player.name for player in found_moments.players}),
        "spans": spans,
        "pictures": _pictures(found_moments.moments),
        "shown": _by_match(found_moments.moments),
        "places": len(found_moments.moments),
        "cut": found_moments.cut,
        "total": found_moments.total,
        "shared": sum(player.moments for player in found_moments.players) > found_moments.total,
        "unseen": found_moments.unseen,
        "outcome": found_moments.outcome,
    }


def _spans(
    moments: Sequence[PatternMoment], cells: Mapping[str, str]
) -> dict[str, list[dict[str, Any]]]:
    """What each button plays. `cells`: the keys of the players' buttons."""
    spans: dict[str, list[dict[str, Any]]] = {_ALL: []}
    for moment in moments:
        span = _span(moment.match, moment.hit, moment.title)
        for cell in (_ALL, *(cells[name] for name in moment.who if name in cells)):
            spans.setdefault(cell, []).append(span)
    return spans


def _pictures(moments: Sequence[PatternMoment]) -> list[PicturedMoment]:
    """The first moments, right before each happened. Those of several players at once are one."""
    once = {(moment.match, moment.hit.first.seq): moment for moment in reversed(moments)}
    first = [moment for moment in moments if moment in once.values()][:_PICTURED]
    pictures = pictured((moment.place, moment.words, _time_words(moment.hit)) for moment in first)
    return [
        picture._replace(address=moment.address)
        for picture, moment in zip(pictures, first, strict=True)
    ]


def _by_match(moments: Sequence[PatternMoment]) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Each match's players, and its moments: address, time and sentence."""
    return [
        (title, [(moment.address, _time_words(moment.hit), moment.words) for moment in of])
        for (_, title), of in groupby(moments, lambda moment: (moment.match, moment.title))
    ]


def _time_words(hit: Hit) -> str:
    return _("Round {round}, {time}").format(round=hit.first.round, time=clock(hit.first.to))


def _span(match: int, hit: Hit, label: str) -> dict[str, Any]:
    """A playlist's item."""
    place = {"round": hit.first.round, "event": hit.first.event, "until": hit.last.until}
    return {"match": match, **place, "label": label[:200]}
