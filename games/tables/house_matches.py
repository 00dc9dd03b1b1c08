"""House matches: public matches between bots, so that there is always something to watch.

Each of the `LIVE_HOUSE_MATCHES` places holds one match at a time; the database ensures this,
however many processes check. A place's matches rotate through editions, seat counts and
tempers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Max

from games.bots.roster import TEMPERS, BotSpec
from games.bots.skill import DEFAULT_LEVEL
from games.engine.editions import EDITIONS
from games.models import LiveTable
from games.tables import seats
from games.tables.opening import planned, with_bots
from games.tables.plan import OPEN_DELAY_MS, Plan

FEWEST: Final = 3
SEAT_COUNTS: Final = 3
"""House matches have 3, 4 or 5 seats."""


def open_missing(count: int) -> int:
    """Open a match in each of `count` places that has none; returns how many were opened."""
    if not count:
        return 0
    taken = LiveTable.objects.filter(over=False, house__isnull=False)
    held = set(taken.values_list("house", flat=True))
    return sum(_open(place) for place in range(count) if place not in held)


def _open(place: int) -> bool:
    """Open the next match of a place; False if another process was first."""
    last = LiveTable.objects.filter(house=place).aggregate(turn=Max("turn"))["turn"]
    turn = 0 if last is None else last + 1
    plan = plan_of(turn + place)
    try:
        with transaction.atomic():
            seats.create(plan, house=place, turn=turn)
    except IntegrityError:
        return False
    return True


def plan_of(turn: int) -> Plan:
    """The plan of the match with that number."""
    edition = list(EDITIONS)[turn % len(EDITIONS)]
    count = FEWEST + (turn + turn // SEAT_COUNTS) % SEAT_COUNTS
    tempers = list(TEMPERS)
    bots = [BotSpec(tempers[(turn + seat) % len(tempers)], DEFAULT_LEVEL) for seat in range(count)]
    plan = replace(planned(edition, count), open_delay_ms=OPEN_DELAY_MS)
    return with_bots(plan, bots)
