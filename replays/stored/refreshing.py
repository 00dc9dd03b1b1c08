"""Making reports again whose measures or model have changed since, as a job."""

from __future__ import annotations

from typing import Final

from games.models import Match
from replays.jobs.kinds import Kind
from replays.jobs.matches import begin_for, failed_in, over_matches
from replays.models import Job, StoredReport
from replays.stored import reports


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
    return begin_for("reports again", reports.version(), title, wanted)


def again(match: Match) -> None:
    if match.over and reports.stored(match) is None:
        reports.make(match)


KIND: Final = Kind(over_matches(again), failed_in)
