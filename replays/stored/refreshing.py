"""Making reports again whose measures or model have changed since, as a job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.models import Match
from replays.jobs.kinds import Asked, Json
from replays.jobs.matches import MatchesJob
from replays.jobs.queue import begin
from replays.jobs.starting import SITE
from replays.models import Job, StoredReport
from replays.stored import reports

KIND: Final = "reports again"


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


class Refresh(MatchesJob):
    """Reports of many matches. A long one becomes a job of its own."""

    def each(self, match: Match) -> None:
        possible = match.over and match.events <= reports.MOST
        if not possible or reports.stored(match) is not None:
            return
        if match.events > reports.AT_ONCE:
            reports.ask(match, SITE)
        else:
            reports.make(match)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        return {"matches": sum(states)}
