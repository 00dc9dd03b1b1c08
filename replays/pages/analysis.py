"""What mattered in a match, for the replay page (docs/measures.md, docs/win-probability.md).

A finished match's report is computed on first request and stored; that of a long match by a job
(docs/jobs.md). During a match only the curve is available, from what spectators may see: it is
extended as the log grows, never recomputed.
"""

from __future__ import annotations

import gzip
import json
from collections import OrderedDict
from http import HTTPStatus
from threading import Lock
from typing import Any, Final

from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponseBase
from django.middleware.csrf import get_token
from django.views.decorators.http import require_safe

from games.archive.store import header_of, lines_of_rounds
from games.models import Match
from replays.analysis.round_report import round_report
from replays.analysis.winning.series import Series
from replays.jobs.starting import TooManyJobsError
from replays.models import Job
from replays.pages.api import busy, gzipped
from replays.pages.charts.answers import BusyError, place
from replays.pages.jobs import asker_of, progress_of
from replays.pages.json_api import answer, json_view, refusal
from replays.pages.match_log import numbered_from
from replays.pages.viewer import match_of, may_show
from replays.stored import reports
from replays.timeline import Round, Timeline

LONGEST: Final = reports.AT_ONCE
"""The most events analysed within a request."""
LONGEST_CURVE: Final = 12_000
"""The most lines of a match being played whose curve is told."""
LONGEST_ROUND: Final = 6_000
"""The most events of a round shown in detail."""
_DIGITS: Final = 4
_HIDDEN: Final = "the analysis would reveal the result, which you have hidden"


@json_view("GET", "HEAD", "POST")
def analysis(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The report of a match or, while it is being played, the curve so far.

    A long match's report is made by a job: until it is stored, GET says how far that is (202),
    and POST asks for it.
    """
    match, _ = match_of(request, pk)
    if not may_show(request):
        return refusal(_HIDDEN, HTTPStatus.FORBIDDEN)
    if match.over:
        return _report(request, match)
    if match.lines > LONGEST_CURVE:
        return refusal(
            f"the match has {match.lines:,} lines; at most {LONGEST_CURVE:,} are analysed while it "
            "is not over",
            HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    return gzipped(request, match, gzip.compress(_dumped(live.curve(match)), 6))


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
        return _by_job(request, match)
    try:
        with place():
            return gzipped(request, match, reports.make(match))
    except BusyError:
        return busy()


@require_safe
def round_analysis(request: HttpRequest, pk: int, number: int) -> HttpResponseBase:
    """One round of a finished match in detail, once the match has been analysed."""
    match, _ = match_of(request, pk)
    if not may_show(request):
        return refusal(_HIDDEN, HTTPStatus.FORBIDDEN)
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
    if body is None and match.events > LONGEST:
        return refusal("the match has not been analysed yet", HTTPStatus.CONFLICT)
    try:
        with place():
            report = json.loads(gzip.decompress(body or reports.make(match)))
            told = round_report(_round(match, number), report["lags_ms"])
            return gzipped(request, match, gzip.compress(_dumped(told), 6, mtime=0))
    except BusyError:
        return busy()


def _round(match: Match, number: int) -> Round:
    return Timeline.of([header_of(match), *lines_of_rounds(match, number, number)]).rounds[0]


def _by_job(request: HttpRequest, match: Match) -> HttpResponseBase:
    if request.method == "POST":
        try:
            job: Job | None = reports.ask(match, asker_of(request))
        except TooManyJobsError as error:
            return refusal(str(error), HTTPStatus.TOO_MANY_REQUESTS)
    else:
        job = reports.asked_for(match)
    told = {"events": match.events, "job": job and progress_of(request, job)}
    return answer({**told, "csrf": get_token(request)}, HTTPStatus.ACCEPTED)


def _dumped(report: dict[str, Any]) -> bytes:
    return json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode()


# --- During matches -----------------------------------------------------------------------


class LiveCurves:
    """The series of matches being played, each continued from where it was."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[Series, int]] = OrderedDict()

    def curve(self, match: Match) -> dict[str, Any]:
        """The curve so far, from a spectator's view."""
        with self._lock:
            series, seq = self._known.pop(match.record_id, (Series(header_of(match)), 1))
            for number, line in numbered_from(match, seq):
                series.add(line, number)
                seq = number + 1
            self._known[match.record_id] = series, seq
            while len(self._known) > self._most:
                self._known.popitem(last=False)
            points = [_point(point) for point in series.points]
        return {"live": True, "curve": points}


def _point(point: Any) -> dict[str, Any]:
    p = [round(share, _DIGITS) for share in point.p]
    return {"seq": point.seq, "round": point.round, "t": point.t, "p": p}


live: Final = LiveCurves()
