"""A player's level among the bots, from their matches here with bots that have a name."""

from collections import defaultdict
from typing import Final

from django.db.models import QuerySet

from games.bots.roster import TEMPERS
from games.bots.skill import LEVELS
from games.models import Match, Seat
from replays.analysis.winning.position import STRENGTHS
from replays.players.queries import LATEST
from replays.ratings.level import Level, Met, level_of

_BOT: Final = "bot"
_ANY: Final = LEVELS[0], LEVELS[-1]
"""An interval that says nothing."""


def level_in(seats: QuerySet[Seat]) -> Level | None:
    """The level of the player of these seats, in their finished matches here. Two queries.

    None after too few matches with bots, or none that tell anything.
    """
    finished = seats.filter(
        origin=Match.Origin.HOSTED, match__state=Match.State.FINISHED, stand_in=False
    )
    latest = finished.order_by("-started_at", "-match_id").values_list(
        "match_id", "number", "total", "match__rounds"
    )[:LATEST]
    own = {match: (number, total, rounds) for match, number, total, rounds in latest}
    bots = Seat.objects.filter(match__in=own, kind=_BOT, temper__in=TEMPERS, level__isnull=False)
    results: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for match, number, temper, level, total in bots.values_list(
        "match_id", "number", "temper", "level", "total"
    ):
        seat, mine, _rounds = own[match]
        if number == seat or level is None or total is None or mine is None or total == mine:
            continue
        results[match].append((STRENGTHS[temper][level - 1], mine > total))
    found = level_of([Met(own[of][2], results[of]) for of in reversed(own) if results[of]])
    return None if found is None or (found.low, found.high) == _ANY else found
