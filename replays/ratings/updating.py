"""Keeping figures and ratings up to date: a job that counts what has been finished, then rates.

Workers look for such matches once a minute (`JOBS_EVERY_MINUTE` in the settings), so a player's
page has a match soon after its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from replays.jobs.kinds import Asked, Json, Kind
from replays.jobs.matches import begin_again, failed_in, over_matches
from replays.players.counting import count, uncounted
from replays.ratings.ledger import outdated, settle_all

MOST: Final = 2_000
"""Matches in one job; the next minute's job has the rest."""


def close(asked: Asked, founds: Iterator[Json]) -> Json:
    settle_all(recent=True)
    return failed_in(asked, founds)


KIND: Final = Kind(over_matches(count), close)


def look_round() -> None:
    """Start the job, if matches wait for it; rate again where a moderator has unlisted matches."""
    if outdated():
        settle_all(recent=True)
    waiting = uncounted(recent=True).values_list("pk", flat=True)[:MOST]
    begin_again("players", "Figures and ratings of players", lambda: waiting)
