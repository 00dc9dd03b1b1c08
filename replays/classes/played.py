"""The matches that pupils have finished against bots alone."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from games.models import Match, Seat


class Played(NamedTuple):
    """A match that somebody has finished against bots; `level`: the lowest of theirs."""

    begun: datetime
    ended: datetime
    level: int


def played(accounts: Collection[int], since: datetime) -> dict[int, list[Played]]:
    """What each of these accounts has finished since, in the order of the ends. Two queries.

    Not what a bot has finished for them, and no match with another person.
    """
    hosted = {"match__origin": Match.Origin.HOSTED, "match__state": Match.State.FINISHED}
    own = Seat.objects.filter(user__in=accounts, started_at__gte=since, stand_in=False, **hosted)
    seats = list(own.select_related("match"))
    levels: dict[int, dict[int, int]] = {}
    sitting = Seat.objects.filter(match__in={seat.match_id for seat in seats})
    for match, number, kind, level in sitting.values_list("match", "number", "kind", "level"):
        levels.setdefault(match, {})[number] = (level or 0) if kind == "bot" else 0
    by_account: dict[int, list[Played]] = {}
    for seat in seats:
        ended = seat.started_at + timedelta(milliseconds=seat.match.duration_ms)
        others = [level for at, level in levels[seat.match_id].items() if at != seat.number]
        lowest = min(others, default=0)
        if lowest and seat.user_id:
            by_account.setdefault(seat.user_id, []).append(Played(seat.started_at, ended, lowest))
    return {pk: sorted(rows, key=lambda row: row.ended) for pk, rows in by_account.items()}
