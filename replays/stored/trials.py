"""What-ifs of single plays (`replays.analysis.trials`) as jobs: each part plays some rollouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from games.engine.facts import Fault
from games.models import Match
from games.people.visitor import Author
from replays.analysis.decisions.trial import TakeTrial, take_trial
from replays.analysis.lag import lags_where_unmeasured
from replays.analysis.trials import Batch, Tallies, Tally, Trial, summary
from replays.analysis.versions import MEASURES_VERSION
from replays.jobs.kinds import Asked, JobFault, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import latest
from replays.models import Job
from replays.stored.lines import lines_to
from replays.stored.logs import lags_of, timeline_of
from replays.variations.alternative import Change, TryAt

KIND: Final = "trial"
_PART: Final = 100
_STEP: Final = 20
_LONGEST: Final = 20_000
"""The most events of a match that is read whole, to say the same as its decisions."""


def trial_of(match: Match, where: TryAt, change: Change) -> Trial | TakeTrial:
    """The trial, with each seat's lag as stored, or as read from the log. Raises Fault.

    Of a take that was passed up it is the verdict's.
    """
    if change.card is not None and match.events <= _LONGEST:
        timeline = timeline_of(match)
        lags = lags_where_unmeasured(timeline, lags_of(match))
        at = (where.round, where.event)
        take = take_trial(timeline, lags, at, change.card, change.stack)
        if take is not None and take.seat == where.seat:
            return take
    lines = lines_to(match, where.round)
    lags = lags_where_unmeasured(lines.timeline, lags_of(match))
    return Trial(lines, where, change, lags)


def ask(match: Match, where: TryAt, change: Change, rollouts: int, by: Author) -> Job:
    """The job that plays a trial so many times. Raises TooManyJobsError and JobFault."""
    what = {"where": list(where), "change": list(change), "rollouts": rollouts}
    asked = {"match": match.pk, **what}
    title = f"What if in match {match.pk}, round {where.round}, event {where.event}"
    return begin(KIND, _subject(match, where, change, rollouts), title, asked, by)


def asked_for(match: Match, where: TryAt, change: Change, rollouts: int) -> Job | None:
    """The last job of that trial, whoever asked for it."""
    return latest(KIND, _subject(match, where, change, rollouts))


def _subject(match: Match, where: TryAt, change: Change, rollouts: int) -> str:
    what = " ".join(map(str, (*where, *change, rollouts)))
    return f"{match.pk} {match.lines} {MEASURES_VERSION} {what}"


class Trials(JobKind):
    """A trial; the units are rollouts of each way."""

    def __init__(self) -> None:
        self._known: tuple[Asked, Trial | TakeTrial] | None = None

    def plan(self, asked: Asked) -> Sequence[int]:
        self._trial(asked)
        return [_PART] * (asked["rollouts"] // _PART)

    def step(self, part: Part) -> StepResult:
        before = None if part.state is None else _tallies(part.state)
        done = before.instead.rollouts if before else 0
        batch = Batch(part.number * _PART + done, min(_STEP, _PART - done))
        more = self._trial(part.asked).run(batch)
        whole = before + more if before else more
        state = [tally.as_json() for tally in whole]
        return StepResult(state, batch.size, over=whole.instead.rollouts >= _PART)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        first, *others = map(_tallies, states)
        return summary(self._trial(asked), sum(others, start=first))

    def _trial(self, asked: Asked) -> Trial | TakeTrial:
        """The trial last asked for is kept: the next step is mostly of the same one."""
        if self._known is None or self._known[0] != asked:
            match = Match.objects.filter(pk=asked["match"]).first()
            if match is None:
                raise JobFault("The match has been deleted.")
            try:
                trial = trial_of(match, TryAt(*asked["where"]), Change(*asked["change"]))
            except Fault as fault:
                raise JobFault(f"{fault}.") from None
            self._known = asked, trial
        return self._known[1]


def _tallies(state: list[dict[str, Any]]) -> Tallies:
    return Tallies(*map(Tally.of_json, state))
