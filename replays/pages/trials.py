"""What if a play had come earlier or later, been another card, or not been made? Over HTTP.

    POST {"round": 1, "event": 41, "seat": 0}                        what could be changed
    POST {"round": 1, "event": 41, "seat": 0, "ms": -100}            so much later, or earlier
    POST {"round": 1, "event": 41, "seat": 0, "card": "A4b", "stack": 2}
    POST {"round": 1, "event": 41, "seat": 0, "skip": true}

`event` is the number of a play, late try, mistake or tie in its round; `seat` whose try it was.
A response plays as many rollouts as `BUDGET_S` of CPU allow, at most the first of `AMOUNTS`, and
says what one costs: `rollout_ms` of CPU, both ways. With `"rollouts"`, one of `AMOUNTS`, a job
plays so many (docs/jobs.md): the answer is 202 and how far it is, or 200 and the outcome.
"""

from __future__ import annotations

from http import HTTPStatus
from time import thread_time
from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from games.engine.facts import Fault
from games.models import Match
from games.people.sessions import asker_of
from games.records import shape
from games.records.log import MAX_ROUNDS
from games.records.plural import joined
from games.records.shape import Fields
from games.records.strict import Malformed
from replays.analysis.trials import AMOUNTS, Batch, Tallies, Trial, summary
from replays.jobs.kinds import JobFault
from replays.jobs.starting import TooManyJobsError
from replays.models import Job
from replays.pages.api import busy
from replays.pages.charts.answers import BusyError, places
from replays.pages.jobs import followed, requester_of
from replays.pages.json_api import answer, body_of, json_view, refusal, results_hidden
from replays.pages.viewer import match_of, may_show
from replays.stored.lines import lines_to
from replays.stored.trials import ask, asked_for, trial_of
from replays.variations.alternative import MOST_MS, Change, TryAt, other_cards, try_at
from replays.variations.lines import MatchLines

BUDGET_S: Final = 0.35
"""CPU time for the rollouts of one response."""
_AT_A_TIME: Final = 2
_RANGE: Final = (1, 10**6)
_MAX_EVENT: Final = 2**31
_LAST_SEAT: Final = 4


@json_view("POST")
def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Try a play of a finished match differently."""
    match, _ = match_of(request, pk)
    if match.hidden:
        words = "This match is still being played; what-ifs would reveal its hidden cards."
        return refusal(words, HTTPStatus.CONFLICT)
    if not may_show(request):
        return results_hidden()
    where, change, rollouts = _asked(body_of(request))
    try:
        if change is not None and rollouts:
            return _by_job(request, match, where, change, rollouts)
        with places.one(asker_of(request)):
            if change is None:
                return answer(_options(lines_to(match, where.round), where))
            tried = trial_of(match, where, change)
            tallies, cost_ms = _tallied(tried)
            return answer({**summary(tried, tallies), "rollout_ms": round(cost_ms, 2)})
    except (Fault, JobFault) as fault:
        return refusal(str(fault), HTTPStatus.UNPROCESSABLE_ENTITY)
    except TooManyJobsError as error:
        return refusal(str(error), HTTPStatus.TOO_MANY_REQUESTS)
    except BusyError:
        return busy()


def _by_job(
    request: HttpRequest, match: Match, where: TryAt, change: Change, rollouts: int
) -> HttpResponse:
    """The outcome of so many rollouts, or the job that plays them, started if necessary."""
    job = asked_for(match, where, change, rollouts)
    if job is None or job.state in (Job.State.FAILED, Job.State.CANCELLED):
        job = ask(match, where, change, rollouts, requester_of(request))
    if job.state == Job.State.FINISHED and job.result is not None:
        return answer(job.result)
    return answer({"job": followed(request, job)}, HTTPStatus.ACCEPTED)


def _asked(body: dict[str, Any]) -> tuple[TryAt, Change | None, int]:
    """The try, its change (None without one), and the rollouts wanted (0: within this request).

    Raises Malformed.
    """
    fields = Fields(body, "request")
    where = TryAt(
        shape.whole(fields.need("round"), "round", 1, MAX_ROUNDS),
        shape.whole(fields.need("event"), "event", 1, _MAX_EVENT),
        shape.whole(fields.need("seat"), "seat", 0, _LAST_SEAT),
    )
    ms = shape.optional_whole(fields.get("ms"), "ms", -MOST_MS, MOST_MS)
    card, stack, skip = fields.get("card"), fields.get("stack"), fields.get("skip")
    rollouts = shape.optional_whole(fields.get("rollouts"), "rollouts", *_RANGE) or 0
    fields.done()
    if rollouts and rollouts not in AMOUNTS:
        raise Malformed(f"rollouts: expected {joined(map(str, AMOUNTS), 'or')}, found {rollouts}")
    if card is not None:
        slot = shape.whole(stack, "stack", 0, _LAST_SEAT)
        return where, Change(ms or 0, shape.card(card), slot), rollouts
    if skip is not None and shape.flag(skip, "skip"):
        return where, Change(skipped=True), rollouts
    return where, None if ms is None else Change(ms), rollouts


def _options(lines: MatchLines, where: TryAt) -> dict[str, Any]:
    """What could be changed about a try."""
    found = other_cards(lines, where)
    cards = [{"card": card, "stack": slot} for card, slot in found]
    return {"t": try_at(lines, where).t, "cards": cards}


def _tallied(tried: Trial) -> tuple[Tallies, float]:
    """As many rollouts as the budget allows, and what one costs, in ms of CPU."""
    since = thread_time()
    tallies = tried.run(Batch(0, _AT_A_TIME))
    while tallies.instead.rollouts < AMOUNTS[0] and thread_time() - since < BUDGET_S:
        tallies += tried.run(Batch(tallies.instead.rollouts, _AT_A_TIME))
    return tallies, 1_000 * (thread_time() - since) / tallies.instead.rollouts
