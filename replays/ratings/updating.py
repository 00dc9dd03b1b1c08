"""Keeping figures and ratings up to date: a job that counts what has been finished, then rates.

Workers look for such matches once a minute (`JOBS_EVERY_MINUTE` in the settings), so a player's
page has a match soon after its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.models import Match
from replays.jobs.kinds import Asked, Json
from replays.jobs.matches import MatchesJob, begin_again
from replays.players.counting import count, uncounted
from replays.ratings.ledger import outdated, settle_all

KIND: Final = "players"
MOST: Final = 2_000
"""Matches in one job; the next minute's job has the rest."""


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
    waiting = uncounted(recent=True).values_list("pk", flat=True)[:MOST]
    begin_again(KIND, "Figures and ratings of players", lambda: waiting)
