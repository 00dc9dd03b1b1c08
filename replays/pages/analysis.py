"""What mattered in a match, for the replay page (docs/measures.md, docs/win-probability.md).

A finished match's report is computed on first request and stored; that of a long match by a job
(docs/jobs.md). During a match there are the curve and the story so far, from what spectators may
see: they are read on as the log grows (`live_curves`).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponseBase
from django.middleware.csrf import get_token
from django.views.decorators.http import require_safe

from games.models import Match
from games.people.sessions import asker_of
from replays.analysis.round_report import round_report
from replays.jobs import workers
from replays.jobs.starting import TooManyJobsError
from replays.pages.api import busy, gzipped
from replays.pages.charts.answers import BusyError, kept, places
from replays.pages.jobs import followed, requester_of
from replays.pages.json_api import answer, json_view, refusal, results_hidden
from replays.pages.live_curves import LONGEST as LONGEST_CURVE
from replays.pages.live_curves import live
from replays.pages.viewer import BadNumberError, match_of, may_show, number
from replays.stored import reports
from replays.stored.logs import round_of

LONGEST: Final = reports.AT_ONCE
"""The most events analysed within a request,"""
BESIDE_MATCHES: Final = 500
"""and while matches are being played, if a worker can do it: a busy thread delays their frames."""
LONGEST_ROUND: Final = 6_000
"""The most events of a round shown in detail."""


@json_view("GET", "HEAD", "POST")
def analysis(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The report of a match or, while it is being played, the curve so far.

    A long match's report is made by a job, and so is any but the shortest while a worker is there
    and matches are being played: until it is stored, GET says how far it has got (202), and POST
    asks for it.
    """
    match, _ = match_of(request, pk)
    if not may_show(request):
        return results_hidden()
    return _report(request, match) if match.over else _curve(request, match)


def _curve(request: HttpRequest, match: Match) -> HttpResponseBase:
    """The curve so far; `?after=` leaves out as many of its points, `&so_far=yes` adds the rest
    that is known of the match."""
    try:
        after = number(request, "after", 0) or 0
    except BadNumberError as error:
        return refusal(str(error))
    if match.lines > LONGEST_CURVE:
        return refusal(
            f"the match has {match.lines:,} lines; at most {LONGEST_CURVE:,} are analysed while it "
            "is not over",
            HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    found = live.curve(match, after)
    if request.GET.get("so_far") == "yes":
        found["so_far"] = live.so_far(match)
    return gzipped(request, match, gzip.compress(_dumped(found), 6))


def _report(request: HttpRequest, match: Match) -> HttpResponseBase:
    body = reports.stored(match)
    if body is not None:
        return gzipped(request, match, body)
    if match.events > reports.MOST:
        return refusal(
            f"the match has {match.events:,} events; at most {reports.MOST:,} are analysed",
            HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    if match.events > LONGEST:
        try:
            return _by_job(request, match)
        except TooManyJobsError as error:
            return refusal(str(error), HTTPStatus.TOO_MANY_REQUESTS)
    if match.events > BESIDE_MATCHES and _better_elsewhere():
        with suppress(TooManyJobsError):
            return _by_job(request, match)
    try:
        with places.one(asker_of(request)):
            return gzipped(request, match, reports.make(match))
    except BusyError:
        return busy()


def _better_elsewhere() -> bool:
    """Whether there is a worker to spare the matches that are being played."""
    return workers.alive() > 0 and Match.objects.filter(state=Match.State.OPEN).exists()


@require_safe
def round_analysis(request: HttpRequest, pk: int, number: int) -> HttpResponseBase:
    """One round of a finished match in detail, once the match has been analysed."""
    match, _ = match_of(request, pk)
    if not may_show(request):
        return results_hidden()
    if not match.over:
        words = "the match is not over; its chances would reveal hidden cards"
        return refusal(words, HTTPStatus.CONFLICT)
    events = match.chunks.filter(round=number).aggregate(sum=Sum("events"))["sum"]
    if events is None:
        raise Http404(f"match {pk} has no round {number}")
    if events > LONGEST_ROUND:
        words = f"round {number} has {events:,} events; at most {LONGEST_ROUND:,} are shown"
        return refusal(words, HTTPStatus.UNPROCESSABLE_ENTITY)
    body = reports.stored(match)
    if body is None:
        return refusal("the match has not been analysed yet", HTTPStatus.CONFLICT)
    key = "round", match.pk, match.record_id, match.created, number, sha256(body).digest()
    try:
        found = kept.get(key)
        if found is None:
            with places.one(asker_of(request)):
                report = json.loads(gzip.decompress(body))
                made = round_report(round_of(match, number), report["lags_ms"])
                found = gzip.compress(_dumped(made), 6, mtime=0)
            kept.put(key, found)
        return gzipped(request, match, found)
    except BusyError:
        return busy()


def _by_job(request: HttpRequest, match: Match) -> HttpResponseBase:
    """How far the job has got; asked for, if this is a POST. Raises TooManyJobsError."""
    asked = request.method == "POST"
    job = reports.ask(match, requester_of(request)) if asked else reports.asked_for(match)
    waiting = {"events": match.events, "job": job and followed(request, job)}
    return answer({**waiting, "csrf": get_token(request)}, HTTPStatus.ACCEPTED)


def _dumped(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode()
