"""New tables: their plans, and how they are opened. How they fill is `games.tables.joining`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from secrets import token_urlsafe
from typing import Any

from games.bots.roster import TEMPERS, BotSpec, names
from games.models import LiveTable
from games.tables import seats
from games.tables.plan import Plan, new_plan


def open_table(plan: Plan) -> LiveTable:
    """Open a table; it will be hosted within a second. Raises TooManyError."""
    return seats.create(plan)


def planned(
    edition: str, count: int, overrides: Mapping[str, Any] | None = None, *, private: bool = False
) -> Plan:
    """A plan with an id that nobody can guess and free seats; `private`: opened by its key."""
    plan = new_plan(token_urlsafe(9), edition, count, overrides or {})
    return with_new_key(plan) if private else plan


def with_new_key(plan: Plan) -> Plan:
    """Opened by another key than before."""
    return replace(plan, key=token_urlsafe(24))


def with_bots(plan: Plan, bots: Sequence[BotSpec]) -> Plan:
    """With these bots in the next free seats."""
    for name, bot in zip(names(bots), bots, strict=True):
        plan = plan.seat_bot(bot.temper, bot.level, name)
    return plan


def bots_for(plan: Plan, level: int) -> Plan:
    """With bots of different tempers in all free seats."""
    free = sum(not place.kind for place in plan.places)
    return with_bots(plan, [BotSpec(temper, level) for temper in list(TEMPERS)[:free]])
