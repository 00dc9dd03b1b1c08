"""Preparing matches for searches: a job that stores the occurrences of what has been finished.

Workers look for such matches once a minute (`JOBS_EVERY_MINUTE` in the settings), so that even
the first search reads what is stored.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef

from games.models import Match
from replays.jobs.kinds import Kind
from replays.jobs.matches import begin_again, failed_in, over_matches
from replays.models import StoredOccurrences
from replays.patterns.searching import MOST_MATCHES
from replays.patterns.storing import CURRENT, keep


def prepare(match: Match) -> None:
    """Store the occurrences of a match."""
    if match.over:
        keep(match)


KIND: Final = Kind(over_matches(prepare), failed_in)


def unprepared() -> list[int]:
    """Those of the matches stored last that are over and not stored for searches, newest first."""
    newest = Match.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    stored = StoredOccurrences.objects.filter(match=OuterRef("pk"), version=CURRENT)
    over = Match.objects.filter(pk__gt=newest - MOST_MATCHES)
    waiting = over.exclude(state=Match.State.OPEN).filter(~Exists(stored)).order_by("-pk")
    return list(waiting.values_list("pk", flat=True))


def look_round() -> None:
    """Start the job, if matches wait for it."""
    begin_again("occurrences", "Finished matches for searches", unprepared)
