"""What if a play had come earlier or later, been another card, or not been made?

Without a change, what could be changed. A response plays as many rollouts as `BUDGET_S` of CPU
allow, at most the first of `AMOUNTS`, and says what one costs: `rollout_ms` of CPU, both ways.
With `rollouts`, one of `AMOUNTS`, a job plays so many (docs/jobs.md): the answer is 202 and how
far it is, or 200 and the outcome.
"""

from __future__ import annotations

from http import HTTPStatus
from time import thread_time
from typing import Annotated, Any, Final, NotRequired

from ninja import Router, Status
from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from games.models import Match
from games.pages.operations import Asked
from games.pages.problems import Refused
from games.people.visit import Request
from games.records.log import MAX_ROUNDS
from games.records.plural import joined
from games.records.strict import Malformed
from replays.analysis.decisions.trial import TakeTrial
from replays.analysis.report_json import SeatTrial
from replays.analysis.trials import AMOUNTS, Batch, Tallies, Trial, summary
from replays.models import Job
from replays.pages.concurrency import costly
from replays.pages.jobs import Followed, followed
from replays.pages.responses import must_show_results
from replays.pages.variations.asked_branch import CardCode, SeatNumber
from replays.stored.lines import lines_to
from replays.stored.trials import ask, asked_for, trial_of
from replays.variations.alternative import MOST_MS, Change, TryAt, other_cards, try_at
from replays.variations.lines import MatchLines

BUDGET_S: Final = 0.35
"""CPU time for the rollouts of one response."""
_AT_A_TIME: Final = 2

router: Final = Router(tags=["what-if"])


class AskedTrial(Asked):
    """A play, late try, mistake or tie by its number in its round, and whose try it was; then
    so much later (`ms`), another card and stack, or not at all (`skip`)."""

    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    event: Annotated[int, Field(ge=1, le=2**31)]
    seat: SeatNumber
    ms: Annotated[int, Field(ge=-MOST_MS, le=MOST_MS)] | None = None
    card: CardCode | None = None
    stack: SeatNumber | None = None
    skip: bool = False
    rollouts: Annotated[int, Field(ge=1, le=10**6)] | None = None

    @property
    def where(self) -> TryAt:
        return TryAt(self.round, self.event, self.seat)

    def change(self) -> Change | None:
        """What is different; None: nothing. Raises Malformed."""
        if self.card is not None:
            if self.stack is None:
                raise Malformed("stack: expected one with the card")
            return Change(self.ms or 0, self.card, self.stack)
        if self.skip:
            return Change(skipped=True)
        return None if self.ms is None else Change(self.ms)


class OtherCard(TypedDict):
    """A card that could have been played, and where."""

    card: str
    stack: int


class Options(TypedDict):
    """What could be changed about a try."""

    t: int
    cards: list[OtherCard]


@with_config(ConfigDict(extra="forbid"))
class Outcome(TypedDict):
    """What came of a trial: for each seat both ways, the difference, and whether it is clear."""

    rollouts: int
    seat: int
    outcome: str
    cut_ms: int | None
    clear: bool
    text: str
    round_clear: bool
    round_text: str
    seats: list[SeatTrial]
    rollout_ms: NotRequired[float]


class TrialComing(TypedDict):
    """How far the job is that plays the rollouts."""

    job: Followed


@router.post(
    "/matches/{match:pk}/what-if/try",
    url_name="trial",
    response={200: Outcome | Options, 202: TrialComing},
)
def try_what_if(request: Request, pk: int, asked: AskedTrial) -> Status[Any]:
    """Try a play of a finished match differently."""
    match, _ = request.visit.match(pk)
    if match.hidden:
        raise Refused("This match is still being played; what-ifs would reveal its hidden cards.")
    must_show_results(request.visit)
    where, change, rollouts = asked.where, asked.change(), asked.rollouts
    if rollouts and rollouts not in AMOUNTS:
        raise Malformed(f"rollouts: expected {joined(map(str, AMOUNTS), 'or')}, found {rollouts}")
    if change is not None and rollouts:
        return _by_job(request, match, where, change, rollouts)
    with costly.slot(request.visit.caller):
        if change is None:
            return Status(HTTPStatus.OK, _options(lines_to(match, where.round), where))
        tried = trial_of(match, where, change)
        tallies, cost_ms = _tallied(tried)
        told = {**summary(tried, tallies), "rollout_ms": round(cost_ms, 2)}
        return Status(HTTPStatus.OK, told)


def _by_job(
    request: Request, match: Match, where: TryAt, change: Change, rollouts: int
) -> Status[Any]:
    """The outcome of so many rollouts, or the job that plays them, started if necessary."""
    job = asked_for(match, where, change, rollouts)
    if job is None or job.state in (Job.State.FAILED, Job.State.CANCELLED):
        job = ask(match, where, change, rollouts, request.visit.author)
    if job.state == Job.State.FINISHED and job.result is not None:
        return Status(HTTPStatus.OK, job.result)
    return Status(HTTPStatus.ACCEPTED, {"job": followed(request, job)})


def _options(lines: MatchLines, where: TryAt) -> Options:
    others = other_cards(lines, where)
    cards: list[OtherCard] = [{"card": card, "stack": slot} for card, slot in others]
    return {"t": try_at(lines, where).t, "cards": cards}


def _tallied(tried: Trial | TakeTrial) -> tuple[Tallies, float]:
    """As many rollouts as the budget allows, and what one costs, in ms of CPU; of a take that was
    passed up as many as its verdict takes, so that both say the same."""
    since = thread_time()
    if isinstance(tried, TakeTrial):
        tallies = tried.judged()
        return tallies, 1_000 * (thread_time() - since) / tallies.instead.rollouts
    tallies = tried.run(Batch(0, _AT_A_TIME))
    while tallies.instead.rollouts < AMOUNTS[0] and thread_time() - since < BUDGET_S:
        tallies += tried.run(Batch(tallies.instead.rollouts, _AT_A_TIME))
    return tallies, 1_000 * (thread_time() - since) / tallies.instead.rollouts
