"""Making reports again whose measures or model have changed since, as a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.models import Match
from replays.jobs.kinds import Asked, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import SITE
from replays.models import Job, StoredReport
from replays.stored import reports

KIND: Final = "reports again"
SHARE: Final = 25
"""Matches in a part; a step is one match."""


def ask(*, every: bool) -> Job | None:
    """A job for the outdated reports or, with `every`, for all finished matches without a current
    one; None if there are none."""
    current = StoredReport.objects.filter(version=reports.version())
    matches = Match.objects.exclude(state=Match.State.OPEN)
    matches = matches.exclude(pk__in=current.values("match"))
    if not every:
        matches = matches.filter(report__isnull=False)
    wanted = list(matches.order_by("-started_at", "-pk").values_list("pk", flat=True))
    if not wanted:
        return None
    title = f"Analyses of {len(wanted):,} matches"
    return begin(KIND, reports.version(), title, {"matches": wanted}, SITE)


class Refresh(JobKind):
    """Reports of many matches; the units are matches. A long one becomes a job of its own."""

    def plan(self, asked: Asked) -> Sequence[int]:
        return [len(share) for share in _shares(asked)]

    def step(self, part: Part) -> StepResult:
        share, done = _shares(part.asked)[part.number], part.state or 0
        match = Match.objects.filter(pk=share[done]).first()
        possible = match is not None and match.over and match.events <= reports.MOST
        if match is not None and possible and reports.stored(match) is None:
            if match.events > reports.AT_ONCE:
                reports.ask(match, SITE)
            else:
                reports.make(match)
        return StepResult(done + 1, 1, done + 1 == len(share))

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        return {"matches": sum(states)}


def _shares(asked: Asked) -> list[list[int]]:
    matches = asked["matches"]
    return [matches[since : since + SHARE] for since in range(0, len(matches), SHARE)]
