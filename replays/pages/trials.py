"""What if a play had come earlier or later, been another card, or not been made? Over HTTP.

    POST {"round": 1, "event": 41, "seat": 0}                        what could be changed
    POST {"round": 1, "event": 41, "seat": 0, "ms": -100}            so much later, or earlier
    POST {"round": 1, "event": 41, "seat": 0, "card": "A4b", "stack": 2}
    POST {"round": 1, "event": 41, "seat": 0, "skip": true}

`event` is the number of a play, late try, mistake or tie in its round; `seat` whose try it was.
A response plays as many rollouts as `BUDGET_S` of CPU allow. With `"all": true` a job plays all
of them (docs/jobs.md): the answer is 202 and how far it is, or 200 and the outcome.
"""

from __future__ import annotations

from http import HTTPStatus
from time import thread_time
from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from games.engine.facts import Fault
from games.models import Match
from games.records import shape
from games.records.log import MAX_ROUNDS
from games.records.shape import Fields
from replays.analysis.trials import ENOUGH, Batch, Tallies, Trial, summary
from replays.jobs.kinds import JobFault
from replays.jobs.starting import TooManyJobsError
from replays.models import Job
from replays.pages.api import busy
from replays.pages.charts.answers import BusyError, place
from replays.pages.jobs import followed, requester_of
from replays.pages.json_api import answer, body_of, json_view, refusal
from replays.pages.viewer import match_of, may_show
from replays.stored.lines import lines_to
from replays.stored.trials import ask, asked_for, trial_of
from replays.variations.alternative import MOST_MS, Change, TryAt, other_cards, try_at
from replays.variations.lines import MatchLines

BUDGET_S: Final = 0.35
"""CPU time for the rollouts of one response."""
_AT_A_TIME: Final = 2
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
        words = "what-ifs would reveal the result, which you have hidden"
        return refusal(words, HTTPStatus.FORBIDDEN)
    where, change, every = _asked(body_of(request))
    try:
        if change is not None and every:
            return _by_job(request, match, where, change)
        with place():
            if change is None:
                return answer(_options(lines_to(match, where.round), where))
            tried = trial_of(match, where, change)
            return answer(summary(tried, _tallied(tried)))
    except (Fault, JobFault) as fault:
        return refusal(str(fault), HTTPStatus.UNPROCESSABLE_ENTITY)
    except TooManyJobsError as error:
        return refusal(str(error), HTTPStatus.TOO_MANY_REQUESTS)
    except BusyError:
        return busy()


def _by_job(request: HttpRequest, match: Match, where: TryAt, change: Change) -> HttpResponse:
    """The outcome of all rollouts, or the job that plays them, started if necessary."""
    job = asked_for(match, where, change)
    if job is None or job.state in (Job.State.FAILED, Job.State.CANCELLED):
        job = ask(match, where, change, requester_of(request))
    if job.state == Job.State.FINISHED and job.result is not None:
        return answer(job.result)
    return answer({"job": followed(request, job)}, HTTPStatus.ACCEPTED)


def _asked(body: dict[str, Any]) -> tuple[TryAt, Change | None, bool]:
    """The try, its change (None without one), and whether all rollouts are wanted.

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
    asked_all = fields.get("all")
    fields.done()
    every = asked_all is not None and shape.flag(asked_all, "all")
    if card is not None:
        slot = shape.whole(stack, "stack", 0, _LAST_SEAT)
        return where, Change(ms or 0, shape.card(card), slot), every
    if skip is not None and shape.flag(skip, "skip"):
        return where, Change(skipped=True), every
    return where, None if ms is None else Change(ms), every


def _options(lines: MatchLines, where: TryAt) -> dict[str, Any]:
    """What could be changed about a try."""
    found = other_cards(lines, where)
    cards = [{"card": card, "stack": slot} for card, slot in found]
    return {"t": try_at(lines, where).t, "cards": cards}


def _tallied(tried: Trial) -> Tallies:
    """As many rollouts as the budget allows."""
    since = thread_time()
    tallies = tried.run(Batch(0, _AT_A_TIME))
    while tallies.instead.rollouts < ENOUGH and thread_time() - since < BUDGET_S:
        tallies += tried.run(Batch(tallies.instead.rollouts, _AT_A_TIME))
    return tallies
