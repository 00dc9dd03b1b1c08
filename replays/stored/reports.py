"""The reports of finished matches: stored by the log's digest and the versions of what made them.

A report is made at once, or as a job: a part for each round judges its positions, then the
closing one puts the report together.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

from games.models import Match
from replays.analysis.findings import Findings
from replays.analysis.match_report import match_report
from replays.analysis.versions import MEASURES_VERSION, REPORT_VERSION
from replays.analysis.winning.network import model
from replays.analysis.winning.series import Point, Series
from replays.jobs.kinds import Asked, JobFault, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import Asker, latest
from replays.models import Job, StoredReport
from replays.stored.logs import LastTimeline, digest_of, timeline_of
from replays.timeline import Round, Timeline

KIND: Final = "report"
AT_ONCE: Final = 4_000
"""The most events of a match whose report is made at once."""
MOST: Final = 200_000
"""The most events of a match that has a report; real matches have some 2,000."""


def stored(match: Match) -> bytes | None:
    """The report as gzipped JSON, if it is stored and current."""
    current = {"digest": digest_of(match), "version": version()}
    row = StoredReport.objects.filter(match=match, **current).first()
    return None if row is None else bytes(row.body)


def make(match: Match) -> bytes:
    """Make the report now, and store it."""
    return _store(match, digest_of(match), Findings(timeline_of(match), lags_of(match)))


def version() -> str:
    """The versions of the measures, of the report and of the model."""
    return f"{MEASURES_VERSION}/{REPORT_VERSION}/{model('spectator').about['digest'][:32]}"


def lags_of(match: Match) -> list[float | None]:
    """Each seat's measured lag in ms, as a live host stored it."""
    return list(match.seats.in_order().values_list("lag_ms", flat=True))


def _store(match: Match, digest: str, findings: Findings) -> bytes:
    text = json.dumps(match_report(findings), ensure_ascii=False, separators=(",", ":"))
    body = gzip.compress(text.encode(), 6, mtime=0)
    made = {"digest": digest, "version": version(), "body": body}
    StoredReport.objects.update_or_create(match=match, defaults=made)
    return body


# --- As a job -----------------------------------------------------------------------------


def ask(match: Match, by: Asker) -> Job:
    """The job that makes a match's report. Raises TooManyJobsError."""
    asked = {"match": match.pk, "digest": digest_of(match)}
    title = f"Analysis of match {match.pk}"
    return begin(KIND, _subject(match), title, asked, by)


def asked_for(match: Match) -> Job | None:
    """The last job to make a missing report, whoever asked for it: under way, or why it was not
    made. None if it was never asked for, or is to be asked for again."""
    job = latest(KIND, _subject(match))
    return None if job and job.state == Job.State.FINISHED else job


def _subject(match: Match) -> str:
    return f"{match.pk} {match.lines} {version()}"


_last: Final = LastTimeline()


class Reports(JobKind):
    """A match's report; the units are events."""

    def plan(self, asked: Asked) -> Sequence[int]:
        return [len(played.events) for played in _timeline(asked).rounds]

    def step(self, part: Part) -> StepResult:
        timeline = _timeline(part.asked)
        played = timeline.rounds[part.number]
        points = round_points(timeline, played)
        return StepResult([list(point) for point in points], len(played.events))

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        match = _match(asked)
        findings = Findings(_timeline(asked), lags_of(match))
        findings.points = [_point(row) for row in chain.from_iterable(states)]
        _store(match, asked["digest"], findings)
        return {"match": match.pk}


def round_points(timeline: Timeline, played: Round) -> list[Point]:
    """The points that a round adds to the match's detailed series."""
    series = Series(timeline.header, detailed=True)
    series.resume(chain.from_iterable(_lines(one) for one in timeline.rounds[: played.number - 1]))
    for seq, line in enumerate(_lines(played)):
        series.add(line, played.seqs[seq - 1] if seq else played.seq)
    return series.points


def _lines(played: Round) -> list[Any]:
    return [played.deal, *played.events]


def _point(row: list[Any]) -> Point:
    seq, number, t, cause, seats, p = row
    return Point(seq, number, t, cause, tuple(seats), tuple(p))


def _timeline(asked: Asked) -> Timeline:
    return _last.of(_match(asked), asked["digest"])


def _match(asked: Asked) -> Match:
    match = Match.objects.filter(pk=asked["match"]).first()
    if match is None:
        raise JobFault("The match has been deleted.")
    return match
