"""Logs and charts for programs, the replay page first of all."""

from __future__ import annotations

import json
from typing import Final

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string
from django.views.decorators.http import require_safe

from games.models import Match
from games.people.matches import access_of
from games.people.rights import public
from replays.charts import figure
from replays.pages.match_log import log_from, slice_from, timeline_of
from replays.pages.viewer import BadNumberError, match_of, may_show, number

_KEEP_S: Final = 3_600
_WORTH_COMPRESSING: Final = 1_000


@require_safe
def log(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A match's log from a line on: `?from=`, and `&until_t=` for who hides the ends."""
    try:
        first_seq = max(1, number(request, "from") or 1)
        until_t = number(request, "until_t", 0) or 0
    except BadNumberError as error:
        return _refusal(str(error))
    match, _ = match_of(request, pk)
    if may_show(request):
        return _answer(request, match, log_from(match, first_seq))
    return _answer(request, match, slice_from(match, first_seq, until_t))


@require_safe
def chart(request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
    """A chart as a plotly figure: `?round=` a number or all, `&until=` the last line seen."""
    try:
        round_number = None if request.GET.get("round") == "all" else number(request, "round", 1)
        until = number(request, "until")
    except BadNumberError as error:
        return _refusal(str(error))
    match, _ = match_of(request, pk)
    if until is None and not may_show(request):
        return _refusal("until: expected, since ends are hidden")
    return _answer(request, match, _figure(match, name, round_number, until))


def _figure(match: Match, name: str, round_number: int | None, until: int | None) -> str:
    lasting = match.over and until is None
    key = f"chart:{match.pk}:{match.lines}:{name}:{round_number}"
    kept: str | None = cache.get(key) if lasting else None
    if kept is not None:
        return kept
    try:
        made = json.dumps(figure(name, timeline_of(match, until), round_number))
    except LookupError:
        raise Http404(f"no such chart: {name}, round {round_number}") from None
    if lasting:
        cache.set(key, made, _KEEP_S)
    return made


def _answer(request: HttpRequest, match: Match, text: str) -> HttpResponse:
    """JSON, which a browser may keep if it will never change."""
    body = text.encode()
    packed = len(body) > _WORTH_COMPRESSING and "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(
        compress_string(body) if packed else body, content_type="application/json"
    )
    if packed:
        response["Content-Encoding"] = "gzip"
    lasting = match.over and public(access_of(match))
    response["Cache-Control"] = f"private, max-age={_KEEP_S}" if lasting else "no-store"
    patch_vary_headers(response, ("Accept-Encoding", "Cookie"))
    return response


def _refusal(words: str) -> HttpResponse:
    return HttpResponse(json.dumps({"error": words}), "application/json", status=400)
