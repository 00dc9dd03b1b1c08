"""The reports of finished matches, stored by the log's digest and the versions of their makers."""

import gzip
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from games.engine.message import Message
from games.models import Match
from games.people.visitor import Author
from replays.analysis.account_json import ContestedStack
from replays.analysis.findings import Findings
from replays.analysis.match_report import match_report, opening_in
from replays.analysis.report_json import CurvePoint, MatchMoment, MissedTakeJson
from replays.analysis.sentences import Text, say
from replays.analysis.verdict import own_verdicts
from replays.analysis.versions import MEASURES_VERSION, REPORT_VERSION
from replays.analysis.winning.network import model
from replays.jobs.kinds import Asked, Json, Kind, Share, Step
from replays.jobs.matches import begin_for, failed_in, over_matches
from replays.jobs.starting import begin, latest_job
from replays.models import Job, StoredReport
from replays.stored.logs import digest_of, lags_of, match_of, timeline_of


def stored(match: Match) -> bytes | None:
    """The report as gzipped JSON, if it is stored and current."""
    current = {"digest": digest_of(match), "version": version()}
    row = StoredReport.objects.filter(match=match, **current).first()
    return None if row is None else bytes(row.body)


class FirstLook(NamedTuple):
    """What pages need of a report, of all matches that are looked at."""

    moments: Sequence[MatchMoment]
    """The most important first."""
    own_verdicts: Sequence[Text]
    stacks: Sequence[ContestedStack]
    opening: int
    """As `opening_in` finds it."""
    verdict: Text


def first_look(match: Match) -> FirstLook | None:
    """None if the match's report is not stored."""
    try:
        return _first_look(match.pk, digest_of(match), version())
    except LookupError:
        return None


def look_without_model(match: Match) -> FirstLook:
    """A first look while the report is still to be made: the account is the only reason."""
    findings = Findings(timeline_of(match), lags_of(match))
    verdicts = own_verdicts(findings.timeline, findings.account, ())
    return FirstLook((), verdicts, findings.account_json["stacks"], 0, say())


def moments(match: Match) -> Sequence[MatchMoment]:
    """The moments of a match, the most important first, if its report is stored."""
    look = first_look(match)
    return look.moments if look else ()


@lru_cache(maxsize=1_000)
def _first_look(match: int, digest: str, made_by: str) -> FirstLook:
    """Raises LookupError if there is no such report."""
    row = StoredReport.objects.filter(match=match, digest=digest, version=made_by).first()
    if row is None:
        raise LookupError("not stored")
    report = json.loads(gzip.decompress(bytes(row.body)))
    told = report["own_verdicts"], report["account"]["stacks"], opening_in(report)
    return FirstLook(report["moments"], *told, report["facts"][0])


def missed_takes(match: Match) -> list[MissedTakeJson] | None:
    """The missed takes of a match with their costs. None if its report is not stored."""
    return _part(match, "missed_takes")


def curve(match: Match) -> list[CurvePoint] | None:
    """The win probabilities in a match. None if its report is not stored."""
    return _part(match, "curve")


def _part(match: Match, name: str) -> list[Any] | None:
    body = stored(match)
    if body is None:
        return None
    found: list[Any] = json.loads(gzip.decompress(body))[name]
    return found


def make(match: Match) -> bytes:
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


def ask(match: Match, by: Author) -> Job:
    """The job that makes a match's report. Raises TooManyJobsError."""
    title, shares = (
        Message("Analysis of match {match}", match=match.pk),
        [Share(None, match.events)],
    )
    return begin("report", _subject(match), title, {"match": match.pk}, shares, by=by)


def asked_for(match: Match) -> Job | None:
    """Anyone's last job to make a missing report: under way, or failed. None if there was none, or
    a new one is needed."""
    job = latest_job("report", _subject(match))
    return None if job and job.state == Job.State.FINISHED else job


def _subject(match: Match) -> str:
    return f"{match.pk} {match.lines} {version()}"


def analyse(asked: Asked, share: Json, found: Json, step: Step) -> None:
    """Make the report of a match. The slow parts are found round by round."""
    match = match_of(asked)
    findings = Findings(timeline_of(match), lags_of(match))
    for played in findings.rounds_read():
        step(len(played.events))
    _store(match, digest_of(match), findings)


KIND: Final = Kind(analyse)


def ask_again(*, every: bool) -> Job | None:
    """A job for the outdated reports or, with `every`, for all finished matches without a current
    one. None if there are none."""
    current = StoredReport.objects.filter(version=version())
    matches = Match.objects.exclude(state=Match.State.OPEN)
    matches = matches.exclude(pk__in=current.values("match"))
    if not every:
        matches = matches.filter(report__isnull=False)
    wanted = list(matches.order_by("-started_at", "-pk").values_list("pk", flat=True))
    if not wanted:
        return None
    title = Message("Analyses of {count:,} matches", count=len(wanted))
    return begin_for("reports again", version(), title, wanted)


def again(match: Match) -> None:
    if match.over and stored(match) is None:
        make(match)


AGAIN: Final = Kind(over_matches(again), failed_in)
