"""Keeping figures and ratings up to date: a job that counts what has been finished, then rates.

Workers look for such matches once a minute (`JOBS_EVERY_MINUTE` in the settings), so a player's
page has a match soon after its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.utils import timezone

from games.models import Match
from replays.jobs.kinds import Asked, Json
from replays.jobs.matches import MatchesJob
from replays.jobs.queue import begin
from replays.jobs.starting import SITE, latest
from replays.models import Job
from replays.players.counting import count, uncounted
from replays.ratings.ledger import outdated, settle_all

KIND: Final = "players"
SUBJECT: Final = "finished matches"
MOST: Final = 2_000
"""Matches in one job; the next minute's job has the rest."""
PATIENCE: Final = timedelta(hours=1)
"""How long nothing is tried again after a job has failed."""


class Updating(MatchesJob):
    """Count matches and rate them."""

    def each(self, match: Match) -> None:
        count(match)

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        return {"counted": sum(states), "rated": settle_all(recent=True)}


def look_round() -> None:
    """Start the job, if matches wait for it; rate again where a moderator has unlisted matches."""
    if outdated():
        settle_all(recent=True)
    before = latest(KIND, SUBJECT)
    if before and before.state in Job.ACTIVE:
        return
    if before and before.state == Job.State.FAILED and before.created > timezone.now() - PATIENCE:
        return
    matches = list(uncounted(recent=True).values_list("pk", flat=True)[:MOST])
    if matches:
        begin(KIND, SUBJECT, "Figures and ratings of players", {"matches": matches}, SITE)
