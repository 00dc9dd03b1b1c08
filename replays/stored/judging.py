"""Judging (`replays.analysis.judge`) as a job: all decisions of a match, a round in each part, or
the effect of a single change.

Results so far can be read meanwhile.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.engine.facts import Fault
from games.engine.message import Message, message_of
from games.models import Match, Seat
from games.people.each import for_each
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
from replays.jobs.kinds import Asked, JobFault, Json, Kind, Share, Step
from replays.jobs.starting import IDLE, begin, latest_job
from replays.models import Job
from replays.stored.logs import digest_of, lags_of, lines_to, match_of, timeline_of
from replays.variations.lines import Place

Asking = tuple[TryAt, Change] | None
"""A change. None: all decisions."""
_STEP: Final = 50
"""Rollouts of each way between two looks whether the answer is still wanted."""
_RECENT: Final = timedelta(days=1)
_LOOKED_AT: Final = 20
"""The newest matches of players with accounts, of which one is judged at a time."""


def ask(match: Match, asking: Asking, by: Author) -> Job:
    """The job that judges. Raises TooManyJobsError and JobFault."""
    asked = {"match": match.pk, "digest": digest_of(match), "question": asking}
    title = Message("Decisions in match {match}", match=match.pk)
    if asking:
        title = Message(
            "What-if in match {match}, round {round}, event {event}",
            match=match.pk,
            round=asking[0].round,
            event=asking[0].event,
        )
    return begin("judge", _subject(match, asking), title, asked, _shares(asked), by=by)


def look_round() -> None:
    """Judge the newest match that someone with an account has played, while nothing else is to be
    done."""
    own = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False)
    over = Match.objects.filter(state=Match.State.FINISHED, origin=Match.Origin.HOSTED)
    recent = over.filter(Exists(own), started_at__gt=timezone.now() - _RECENT)
    for_each(recent.order_by("-started_at", "-pk")[:_LOOKED_AT], _judge_if_idle, "judging")


def _judge_if_idle(match: Match) -> None:
    if not Job.objects.filter(state__in=Job.ACTIVE).exists() and asked_for(match) is None:
        ask(match, None, IDLE)


def _shares(asked: Asked) -> list[Share]:
    """Raises JobFault."""
    if asked["question"]:
        _verify(asked)
        return [Share(None, judge.TRY_STAGES[-1])]
    rounds = _known_match(asked).judge.timeline.rounds
    return [Share(number, len(played.events)) for number, played in enumerate(rounds)]


def asked_for(match: Match, asking: Asking = None) -> Job | None:
    """Anyone's last job that judges this by the present version."""
    return latest_job("judge", _subject(match, asking))


def _subject(match: Match, asking: Asking) -> str:
    versions = f"{DECISIONS_VERSION}/{MEASURES_VERSION}/{model('spectator').about['digest']}"
    what = " ".join(map(str, (*asking[0], *asking[1]))) if asking else "decisions"
    return f"{digest_of(match)} {versions} {what}"


def so_far(match: Match, job: Job) -> DecisionsJson:
    """The decisions that have been judged so far."""
    parts = job.parts.filter(closes=False, found__isnull=False).order_by("number")
    return _together(match.seats.count(), parts.values_list("found", flat=True))


def judged_decisions(match: Match) -> DecisionsJson | None:
    """The decisions of a match. None if no one has had them judged."""
    job = asked_for(match)
    if job is None or job.state != Job.State.FINISHED or job.result is None:
        return None
    judged: DecisionsJson = job.result
    return judged


def costly_decisions(match: Match) -> list[JudgedJson]:
    """The clearly costly decisions of a match. None before they are judged."""
    judged = judged_decisions(match)
    return [decision for decision in judged["decisions"] if decision["told"]] if judged else []


def _together(seats: int, founds: Iterable[Json]) -> DecisionsJson:
    return together((decision for found in founds for decision in found), seats)


def judge_part(asked: Asked, number: Json, found: Json, step: Step) -> Json:
    """A round's decisions as rows, or the tallies of a change. The units are events, or rollouts of
    each way."""
    if asked["question"]:
        return _rollouts(asked, found, step)
    known, rows = _known_match(asked), found or []
    timeline, takes = known.judge.timeline, known.to_judge(number)
    played = timeline.rounds[number]
    for take in takes[len(rows) :]:
        question = known.judge.about_take(take)
        rows.append(take_row(played, question, question.judged(), rows))
        step(len(played.events) // len(takes), rows)
    return rows


def _rollouts(asked: Asked, found: Json, step: Step) -> Json:
    question = _known_match(asked).question(asked)
    tallies = None if found is None else Tallies.of_json(found)
    while due := question.due(tallies):
        done = tallies.rollouts if tallies else 0
        more = question.run(Batch(done, min(_STEP, due)))
        tallies = tallies.add(more) if tallies else more
        step(tallies.rollouts - done, tallies.as_json())
    assert tallies, "some are always due at first"
    return tallies.as_json()


def close(asked: Asked, founds: Iterator[Json]) -> Json:
    known = _known_match(asked)
    timeline = known.judge.timeline
    if not asked["question"]:
        return _together(len(timeline.names), founds)
    question = known.question(asked)
    played = timeline.rounds[question.at.round - 1]
    return row(played, question, Tallies.of_json(next(founds)))


KIND: Final = Kind(judge_part, close)


def _verify(asked: Asked) -> None:
    """Raise JobFault if there is no such movement. Whether it can be changed so shows later."""
    at, change = TryAt(*asked["question"][0]), Change(*asked["question"][1])
    try:
        lines = lines_to(match_of(asked), at.round)
        if change.card is None:
            try_at(lines, at)
        lines.verify(Place(at.round, at.event))
    except Fault as fault:
        raise JobFault("{fault}.", fault=message_of(fault)) from None


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
                raise JobFault("{fault}.", fault=message_of(fault)) from None
        return self._question[1]


_last: Final[list[tuple[str, _Known]]] = []
"""The match last asked for: a worker's next part is mostly of the same one."""


def _known_match(asked: Asked) -> _Known:
    digest, match = asked["digest"], match_of(asked)
    if not _last or _last[0][0] != digest:
        _last[:] = [(digest, _Known(match))]
    return _last[0][1]
