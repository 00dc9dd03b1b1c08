"""Searching for patterns: the form with its examples, and what a search has found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods

from games.archive.queries import SeatRow, seats_of
from games.models import Match
from games.people.matches import rights_in
from games.people.sessions import visitor_of
from replays.annotations import playlists
from replays.annotations.positions import Unfit
from replays.jobs.starting import TooManyJobsError, place_of
from replays.models import Job, PatternSearch
from replays.models.sharing import new_key
from replays.pages.jobs import asker_of, persons_of, warning_for
from replays.pages.notes.api import asker_of as author_of_list
from replays.pages.notes.api import reader_of
from replays.pages.notes.playlists import watched
from replays.pages.viewer import embargoed_to, may_show
from replays.patterns.language import parse
from replays.patterns.matching import Hit
from replays.patterns.occurrences import NOBODY, Occurrence
from replays.patterns.searching import MOST_MATCHES, MatchOccurrences, found_by, search
from replays.patterns.sentences import sentence
from replays.patterns.words import LONGEST, PatternFault, listed

EXAMPLES: Final = (
    "left a 5 over 1 s while a 4 lay open",
    "missed a take of at least 6 cards",
    "took over 8 cards with a wild",
    "played a 3 on a 2 within 400 ms",
    "late by under 100 ms",
    "tied with at least 3 players",
    "mistake, then within 4 s took",
    "left a taker over 3 s in round 1",
    "tied, then within 2 s another took",
    "took at least 5 cards by me",
)
_LISTED: Final = 20


@require_http_methods(["GET", "HEAD", "POST"])
def patterns(request: HttpRequest) -> HttpResponse:
    """The form, with `?q=` filled in; POST begins a search."""
    text = (request.POST if request.method == "POST" else request.GET).get("q", "").strip()
    context: dict[str, Any] = {"text": text, "longest": LONGEST, "most": f"{MOST_MATCHES:,}"}
    status = HTTPStatus.OK
    try:
        if text:
            context["plain"] = str(parse(text))
        if request.method == "POST":
            found = search(text, asker_of(request), visitor_of(request).persons)
            return redirect("replays:pattern", found.key)
    except PatternFault as fault:
        before = text[: fault.at]
        context |= {"fault": fault.message, "before": before, "after": text[fault.at :]}
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    except TooManyJobsError as error:
        context["refused"] = str(error)
        status = HTTPStatus.TOO_MANY_REQUESTS
    context |= {"examples": EXAMPLES, "searches": _searches(request)}
    return _private(render(request, "replays/patterns.html", context, status=status))


def _searches(request: HttpRequest) -> QuerySet[PatternSearch]:
    persons = [person for person in persons_of(request) if person]
    mine = PatternSearch.objects.filter(owner__in=persons)
    return mine.defer("found").order_by("-created", "-pk")[:_LISTED]


@require_http_methods(["GET", "HEAD", "POST"])
def pattern(request: HttpRequest, key: str) -> HttpResponse:
    """What a search has found, in the matches that this visitor may see.

    POST makes a playlist of it.
    """
    found = get_object_or_404(PatternSearch.objects.select_related("job"), key=key)
    if request.method == "POST":
        return _kept(request, found)
    context: dict[str, Any] = {"search": found, "kept_back": not may_show(request)}
    job = found.job
    if job is not None and found.found is None:
        mine = bool(job.owner) and job.owner in persons_of(request)
        active = job.state in Job.ACTIVE
        context |= {"job": job, "place": place_of(job), "mine": mine, "active": active}
        context["warning"] = warning_for(request) if active else ""
    elif may_show(request):
        context |= _results(request, found)
    return _private(render(request, "replays/pattern.html", context))


def _kept(request: HttpRequest, search: PatternSearch) -> HttpResponse:
    """Make a playlist of the first moments, and lead to it."""
    author = author_of_list(request)
    items = _results(request, search)["spans"][search.text][: playlists.MOST_ITEMS]
    if author is None or not items or not may_show(request):
        messages.info(request, "Choose a name or log in to make playlists.")
        return redirect("replays:pattern", search.key)
    try:
        made = playlists.create(
            author,
            new_key(),
            search.text[:100],
            items,
            reader=reader_of(request),
            match_of=lambda pk: watched(request, pk),
        )
    except Unfit as fault:
        messages.error(request, f"The playlist could not be made: {fault}.")
        return redirect("replays:pattern", search.key)
    return redirect("replays:playlist_page", made.key)


def _results(request: HttpRequest, search: PatternSearch) -> dict[str, Any]:
    """The hits by player and in words, and what each button plays."""
    every = found_by(search)
    known = Match.objects.in_bulk([one.match for one in every])
    without = embargoed_to(request)
    seen = [
        one
        for one in every
        if one.match in known
        and one.match not in without
        and rights_in(request, known[one.match]).admitted
    ]
    seats = seats_of([one.match for one in seen])
    counts: Counter[tuple[str, str]] = Counter()
    spans: dict[str, list[dict[str, Any]]] = {search.text: []}
    shown = []
    for one in seen:
        for seat in seats[one.match]:
            counts[seat.name, seat.kind] += one.counts[seat.number]
        shown.append(_match(one, seats[one.match], search.text, spans))
    players = [
        (name, kind, count, f"{search.text}\n{name}")
        for (name, kind), count in counts.most_common()
        if count
    ]
    places = sum(len(hits) for _, _, hits in shown)
    return {
        "players": players,
        "spans": spans,
        "shown": [one for one in shown if one[2]],
        "places": places,
        "total": sum(counts.values()),
        "plain": str(parse(search.text)),
        "unseen": len(every) - len(seen),
        "most_kept": playlists.MOST_ITEMS,
    }


def _match(
    one: MatchOccurrences,
    seats: Sequence[SeatRow],
    text: str,
    spans: dict[str, list[dict[str, Any]]],
) -> tuple[int, str, list[tuple[str, str, str]]]:
    """A match's number, who played, and each hit: its address, when it was, and a sentence."""
    names = [seat.name for seat in seats]
    title = " · ".join(names)
    address = reverse("replays:replay", args=[one.match])
    rows = []
    for alike in _together(one.hits):
        hit, who = alike[0], list(dict.fromkeys(names[each.first.seat] for each in alike))
        span = _span(one.match, hit, title)
        for cell in (text, *(f"{text}\n{name}" for name in who)):
            spans.setdefault(cell, []).append(span)
        place = f"{address}?round={hit.first.round}&seq={hit.first.seq}"
        rows.append((place, _when(hit), sentence(hit, names, listed(who, "and"))))
    return one.match, title, rows


def _together(hits: Sequence[Hit]) -> list[list[Hit]]:
    """The hits that are listed as one: alike but for whose they are and which card it was."""
    found: dict[tuple[Occurrence, bool, int], list[Hit]] = {}
    for hit in hits:
        first = hit.first
        anybodys = first._replace(seat=NOBODY, face=0 if first.players else first.face)
        key = anybodys, first.other == first.seat, hit.last.seq
        found.setdefault(key, []).append(hit)
    return list(found.values())


def _span(match: int, hit: Hit, label: str) -> dict[str, Any]:
    """A playlist's item."""
    place = {"round": hit.first.round, "event": hit.first.event, "until": hit.last.until}
    return {"match": match, **place, "label": label[:200]}


def _when(hit: Hit) -> str:
    minutes, ms = divmod(hit.first.to, 60_000)
    return f"Round {hit.first.round}, {minutes}:{ms / 1_000:04.1f}"


def _private(response: HttpResponse) -> HttpResponse:
    add_never_cache_headers(response)
    return response
