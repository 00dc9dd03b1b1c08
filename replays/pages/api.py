"""Logs and charts for programs, above all the replay page."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from games.models import Match
from games.people.matches import access_of
from games.people.rights import public
from games.people.sessions import Asker, asker_of
from replays.pages.charts.answers import RETRY_S, BusyError, figure, figures
from replays.pages.json_api import refusal, results_hidden
from replays.pages.match_log import log_from, slice_from
from replays.pages.viewer import BadNumberError, match_of, may_show, number

_KEEP_S: Final = 3_600
_WORTH_COMPRESSING: Final = 1_000


@require_safe
def log(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A match's log from a line on: `?from=`, and `&until_t=` for viewers who hide the ends."""
    try:
        first_seq = max(1, number(request, "from") or 1)
        until_t = number(request, "until_t")
    except BadNumberError as error:
        return refusal(str(error))
    match, _ = match_of(request, pk)
    if may_show(request):
        return _answer(request, match, log_from(match, first_seq))
    if until_t is None:
        return results_hidden()
    return _answer(request, match, slice_from(match, first_seq, until_t))


@require_safe
def charts(request: HttpRequest, pk: int) -> HttpResponseBase:
    """All charts of a round by name: `?round=` a number or all, `&until=` the last line seen."""
    return _drawn(request, pk, figures)


@require_safe
def chart(request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
    """A chart as a Plotly figure; takes the same parameters as `charts`."""
    return _drawn(request, pk, lambda match, *which: figure(match, name, *which))


def _drawn(
    request: HttpRequest, pk: int, draw: Callable[[Match, int | None, int | None, Asker], bytes]
) -> HttpResponseBase:
    try:
        round_number = None if request.GET.get("round") == "all" else number(request, "round", 1)
        until = number(request, "until")
    except BadNumberError as error:
        return refusal(str(error))
    match, _ = match_of(request, pk)
    if until is None and not may_show(request):
        return results_hidden()
    try:
        return gzipped(request, match, draw(match, round_number, until, asker_of(request)))
    except LookupError as error:
        raise Http404(str(error)) from None
    except BusyError:
        return busy()


def busy() -> HttpResponse:
    """The server is computing too much at once."""
    response = refusal("busy: too much is being computed", HTTPStatus.SERVICE_UNAVAILABLE)
    response["Retry-After"] = str(RETRY_S)
    return response


def gzipped(request: HttpRequest, match: Match, body: bytes) -> HttpResponse:
    """Already gzipped JSON; browsers may cache it if it will never change."""
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return _kept_if_over(HttpResponse(gzip.decompress(body), "application/json"), match)
    response = HttpResponse(body, "application/json")
    response["Content-Encoding"] = "gzip"
    return _kept_if_over(response, match)


def _answer(request: HttpRequest, match: Match, text: str) -> HttpResponse:
    """JSON; browsers may cache it if it will never change."""
    body = text.encode()
    if len(body) > _WORTH_COMPRESSING:
        return gzipped(request, match, gzip.compress(body, 6, mtime=0))
    return _kept_if_over(HttpResponse(body, "application/json"), match)


def _kept_if_over(response: HttpResponse, match: Match) -> HttpResponse:
    lasting = match.over and public(access_of(match))
    response["Cache-Control"] = f"private, max-age={_KEEP_S}" if lasting else "no-store"
    patch_vary_headers(response, ("Accept-Encoding", "Cookie"))
    return response
