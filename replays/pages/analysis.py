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
from django.http import HttpResponse
from ninja import Router, Status
from typing_extensions import TypedDict

from games.models import Match
from games.pages.operations import Whole
from games.pages.problems import Refused, must_be_there
from games.people.visit import Request
from replays.analysis.players.points_words import PointsJson
from replays.analysis.report_json import (
    FeedingJson,
    JudgementJson,
    LuckJson,
    MatchMoment,
    MissedTakeJson,
    PlayerCells,
    RaceJson,
    RoundReport,
    RoundTempoJson,
)
from replays.analysis.round_report import round_report
from replays.analysis.screens import Way
from replays.analysis.stalls import StallJson
from replays.jobs import workers
from replays.jobs.starting import TooManyJobsError
from replays.pages.charts.answers import kept
from replays.pages.concurrency import costly
from replays.pages.jobs import Followed, followed
from replays.pages.live_curves import LONGEST as LONGEST_CURVE
from replays.pages.live_curves import CurvePoint, LiveCurve, live_curves
from replays.pages.responses import gzipped, must_show_results
from replays.stored import reports
from replays.stored.logs import round_of

LONGEST: Final = reports.AT_ONCE
"""The most events analysed within a request,"""
BESIDE_MATCHES: Final = 500
"""and while matches are being played, if a worker can do it: a busy thread delays their frames."""
LONGEST_ROUND: Final = 6_000
"""The most events of a round shown in detail."""


router: Final = Router(tags=["matches"])


class MatchReport(TypedDict):
    """What mattered in a finished match (docs/match-report.md); times are ms in the round."""

    id: str
    edition: str
    seats: list[str]
    versions: dict[str, int | str]
    winners: list[int] | None
    totals: list[int]
    facts: list[str]
    stall: StallJson | None
    curve: list[CurvePoint]
    moments: list[MatchMoment]
    judgements: list[JudgementJson]
    lessons: list[JudgementJson]
    luck: list[LuckJson]
    points: list[PointsJson]
    players: list[PlayerCells]
    lags_ms: list[float | None]
    ways_ms: list[tuple[int, int, int] | None]
    races: list[RaceJson]
    missed_takes: list[MissedTakeJson]
    tempo: list[RoundTempoJson]
    feeding: list[FeedingJson]
    left_out: dict[str, int]


class AnalysisComing(TypedDict):
    """How far the job has got that analyses a long match; null: nobody has asked for it."""

    events: int
    job: Followed | None


ANALYSIS: Final = {200: MatchReport | LiveCurve, 202: AnalysisComing}


@router.get("/matches/{match:pk}/analysis", url_name="analysis", response=ANALYSIS)
def read_analysis(
    request: Request,
    pk: int,
    after: Whole = 0,
    so_far: str = "",
) -> HttpResponse | Status[AnalysisComing]:
    """The report of a match or, while it is being played, the curve so far.

    A long match's report is made by a job, and so is any but the shortest while a worker is there
    and matches are being played: until it is stored, this says how far it has got (202). Of a
    curve, `after` leaves out so many points, and `so_far=yes` adds the rest that is known.
    """
    match, _ = request.visit.match(pk)
    must_show_results(request.visit)
    if match.over:
        return _report(request, match)
    return _curve(request, match, after, wants_more=so_far == "yes")


@router.post("/matches/{match:pk}/analysis", url_name="analysis", response=ANALYSIS)
def ask_for_analysis(request: Request, pk: int) -> HttpResponse | Status[AnalysisComing]:
    """The same, and have a long match analysed."""
    match, _ = request.visit.match(pk)
    must_show_results(request.visit)
    return _report(request, match) if match.over else _curve(request, match, 0, wants_more=False)


def _curve(request: Request, match: Match, after: int, *, wants_more: bool) -> HttpResponse:
    """The curve so far, without its first points."""
    if match.lines > LONGEST_CURVE:
        raise Refused(
            f"the match has {match.lines:,} lines; at most {LONGEST_CURVE:,} are analysed while it "
            "is not over",
            HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    curve = live_curves.curve(match, after)
    if wants_more:
        curve["so_far"] = live_curves.so_far(match)
    return gzipped(request, match, gzip.compress(_dumped(curve), 6))


def _report(request: Request, match: Match) -> HttpResponse | Status[AnalysisComing]:
    body = reports.stored(match)
    if body is not None:
        return gzipped(request, match, body)
    if match.events > reports.MOST:
        raise Refused(
            f"the match has {match.events:,} events; at most {reports.MOST:,} are analysed",
            HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    if match.events > LONGEST:
        return _by_job(request, match)
    if match.events > BESIDE_MATCHES and _better_elsewhere():
        with suppress(TooManyJobsError):
            return _by_job(request, match)
    with costly.slot(request.visit.caller):
        return gzipped(request, match, reports.make(match))


def _better_elsewhere() -> bool:
    """Whether there is a worker to spare the matches that are being played."""
    return workers.alive() > 0 and Match.objects.filter(state=Match.State.OPEN).exists()


@router.get(
    "/matches/{match:pk}/analysis/{match:number}", url_name="round_analysis", response=RoundReport
)
def round_analysis(request: Request, pk: int, number: int) -> HttpResponse:
    """One round of a finished match in detail, once the match has been analysed."""
    match, _ = request.visit.match(pk)
    must_show_results(request.visit)
    if not match.over:
        raise Refused("the match is not over; its chances would reveal hidden cards")
    events = match.chunks.filter(round=number).aggregate(sum=Sum("events"))["sum"]
    events = must_be_there(events, f"match {pk} has no round {number}")
    if events > LONGEST_ROUND:
        words = f"round {number} has {events:,} events; at most {LONGEST_ROUND:,} are shown"
        raise Refused(words, HTTPStatus.UNPROCESSABLE_ENTITY)
    body = reports.stored(match)
    if body is None:
        raise Refused("the match has not been analysed yet")
    key = "round", match.pk, match.record_id, match.created, number, sha256(body).digest()
    packed = kept.get(key)
    if packed is None:
        with costly.slot(request.visit.caller):
            report = json.loads(gzip.decompress(body))
            ways = [way and Way(*way) for way in report["ways_ms"]]
            made = round_report(round_of(match, number), report["lags_ms"], ways)
            packed = gzip.compress(_dumped(made), 6, mtime=0)
        kept.put(key, packed)
    return gzipped(request, match, packed)


def _by_job(request: Request, match: Match) -> Status[AnalysisComing]:
    """How far the job has got; asked for, if this is a POST. Raises TooManyJobsError."""
    asked = request.method == "POST"
    job = reports.ask(match, request.visit.author) if asked else reports.asked_for(match)
    coming: AnalysisComing = {
        "events": match.events,
        "job": None if job is None else followed(request, job),
    }
    return Status(HTTPStatus.ACCEPTED, coming)


def _dumped(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode()
