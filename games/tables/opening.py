"""New tables: their plans, and their opening. `games.tables.joining` fills them.

Each of the `LIVE_HOUSE_MATCHES` places has one match of bots at a time. The database ensures this,
however many processes check.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from games.bots.roster import TEMPERS, BotSpec, names
from games.bots.skill import DEFAULT_LEVEL
from games.engine.editions import EDITIONS
from games.models import LiveTable
from games.people.classes import register
from games.people.person import Kind
from games.records.ids import new_id
from games.tables import seats
from games.tables.plan import OPEN_DELAY_MS, Plan, new_plan

FEWEST: Final = 3
SEAT_COUNTS: Final = 3
"""House matches have 3, 4 or 5 seats."""


class TooManyTablesError(ValueError):
    """As many tables are open as may be. The message says whose."""


def open_table(
    plan: Plan, opener: str = "", *, limited: bool = True, program: bool = False
) -> LiveTable:
    """Open a table. A process hosts it within a second. `opener`: the requester's kept network.

    `limited`: each person has the usual limit of tables. `program`: the lower limit of an address.
    Raises TooManySeatsError, TooManyTablesError.
    """
    table = seats.create(plan, limited=limited, opener=opener)
    # Counted afterwards: of two at the same moment, at least one sees both.
    there = LiveTable.objects.filter(over=False, house=None)
    words = ""
    if there.count() > settings.LIVE_TABLES:
        words = _("Too many tables are open here. Try again in a few minutes.")
    elif opener and _too_many(there.filter(opener=opener), program=program):
        words = _("Too many tables are open from your address. Try again in a few minutes.")
    if words:
        table.delete()
        raise TooManyTablesError(words)
    if plan.school_class and table.free:
        _tell_class(plan)
    return table


def _too_many(tables: QuerySet[LiveTable], *, program: bool) -> bool:
    of_programs = tables.filter(seated__person__startswith=f"{Kind.TOKEN.value}:").distinct()
    return tables.count() > settings.LIVE_TABLES_PER_ADDRESS or (
        program and of_programs.count() > settings.LIVE_PROGRAM_TABLES_PER_ADDRESS
    )


def _tell_class(plan: Plan) -> None:
    keeper = plan.keeper
    name = next(
        (place.name for place in plan.places if place.person and place.person == keeper), ""
    )
    account = int(keeper.key) if keeper and keeper.kind is Kind.ACCOUNT else None
    register().table_opened(plan.school_class, plan.id, name, account)


def planned(
    edition: str, count: int, overrides: Mapping[str, Any] | None = None, *, private: bool = False
) -> Plan:
    """A plan with an unguessable id and free seats. `private`: only its key opens it."""
    plan = new_plan(new_id(9), edition, count, overrides or {})
    return with_new_key(plan) if private else plan


def with_new_key(plan: Plan) -> Plan:
    return replace(plan, key=new_id(24))


def with_bots(plan: Plan, bots: Sequence[BotSpec]) -> Plan:
    """The plan with these bots in the next free seats."""
    for name, bot in zip(names(bots), bots, strict=True):
        plan = plan.seat_bot(bot.temper, bot.level, name)
    return plan


def against_bots_alone(plan: Plan, level: int) -> Plan:
    """The plan for a player whom no one may meet: private, unwatched, without a free seat."""
    closed = replace(plan if plan.key else with_new_key(plan), watching=False, chat=False)
    return bots_for(closed, level)


def bots_for(plan: Plan, level: int) -> Plan:
    """The plan with bots of different tempers in all free seats."""
    free = sum(not place.kind for place in plan.places)
    return with_bots(plan, [BotSpec(temper, level) for temper in list(TEMPERS)[:free]])


# House matches: public matches between bots, so that there is always something to watch.


def open_house_matches(count: int) -> int:
    """Open a match in each of `count` places that has none. Returns how many were opened."""
    if not count:
        return 0
    taken = LiveTable.objects.filter(over=False, house__isnull=False)
    held = set(taken.values_list("house", flat=True))
    return sum(_open_house(place) for place in range(count) if place not in held)


def _open_house(place: int) -> bool:
    """Open the next match of a place. False if another process was first."""
    last = LiveTable.objects.filter(house=place).aggregate(turn=Max("turn"))["turn"]
    turn = 0 if last is None else last + 1
    plan = house_plan(turn + place)
    try:
        with transaction.atomic():
            seats.create(plan, house=place, turn=turn)
    except IntegrityError:
        return False
    return True


def house_plan(turn: int) -> Plan:
    """The plan of the match with that number."""
    edition = list(EDITIONS)[turn % len(EDITIONS)]
    count = FEWEST + (turn + turn // SEAT_COUNTS) % SEAT_COUNTS
    tempers = list(TEMPERS)
    bots = [BotSpec(tempers[(turn + seat) % len(tempers)], DEFAULT_LEVEL) for seat in range(count)]
    plan = replace(planned(edition, count), open_delay_ms=OPEN_DELAY_MS)
    return with_bots(plan, bots)
