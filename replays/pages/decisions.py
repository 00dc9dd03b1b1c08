"""The decisions of a finished match, judged by a job (docs/match-report.md), for the replay page.

GET answers 200 with all of them once they are judged, otherwise 202; POST asks for the job.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from ninja import Router, Status
from typing_extensions import TypedDict

from games.pages.problems import Refused
from games.people.visit import Request
from replays.analysis.decisions.report import DecisionsJson
from replays.models import Job
from replays.pages.jobs import Followed, followed
from replays.pages.responses import must_show_results
from replays.stored.decisions import ask, asked_for, so_far
from replays.stored.reports import MOST

router: Final = Router(tags=["matches"])


class DecisionsComing(TypedDict):
    """How far the job has got that judges them (null: nobody has asked for it), and what it has."""

    job: Followed | None
    found: DecisionsJson | None


DECISIONS: Final = {200: DecisionsJson, 202: DecisionsComing}


@router.get("/matches/{match:pk}/decisions", url_name="decisions", response=DECISIONS)
def read_decisions(request: Request, pk: int) -> Status[DecisionsJson] | Status[DecisionsComing]:
    """The judged decisions of a finished match, or how far their job has got (202)."""
    return _decisions(request, pk, asks=False)


@router.post("/matches/{match:pk}/decisions", url_name="decisions", response=DECISIONS)
def ask_for_decisions(request: Request, pk: int) -> Status[DecisionsJson] | Status[DecisionsComing]:
    """The same, and have them judged."""
    return _decisions(request, pk, asks=True)


def _decisions(
    request: Request, pk: int, *, asks: bool
) -> Status[DecisionsJson] | Status[DecisionsComing]:
    match, _ = request.visit.match(pk)
    must_show_results(request.visit)
    if not match.over:
        raise Refused("the match is not over; its decisions would reveal hidden cards")
    if match.events > MOST:
        words = f"the match has {match.events:,} events; at most {MOST:,} are judged"
        raise Refused(words, HTTPStatus.UNPROCESSABLE_ENTITY)
    job = asked_for(match)
    if asks and (job is None or job.state in (Job.State.FAILED, Job.State.CANCELLED)):
        job = ask(match, request.visit.author)
    if job is not None and job.state == Job.State.FINISHED and job.result is not None:
        return Status(HTTPStatus.OK, job.result)
    coming: DecisionsComing = {
        "job": None if job is None else followed(request, job),
        "found": None if job is None else so_far(match, job),
    }
    return Status(HTTPStatus.ACCEPTED, coming)
