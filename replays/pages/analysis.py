"""What mattered in a match, for the replay page (docs/measures.md, docs/win-probability.md).

A finished match's report is computed on first request and stored. During a match only the curve
is available, from what spectators may see: it is extended as the log grows, never recomputed.
"""

from __future__ import annotations

import gzip
import json
from collections import OrderedDict
from hashlib import sha256
from http import HTTPStatus
from threading import Lock
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from games.archive.store import header_of, log_of
from games.models import Match
from replays.analysis.findings import Findings
from replays.analysis.match_report import match_report
from replays.analysis.versions import MEASURES_VERSION
from replays.analysis.winning.network import model
from replays.analysis.winning.series import Series
from replays.models import StoredReport
from replays.pages.api import busy, gzipped
from replays.pages.charts.answers import BusyError, place
from replays.pages.json_api import refusal
from replays.pages.match_log import numbered_from
from replays.pages.viewer import match_of, may_show
from replays.timeline import Timeline

LONGEST: Final = 12_000
"""The most events analysed within a request."""
_DIGITS: Final = 4


@require_safe
def analysis(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The report of a match or, while it is being played, the curve so far."""
    match, _ = match_of(request, pk)
    if not may_show(request):
        return refusal(
            "the analysis would reveal the result, which you have hidden", HTTPStatus.FORBIDDEN
        )
    if match.events > LONGEST:
        return refusal(
            f"the match has {match.events:,} events; at most {LONGEST:,} are analysed here",
            HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    try:
        body = report_of(match) if match.over else gzip.compress(_dumped(live.curve(match)), 6)
    except BusyError:
        return busy()
    return gzipped(request, match, body)


def report_of(match: Match) -> bytes:
    """The report as gzipped JSON, stored or made now. Raises BusyError."""
    digest, version = _digest(match), _version()
    stored = StoredReport.objects.filter(match=match, digest=digest, version=version).first()
    if stored is not None:
        return bytes(stored.body)
    with place():
        timeline = Timeline.of([header_of(match), *log_of(match)])
        lags: list[float | None] = list(match.seats.in_order().values_list("lag_ms", flat=True))
        body = gzip.compress(_dumped(match_report(Findings(timeline, lags))), 6, mtime=0)
    made = {"digest": digest, "version": version, "body": body}
    StoredReport.objects.update_or_create(match=match, defaults=made)
    return body


def _version() -> str:
    return f"{MEASURES_VERSION}/{model('spectator').about['digest'][:32]}"


def _digest(match: Match) -> str:
    found = sha256(match.header.encode())
    for body in match.chunks.order_by("first_seq").values_list("body", flat=True).iterator():
        found.update(bytes(body))
    return found.hexdigest()


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
