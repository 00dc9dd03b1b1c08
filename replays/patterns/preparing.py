"""Preparing matches for searches: a job that stores the occurrences of what has been finished.

Workers look for such matches once a minute (`JOBS_EVERY_MINUTE` in the settings), so that even
the first search reads what is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.models import Match
from replays.jobs.kinds import Asked, JobKind, Json, Part, StepResult
from replays.jobs.queue import begin
from replays.jobs.starting import SITE, latest
from replays.models import Job, StoredOccurrences
from replays.patterns.searching import MOST_EVENTS, MOST_MATCHES
from replays.patterns.storing import CURRENT, keep

KIND: Final = "occurrences"
SUBJECT: Final = "finished matches"
SHARE: Final = 25
"""Matches in a part, so that several workers share a long job."""
PATIENCE: Final = timedelta(hours=1)
"""How long nothing is tried again after a job has failed."""


class Preparing(JobKind):
    """Store the occurrences of matches; the units are matches."""

    def plan(self, asked: Asked) -> Sequence[int]:
        count = len(asked["matches"])
        return [min(SHARE, count - at) for at in range(0, count, SHARE)]

    def step(self, part: Part) -> StepResult:
        done = part.state or 0
        at = part.number * SHARE + done
        match = Match.objects.filter(pk=part.asked["matches"][at]).first()
        if match is not None and match.over:
            keep(match)
        size = min(SHARE, len(part.asked["matches"]) - part.number * SHARE)
        return StepResult(done + 1, 1, over=done + 1 == size)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        return {"stored": sum(states)}


def unprepared() -> list[int]:
    """Those of the matches stored last that are over and not stored for searches, newest first."""
    newest = Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    stored = StoredOccurrences.objects.filter(match=OuterRef("pk"), version=CURRENT)
    over = Match.objects.filter(pk__gt=newest - MOST_MATCHES, events__lte=MOST_EVENTS)
    waiting = over.exclude(state=Match.State.OPEN).filter(~Exists(stored)).order_by("-pk")
    return list(waiting.values_list("pk", flat=True))


def look_round() -> None:
    """Start the job, if matches wait for it."""
    before = latest(KIND, SUBJECT)
    if before and before.state in Job.ACTIVE:
        return
    if before and before.state == Job.State.FAILED and before.created > timezone.now() - PATIENCE:
        return
    matches = unprepared()
    if matches:
        begin(KIND, SUBJECT, "Finished matches for searches", {"matches": matches}, SITE)
