"""New tables: their plans, and how they are opened. Filling them is `games.tables.joining`'s."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from games.bots.roster import TEMPERS, BotSpec, names
from games.models import LiveTable
from games.people.addresses import kept
from games.people.classes import register
from games.people.person import Kind
from games.records.ids import new_id
from games.tables import seats
from games.tables.plan import Plan, new_plan


class TooManyTablesError(ValueError):
    """As many tables are open as may be; the message says whose."""


def open_table(
    plan: Plan, network: str = "", *, limited: bool = True, program: bool = False
) -> LiveTable:
    """Open a table; a process hosts it within a second; `network`: where it is asked for.

    `limited`: nobody may sit at more tables than usual; `program`: an address has fewer of those.
    Raises TooManySeatsError, TooManyTablesError.
    """
    opener = kept(network) if network else ""
    table = seats.create(plan, limited=limited, opener=opener)
    # Counted afterwards: of two at the same moment, at least one sees both.
    there = LiveTable.objects.filter(over=False, house=None)
    whose = ""
    if there.count() > settings.LIVE_TABLES:
        whose = "here"
    elif opener and _too_many(there.filter(opener=opener), program=program):
        whose = "from your address"
    if whose:
        table.delete()
        raise TooManyTablesError(f"Too many tables are open {whose}. Try again in a few minutes.")
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
    """A plan with an unguessable id and free seats; `private`: only its key opens it."""
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
    """The plan for somebody whom nobody may meet: private, unwatched, without a free seat."""
    closed = replace(plan if plan.key else with_new_key(plan), watching=False, chat=False)
    return bots_for(closed, level)


def bots_for(plan: Plan, level: int) -> Plan:
    """The plan with bots of different tempers in all free seats."""
    free = sum(not place.kind for place in plan.places)
    return with_bots(plan, [BotSpec(temper, level) for temper in list(TEMPERS)[:free]])
