"""The decisions of a match (`replays.analysis.decisions`) as a job: each part judges a round.

A step judges one decision, and what has been judged so far can be read meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypedDict

from games.models import Match
from games.people.visitor import Author
from replays.analysis.decisions.findings import Decision, to_judge
from replays.analysis.decisions.judging import Judging
from replays.analysis.decisions.report import DecisionJson, DecisionsJson, row, together
from replays.analysis.lag import lags_where_unmeasured
from replays.analysis.open_takes import OpenTake
from replays.analysis.versions import DECISIONS_VERSION, MEASURES_VERSION
from replays.analysis.winning.network import model
from replays.jobs.kinds import Asked, JobFault, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import latest
from replays.models import Job
from replays.stored.logs import digest_of, lags_of, timeline_of

KIND: Final = "decisions"


class _Judged(TypedDict):
    """A part's state: how many decisions of its round have been judged, and what they are."""

    done: int
    rows: list[DecisionJson]


def ask(match: Match, by: Author) -> Job:
    """The job that judges a match's decisions. Raises TooManyJobsError."""
    asked = {"match": match.pk, "digest": digest_of(match)}
    return begin(KIND, _subject(match), f"Decisions in match {match.pk}", asked, by)


def asked_for(match: Match) -> Job | None:
    """The last job that judges them as they are judged now, whoever asked for it."""
    return latest(KIND, _subject(match))


def _subject(match: Match) -> str:
    digest = str(model("spectator").about["digest"])[:32]
    return f"{digest_of(match)} {DECISIONS_VERSION}/{MEASURES_VERSION}/{digest}"


def so_far(match: Match, job: Job) -> DecisionsJson:
    """What has been judged so far."""
    parts = job.parts.filter(closes=False, state__isnull=False).order_by("number")
    return _together(match.seats.count(), parts.values_list("state", flat=True))


def _together(seats: int, states: Iterable[Json]) -> DecisionsJson:
    return together((decision for state in states for decision in state["rows"]), seats)


class Decisions(JobKind):
    """A match's decisions; the units are events."""

    def plan(self, asked: Asked) -> Sequence[int]:
        return [len(played.events) for played in _known(asked).rounds]

    def step(self, part: Part) -> StepResult:
        known = _known(part.asked)
        played, takes = known.rounds[part.number], known.to_judge(part.number)
        state: _Judged = part.state or {"done": 0, "rows": []}
        done = state["done"]
        if done < len(takes):
            decision = Decision(takes[done], known.judging.ways(takes[done]).cost())
            state["rows"].append(row(played, decision, known.names, state["rows"]))
        over = done + 1 >= len(takes)
        events, parts = len(played.events), max(1, len(takes))
        units = events * (done + 1) // parts - events * done // parts
        return StepResult({"done": done + 1, "rows": state["rows"]}, units, over)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        return _together(len(_known(asked).names), states)


class _Known:
    """A match whose decisions are being judged, as it was when they were asked for."""

    def __init__(self, match: Match) -> None:
        timeline = timeline_of(match)
        self.names, self.rounds = timeline.names, timeline.rounds
        self.judging = Judging(timeline)
        self._lags = lags_where_unmeasured(timeline, lags_of(match))
        self._found: dict[int, list[OpenTake]] = {}

    def to_judge(self, number: int) -> list[OpenTake]:
        """The decisions of a round, by its place among the rounds."""
        if number not in self._found:
            self._found[number] = to_judge(self.judging, self.rounds[number], self._lags)
        return self._found[number]


_last: Final[list[tuple[str, _Known]]] = []
"""The match last asked for: a worker's next step is mostly of the same one."""


def _known(asked: Asked) -> _Known:
    digest = asked["digest"]
    match = Match.objects.filter(pk=asked["match"]).first()
    if match is None:
        raise JobFault("The match has been deleted.")
    if not _last or _last[0][0] != digest:
        _last[:] = [(digest, _Known(match))]
    return _last[0][1]
