"""A match's report, for the replay page (docs/reference/match-report.md).

A job makes a finished match's report when it is first requested (docs/reference/jobs.md). During a
match there are the curve and the story so far, from spectators' knowledge. They are continued as
the log grows (`live_curves`).
"""

import gzip
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import check_for_language, get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from ninja import Router, Status
from typing_extensions import TypedDict

from games.archive.store import shown_header
from games.live.storage.queries import shared
from games.models import Match
from games.pages.operations import NonNegativeInt
from games.pages.problems import Refused, must_be_there
from games.people.visit import Request
from replays.analysis.account_json import AccountJson
from replays.analysis.match_report import opening_in
from replays.analysis.report_json import (
    JudgementJson,
    MatchMoment,
    MissedTakeJson,
    PlayerCells,
    RaceJson,
    RoundScreens,
    ScreenJson,
)
from replays.analysis.screens import Arrivals, Way, screens
from replays.analysis.stalls import StallJson
from replays.pages.charts import chart_cache
from replays.pages.concurrency import costly
from replays.pages.jobs import Followed, followed
from replays.pages.live_curves import CurvePoint, LiveCurve, live_curves
from replays.pages.responses import about_match, gzipped, must_show_results
from replays.pages.telling import names_in, render, render_for
from replays.stored import reports
from replays.stored.logs import round_of

router: Final = Router(tags=["matches"])


class MatchReport(TypedDict):
    """A finished match, analysed (docs/reference/match-report.md). Times are ms in the round."""

    id: str
    edition: str
    seats: list[str]
    versions: dict[str, int | str]
    winners: list[int] | None
    totals: list[int]
    facts: list[str]
    own_verdicts: list[str]
    opening: int
    stall: StallJson | None
    curve: list[CurvePoint]
    moments: list[MatchMoment]
    judgements: list[JudgementJson]
    account: AccountJson
    players: list[PlayerCells]
    lags_ms: list[float | None]
    ways_ms: list[tuple[int, int, int] | None]
    races: list[RaceJson]
    missed_takes: list[MissedTakeJson]


class AnalysisComing(TypedDict):
    """The progress of the job that analyses a match. null: there is none."""

    events: int
    job: Followed | None


ANALYSIS: Final = {200: MatchReport | LiveCurve, 202: AnalysisComing}
_DETAILS: Final = (
    *("races", "missed_takes", "players"),
    *("judgements", "lags_ms", "ways_ms"),
)
"""Four fifths of a long match's report, which a first look at it does not need."""
_CURVE: Final = "curve", "moments", "facts"
"""What an embed shows."""
STORY_S: Final = 1


@router.get("/matches/{match:pk}/analysis", url_name="analysis", response=ANALYSIS)
def read_analysis(
    request: Request,
    pk: int,
    after: NonNegativeInt = 0,
    so_far: str = "",
    details: str = "",
) -> HttpResponse | Status[AnalysisComing]:
    """The report of a match or, while it is being played, the curve so far.

    Until a report is stored, this is the progress of its job (202). `details=no` leaves out the
    long parts, `details=only` the rest, `details=curve` all but the curve, moments and facts.
    `after` leaves out so many points of a curve. `so_far=yes` adds the story so far, and ends the
    curve at the story's line.
    """
    match = request.visit.match(pk)[0]
    must_show_results(request.visit)
    if match.over:
        return _report(request, match, details)
    return _curve(request, match, after, wants_more=so_far == "yes")


@router.post("/matches/{match:pk}/analysis", url_name="analysis", response=ANALYSIS)
def ask_for_analysis(
    request: Request, pk: int, details: str = ""
) -> HttpResponse | Status[AnalysisComing]:
    """The same, and have the match analysed."""
    match = request.visit.match(pk)[0]
    must_show_results(request.visit)
    if match.over:
        return _report(request, match, details)
    return _curve(request, match, 0, wants_more=False)


def _curve(request: Request, match: Match, after: int, *, wants_more: bool) -> HttpResponse:
    """The curve so far, without its first points."""
    if wants_more:
        curve, story = live_curves.with_story(match, after)
        curve["so_far"] = render_for(request.visit, match, story)
    else:
        curve = live_curves.curve(match, after)
    return about_match(match, _dumped(curve))


@require_safe
def story(request: HttpRequest, table_id: str, language: str, after: int) -> HttpResponse:
    """The curve and the story so far, which caches may give to a whole crowd for a second.

    Nobody's cookies are read. Only a public match without delay has it.
    """
    if not check_for_language(language) or not shared(table_id):
        raise Http404
    match = get_object_or_404(Match, record_id=table_id)
    curve: LiveCurve = {"live": False, "after": after, "curve": []}
    if not match.over:
        curve, told = live_curves.with_story(match, after)
        with override(language):
            curve["so_far"] = render(told, [seat.name for seat in shown_header(match).seats])
    response = HttpResponse(_dumped(curve), "application/json")
    response["Cache-Control"] = f"public, max-age={STORY_S}"
    return response


def _report(request: Request, match: Match, details: str) -> HttpResponse | Status[AnalysisComing]:
    """The report or, until it is stored, its job's progress (202). A POST starts the job.

    Raises TooManyJobsError.
    """
    body = reports.stored(match)
    if body is not None:
        return gzipped(request, match, _part(match, body, details, names_in(match, request.visit)))
    asked = request.method == "POST"
    job = reports.ask(match, request.visit.author) if asked else reports.asked_for(match)
    coming: AnalysisComing = {
        "events": match.events,
        "job": None if job is None else followed(request, job),
    }
    return Status(HTTPStatus.ACCEPTED, coming)


def _part(match: Match, body: bytes, details: str, names: Sequence[str]) -> bytes:
    """A report in words: whole, without its details, only those, or only its curve."""
    key = "report", match.pk, details, sha256(body).digest(), get_language(), *names
    part = chart_cache.get(key)
    if part is None:
        report = json.loads(gzip.decompress(body))
        report |= {"seats": names, "opening": opening_in(report)}
        if details == "curve":
            report = {name: report[name] for name in _CURVE}
        elif details:
            only = details == "only"
            report = {name: part for name, part in report.items() if (name in _DETAILS) is only}
        part = gzip.compress(_dumped(render(report, names)), 6, mtime=0)
        chart_cache.put(key, part)
    return part


@router.get(
    "/matches/{match:pk}/analysis/{match:number}", url_name="round_analysis", response=RoundScreens
)
def round_analysis(request: Request, pk: int, number: int) -> HttpResponse:
    """When the events of a round reached each screen, once the match has been analysed."""
    match = request.visit.match(pk)[0]
    must_show_results(request.visit)
    if not match.over:
        raise Refused(_("the match is not over: its chances would reveal hidden cards"))
    must_be_there(
        match.chunks.filter(round=number).first(),
        _("match {pk} has no round {number}").format(pk=pk, number=number),
    )
    body = reports.stored(match)
    if body is None:
        raise Refused(_("the match has not been analysed yet"))
    key = "round", match.pk, match.record_id, match.created, number, sha256(body).digest()
    packed = chart_cache.get(key)
    if packed is None:
        with costly.slot(request.visit.caller):
            report = json.loads(gzip.decompress(body))
            ways = [way and Way(*way) for way in report["ways_ms"]]
            arrived = screens(round_of(match, number), ways)
            made: RoundScreens = {
                "round": number,
                "screens": [_screen(screen) for screen in arrived],
            }
            packed = gzip.compress(_dumped(made), 6, mtime=0)
        chart_cache.put(key, packed)
    return gzipped(request, match, packed)


def _screen(arrived: Arrivals | None) -> ScreenJson | None:
    return arrived and {"low": arrived.low, "likely": arrived.likely, "high": arrived.high}


def _dumped(report: Mapping[str, Any]) -> bytes:
    return json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode()
