"""Judging (`replays.analysis.judge`) as a job: all decisions of a match, a round in each part, or
what a single change would have made.

What has been judged so far can be read meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypedDict

from games.engine.facts import Fault
from games.models import Match
from games.people.visitor import Author
from replays.analysis.judge import judge
from replays.analysis.judge.judge import Judge, Question
from replays.analysis.judge.playing import Change, TryAt, try_at
from replays.analysis.judge.tally import Batch, Tallies
from replays.analysis.judge.words import DecisionsJson, JudgedJson, row, take_row, together
from replays.analysis.lag import lags_where_unmeasured
from replays.analysis.open_takes import OpenTake
from replays.analysis.versions import DECISIONS_VERSION, MEASURES_VERSION
from replays.analysis.winning.network import model
from replays.jobs.kinds import Asked, JobFault, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import latest
from replays.models import Job
from replays.stored.lines import lines_to
from replays.stored.logs import digest_of, lags_of, timeline_of
from replays.variations.lines import Place

KIND: Final = "judge"
Asking = tuple[TryAt, Change] | None
"""A change; None: all decisions."""
_STEP: Final = 50
"""Rollouts of each way between two looks whether the answer is still wanted."""


class _Judged(TypedDict):
    """A round's state: how many of its decisions have been judged, and what they are."""

    done: int
    rows: list[JudgedJson]


def ask(match: Match, asking: Asking, by: Author) -> Job:
    """The job that judges. Raises TooManyJobsError and JobFault."""
    asked = {"match": match.pk, "digest": digest_of(match), "question": asking}
    title = f"Decisions in match {match.pk}"
    if asking:
        title = f"What if in match {match.pk}, round {asking[0].round}, event {asking[0].event}"
    return begin(KIND, _subject(match, asking), title, asked, by)


def asked_for(match: Match, asking: Asking = None) -> Job | None:
    """The last job that judges this as it is judged now, whoever asked for it."""
    return latest(KIND, _subject(match, asking))


def _subject(match: Match, asking: Asking) -> str:
    versions = f"{DECISIONS_VERSION}/{MEASURES_VERSION}/{model('spectator').about['digest']}"
    what = " ".join(map(str, (*asking[0], *asking[1]))) if asking else "decisions"
    return f"{digest_of(match)} {versions} {what}"


def so_far(match: Match, job: Job) -> DecisionsJson:
    """The decisions that have been judged so far."""
    parts = job.parts.filter(closes=False, state__isnull=False).order_by("number")
    return _together(match.seats.count(), parts.values_list("state", flat=True))


def costly_decisions(match: Match) -> list[JudgedJson] | None:
    """The clearly costly decisions of a match; None if nobody has had them judged."""
    job = asked_for(match)
    if job is None or job.state != Job.State.FINISHED or job.result is None:
        return None
    return [decision for decision in job.result["decisions"] if decision["told"]]


def _together(seats: int, states: Iterable[Json]) -> DecisionsJson:
    return together((decision for state in states for decision in state["rows"]), seats)


class Judging(JobKind):
    """The units are events of rounds, or rollouts of each way."""

    def plan(self, asked: Asked) -> Sequence[int]:
        if asked["question"]:
            _verify(asked)
            return [judge.TRY_STAGES[-1]]
        return [len(played.events) for played in _known(asked).judge.timeline.rounds]

    def step(self, part: Part) -> StepResult:
        return self._rollouts(part) if part.asked["question"] else self._decision(part)

    def _rollouts(self, part: Part) -> StepResult:
        question = _known(part.asked).question(part.asked)
        before = None if part.state is None else Tallies.of_json(part.state)
        done = before.rollouts if before else 0
        more = question.run(Batch(done, min(_STEP, question.due(before))))
        whole = before.add(more) if before else more
        over = not question.due(whole)
        units = (judge.TRY_STAGES[-1] if over else whole.rollouts) - done
        return StepResult(whole.as_json(), units, over)

    def _decision(self, part: Part) -> StepResult:
        known = _known(part.asked)
        timeline, takes = known.judge.timeline, known.to_judge(part.number)
        played = timeline.rounds[part.number]
        state: _Judged = part.state or {"done": 0, "rows": []}
        done = state["done"]
        if done < len(takes):
            question = known.judge.about_take(takes[done])
            judged = question.judged()
            state["rows"].append(take_row(played, question, judged, timeline.names, state["rows"]))
        over = done + 1 >= len(takes)
        events, parts = len(played.events), max(1, len(takes))
        units = events * (done + 1) // parts - events * done // parts
        return StepResult({"done": done + 1, "rows": state["rows"]}, units, over)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        known = _known(asked)
        timeline = known.judge.timeline
        if not asked["question"]:
            return _together(len(timeline.names), states)
        question = known.question(asked)
        played = timeline.rounds[question.at.round - 1]
        return row(played, question, Tallies.of_json(next(states)), timeline.names)


def _verify(asked: Asked) -> None:
    """Raise JobFault if there is no such movement; whether it can be changed so shows later."""
    at, change = TryAt(*asked["question"][0]), Change(*asked["question"][1])
    try:
        lines = lines_to(_match(asked), at.round)
        if change.card is None:
            try_at(lines, at)
        lines.verify(Place(at.round, at.event))
    except Fault as fault:
        raise JobFault(f"{fault}.") from None


class _Known:
    """A match that is being judged, as it was when that was asked for."""

    def __init__(self, match: Match) -> None:
        timeline = timeline_of(match)
        self.judge = Judge(timeline, lags_where_unmeasured(timeline, lags_of(match)))
        self._takes: dict[int, list[OpenTake]] = {}
        self._question: tuple[Json, Question] | None = None

    def to_judge(self, number: int) -> list[OpenTake]:
        """The decisions of a round, by its place among the rounds."""
        if number not in self._takes:
            self._takes[number] = self.judge.to_judge(self.judge.timeline.rounds[number])
        return self._takes[number]

    def question(self, asked: Asked) -> Question:
        """Raises JobFault."""
        at, change = asked["question"]
        if self._question is None or self._question[0] != (at, change):
            try:
                self._question = (at, change), self.judge.about(TryAt(*at), Change(*change))
            except Fault as fault:
                raise JobFault(f"{fault}.") from None
        return self._question[1]


_last: Final[list[tuple[str, _Known]]] = []
"""The match last asked for: a worker's next step is mostly of the same one."""


def _known(asked: Asked) -> _Known:
    digest, match = asked["digest"], _match(asked)
    if not _last or _last[0][0] != digest:
        _last[:] = [(digest, _Known(match))]
    return _last[0][1]


def _match(asked: Asked) -> Match:
    match = Match.objects.filter(pk=asked["match"]).first()
    if match is None:
        raise JobFault("The match has been deleted.")
    return match
