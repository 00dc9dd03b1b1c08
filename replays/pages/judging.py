"""The effect of a change, and the decisions of a finished match, judged by a job.

The answer is 202 and the job's progress, or 200 and its result (docs/reference/match-report.md).
Without a change, a try's answer lists its possible changes at once.
"""

from http import HTTPStatus
from typing import Annotated, Any, Final

from django.utils.translation import gettext as _
from ninja import Router, Status
from pydantic import Field
from typing_extensions import TypedDict

from games.engine.events import MAX_ROUNDS
from games.models import Match
from games.pages.operations import RequestBody
from games.pages.problems import Refused
from games.people.visit import Request
from games.records.strict import Malformed
from replays.analysis.judge.playing import MOST_MS, Change, TryAt, other_cards, try_at
from replays.analysis.judge.words import DecisionsJson, JudgedJson
from replays.models import Job
from replays.pages.concurrency import costly
from replays.pages.jobs import Followed, JobComing, followed
from replays.pages.responses import must_show_results
from replays.pages.telling import render_for
from replays.stored.judging import Asking, ask, asked_for, so_far
from replays.stored.logs import lines_to
from replays.studies.questions import CardCode, SeatNumber

router: Final = Router(tags=["what-if"])


class AskedTry(RequestBody):
    """A play, late try, mistake or tie by its number in its round, and its seat. Its change: so
    much later (`ms`), another card and stack, or no try at all (`skip`)."""

    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    event: Annotated[int, Field(ge=1, le=2**31)]
    seat: SeatNumber
    ms: Annotated[int, Field(ge=-MOST_MS, le=MOST_MS)] | None = None
    card: CardCode | None = None
    stack: SeatNumber | None = None
    skip: bool = False

    @property
    def at(self) -> TryAt:
        return TryAt(self.round, self.event, self.seat)

    def change(self) -> Change | None:
        """The change. None: nothing. Raises Malformed."""
        if self.card is not None:
            if self.stack is None:
                raise Malformed("stack: expected one with the card")
            return Change(self.ms or 0, self.card, self.stack)
        if self.skip:
            return Change(skip=True)
        return None if self.ms is None else Change(self.ms)


class OtherCard(TypedDict):
    """A card that could have been played, and where."""

    card: str
    stack: int


class Options(TypedDict):
    """The possible changes of a try."""

    t: int
    cards: list[OtherCard]


class DecisionsComing(TypedDict):
    """The progress of the job that judges them (null: there is none), and its results so far."""

    job: Followed | None
    found: DecisionsJson | None


DECISIONS: Final = {200: DecisionsJson, 202: DecisionsComing}
ENDED_BADLY: Final = (Job.State.FAILED, Job.State.CANCELLED)


@router.post(
    "/matches/{match:pk}/what-if/try",
    url_name="try",
    response={200: JudgedJson | Options, 202: JobComing},
)
def try_what_if(request: Request, pk: int, asked: AskedTry) -> Status[Any]:
    """Try a play of a finished match differently."""
    match = request.visit.match(pk)[0]
    if match.hidden:
        raise Refused(
            _("This match is still being played. What-ifs would reveal its hidden cards.")
        )
    must_show_results(request.visit)
    change = asked.change()
    if change is None:
        with costly.slot(request.visit.caller):
            lines = lines_to(match, asked.round)
            cards: list[OtherCard] = [
                {"card": card, "stack": slot} for card, slot in other_cards(lines, asked.at)
            ]
            options: Options = {"t": try_at(lines, asked.at).t, "cards": cards}
            return Status(HTTPStatus.OK, options)
    job = _job_for(request, match, (asked.at, change))
    if job.state == Job.State.FINISHED and job.result is not None:
        return Status(HTTPStatus.OK, render_for(request.visit, match, job.result))
    return Status(HTTPStatus.ACCEPTED, {"job": followed(request, job)})


def _job_for(request: Request, match: Match, asking: Asking) -> Job:
    """The job that judges this, started unless it has been or is under way."""
    job = asked_for(match, asking)
    if job is None or job.state in ENDED_BADLY:
        job = ask(match, asking, request.visit.author)
    return job


@router.get("/matches/{match:pk}/decisions", url_name="decisions", response=DECISIONS)
def read_decisions(request: Request, pk: int) -> Status[DecisionsJson] | Status[DecisionsComing]:
    """The judged decisions of a finished match, or how far their job has got (202)."""
    match = _finished(request, pk)
    return _decisions(request, match, asked_for(match))


@router.post("/matches/{match:pk}/decisions", url_name="decisions", response=DECISIONS)
def ask_for_decisions(request: Request, pk: int) -> Status[DecisionsJson] | Status[DecisionsComing]:
    """The same, and have them judged."""
    match = _finished(request, pk)
    return _decisions(request, match, _job_for(request, match, None))


def _finished(request: Request, pk: int) -> Match:
    match = request.visit.match(pk)[0]
    must_show_results(request.visit)
    if not match.over:
        raise Refused(_("the match is not over: its decisions would reveal hidden cards"))
    return match


def _decisions(
    request: Request, match: Match, job: Job | None
) -> Status[DecisionsJson] | Status[DecisionsComing]:
    if job is not None and job.state == Job.State.FINISHED and job.result is not None:
        return Status(HTTPStatus.OK, render_for(request.visit, match, job.result))
    coming: DecisionsComing = {
        "job": None if job is None else followed(request, job),
        "found": None if job is None else render_for(request.visit, match, so_far(match, job)),
    }
    return Status(HTTPStatus.ACCEPTED, coming)
