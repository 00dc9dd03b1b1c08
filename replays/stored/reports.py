"""The reports of finished matches: stored by the log's digest and the versions of what made them.

A report is made at once, or as a job: a part for each round finds what takes longest (its
positions judged, its windows, its luck), then the closing one puts the report together.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from typing import Final

from games.models import Match
from games.people.visitor import Author
from replays.analysis.findings import Findings
from replays.analysis.luck import largest
from replays.analysis.match_report import match_report
from replays.analysis.versions import MEASURES_VERSION, REPORT_VERSION
from replays.analysis.winning.network import model
from replays.jobs.kinds import Asked, Closing, JobFault, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import latest
from replays.models import Job, StoredReport
from replays.stored.logs import digest_of, lags_of, timeline_of
from replays.stored.report_rounds import Shares, read, written

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


def _store(match: Match, digest: str, findings: Findings) -> bytes:
    text = json.dumps(match_report(findings), ensure_ascii=False, separators=(",", ":"))
    body = gzip.compress(text.encode(), 6, mtime=0)
    made = {"digest": digest, "version": version(), "body": body}
    StoredReport.objects.update_or_create(match=match, defaults=made)
    return body


# --- As a job -----------------------------------------------------------------------------


def ask(match: Match, by: Author) -> Job:
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


class Reports(JobKind):
    """A match's report; the units are events."""

    def plan(self, asked: Asked) -> Sequence[int]:
        return [len(played.events) for played in _shares(asked).findings.timeline.rounds]

    def step(self, part: Part) -> StepResult:
        shares = _shares(part.asked)
        played = shares.findings.timeline.rounds[part.number]
        return StepResult(written(shares.of(played)), len(played.events))

    def closing(self, asked: Asked, states: Iterator[Json]) -> Closing:
        match, known = _match(asked), _shares(asked).findings
        shares = []
        for played, state in zip(known.timeline.rounds, states, strict=True):
            shares.append(read(state, played))
            if len(shares) % _ROUNDS == 0:
                yield
        findings = Findings(known.timeline, known.measured_lags)
        findings.points = [point for share in shares for point in share.points]
        findings.round_chances = [share.chances for share in shares]
        findings.luck = largest(draw for share in shares for draw in share.luck)
        for _ in findings.pieces():
            yield
        _store(match, asked["digest"], findings)
        return {"match": match.pk}


_ROUNDS: Final = 50
"""How many rounds' shares are read before the worker sees whether the job is still wanted."""
_last: Final[list[tuple[str, Shares]]] = []
"""Those last asked for: a worker's next step is mostly the next round of the same match."""


def _shares(asked: Asked) -> Shares:
    """Of the match that was asked for, as it was then."""
    match, digest = _match(asked), asked["digest"]
    if not _last or _last[0][0] != digest:
        _last[:] = [(digest, Shares(Findings(timeline_of(match), lags_of(match))))]
    return _last[0][1]


def _match(asked: Asked) -> Match:
    match = Match.objects.filter(pk=asked["match"]).first()
    if match is None:
        raise JobFault("The match has been deleted.")
    return match
