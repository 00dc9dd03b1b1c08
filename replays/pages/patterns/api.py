"""Searches for patterns as JSON and CSV, with the same rights as their page (docs/patterns.md)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from games.people.sessions import visitor_of
from replays.analysis.csv_text import csv_text, harmless
from replays.annotations.positions import Unfit
from replays.jobs.starting import TooManyJobsError
from replays.models import Job, PatternSearch
from replays.pages.jobs import followed, requester_of
from replays.pages.json_api import answer, body_of, json_view, refusal
from replays.pages.patterns.moments import FoundMoments, PatternMoment, found_for
from replays.pages.patterns.pages import searches_of
from replays.pages.viewer import may_show
from replays.patterns.language import parse
from replays.patterns.searching import search
from replays.patterns.words import LONGEST, PatternFault

MOMENTS: Final = (
    *("match", "round", "event", "until", "seq", "t_ms", "ms", "cards", "players", "text", "url"),
)
PLAYERS: Final = ("player", "kind", "moments", "matches")
_HIDDEN: Final = "these moments would reveal results, which you have hidden"


@json_view("GET", "POST")
def all_searches(request: HttpRequest) -> HttpResponseBase:
    """The visitor's own searches, newest first; POST `pattern` begins one."""
    if request.method == "POST":
        return _begun(request)
    searches = [
        {"key": one.key, "pattern": one.text, "url": _url(one)} for one in searches_of(request)
    ]
    return answer({"searches": searches, "csrf": get_token(request)})


def _begun(request: HttpRequest) -> HttpResponse:
    body = body_of(request)
    text = body.get("pattern")
    if type(text) is not str or not text.strip() or set(body) != {"pattern"}:
        raise Unfit(f"body: expected pattern, a text of at most {LONGEST} characters")
    try:
        found = search(text, requester_of(request), visitor_of(request).persons)
    except PatternFault as fault:
        words = f"pattern: at character {fault.at + 1}: {fault.message}"
        return refusal(words, HTTPStatus.UNPROCESSABLE_ENTITY)
    except TooManyJobsError as error:
        return refusal(str(error), HTTPStatus.TOO_MANY_REQUESTS)
    return answer(_search_json(request, found), HTTPStatus.ACCEPTED)


@json_view("GET")
def one_search(request: HttpRequest, key: str) -> HttpResponseBase:
    """How far a search is (202), or what it has found."""
    found = get_object_or_404(PatternSearch.objects.select_related("job"), key=key)
    if not may_show(request):
        return refusal(_HIDDEN, HTTPStatus.FORBIDDEN)
    going_on = found.found is None and found.job is not None and found.job.state in Job.ACTIVE
    status = HTTPStatus.ACCEPTED if going_on else HTTPStatus.OK
    return answer(_search_json(request, found), status)


def _search_json(request: HttpRequest, search: PatternSearch) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "key": search.key,
        "pattern": search.text,
        "plain": str(parse(search.text)),
        "url": _url(search),
        "matches": search.matches,
        "created": search.created.isoformat(),
    }
    if search.found is None:
        return fields | {"job": search.job and followed(request, search.job)}
    fields["versions"] = {"measures": search.measures}
    return fields | _found_json(found_for(request, search))


def _found_json(found: FoundMoments) -> dict[str, Any]:
    return {
        "total": found.total,
        "unseen_matches": found.unseen,
        "players": [one._asdict() for one in found.players],
        "moments": [_moment_json(one) for one in found.moments],
    }


def _moment_json(one: PatternMoment) -> dict[str, Any]:
    first, last = one.hit
    return {
        "match": one.match,
        "round": first.round,
        "event": first.event,
        "until": last.until,
        "seq": first.seq,
        "t_ms": first.t,
        "ms": first.ms,
        "cards": first.cards,
        "players": one.who,
        "text": one.words,
        "url": one.address,
    }


@require_safe
def search_csv(request: HttpRequest, key: str) -> HttpResponse:
    """The listed moments, a line each; `?by=player`: how many each player had."""
    search = get_object_or_404(PatternSearch, key=key)
    if not may_show(request):
        return HttpResponse(f"{_HIDDEN}\n", "text/plain", HTTPStatus.FORBIDDEN)
    if search.found is None:
        return HttpResponse("the search is not finished\n", "text/plain", HTTPStatus.CONFLICT)
    found = found_for(request, search)
    if request.GET.get("by") == "player":
        rows = [(harmless(one.name), *one[1:]) for one in found.players]
        text, name = csv_text(PLAYERS, rows), "players.csv"
    else:
        text, name = csv_text(MOMENTS, [_row(one) for one in found.moments]), "moments.csv"
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    patch_vary_headers(response, ("Cookie",))
    return response


def _row(one: PatternMoment) -> list[Any]:
    fields = _moment_json(one) | {
        "players": harmless(", ".join(one.who)),
        "text": harmless(one.words),
    }
    return [fields[name] for name in MOMENTS]


def _url(search: PatternSearch) -> str:
    return reverse("replays:pattern", args=[search.key])
