"""Tables before their first deal: opened, joined and left by people, one change at a time.

Everything here is a short transaction that the views call; the table's host, in whatever
process, finds the new plan by its version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from secrets import token_urlsafe
from typing import Any

from django.db import transaction

from games.bots.roster import TEMPERS, Sitter, names
from games.hosting import LiveTable
from games.live.seating import NoSeatError, Plan, from_json, new_plan, to_json
from games.models import Match


def open_table(plan: Plan) -> LiveTable:
    """Open a table; it will be hosted within a second."""
    return LiveTable.objects.create(record_id=plan.id, plan=to_json(plan))


def planned(
    edition: str, seats: int, overrides: Mapping[str, Any] | None = None, *, private: bool = False
) -> Plan:
    """A plan with an id that nobody can guess and free seats; `private`: opened by its key."""
    plan = new_plan(token_urlsafe(9), edition, seats, overrides or {})
    return replace(plan, key=token_urlsafe(24)) if private else plan


def with_bots(plan: Plan, bots: Sequence[Sitter]) -> Plan:
    """With these bots in the next free seats."""
    for name, bot in zip(names(bots), bots, strict=True):
        plan = plan.seat_bot(bot.temper, bot.level, name)
    return plan


def bots_for(plan: Plan, level: int) -> Plan:
    """With bots of different tempers in all free seats."""
    free = sum(not place.kind for place in plan.places)
    return with_bots(plan, [Sitter(temper, level) for temper in list(TEMPERS)[:free]])


def change(match: str, how: Callable[[Plan], Plan]) -> Plan:
    """Change the plan of a table that has not been dealt. Raises NoSeatError, DoesNotExist."""
    with transaction.atomic():
        table = LiveTable.objects.select_for_update().get(record_id=match)
        if table.over or Match.objects.filter(record_id=match).exists():
            raise NoSeatError("the match has begun")
        plan = how(from_json(table.plan))
        table.plan, table.plan_version = to_json(plan), table.plan_version + 1
        table.save(update_fields=["plan", "plan_version"])
    return plan


def sit(match: str, person: str, name: str, seat: int | None = None) -> Plan:
    """Seat a person (`user:1`, `guest:key`, `token:hash`). Raises NoSeatError, DoesNotExist."""
    return change(match, lambda plan: plan.sit(person, name, seat))


def stand_up(match: str, person: str) -> Plan:
    """Free the seat of a person who sits there. Raises NoSeatError, DoesNotExist."""

    def leave(plan: Plan) -> Plan:
        seat = plan.seat_of(person)
        if seat is None:
            raise NoSeatError("this person does not sit here")
        return plan.stand_up(seat)

    return change(match, leave)


def stand_up_everywhere(person: str) -> None:
    """Free all seats of a person who will not come back; where cards are dealt, a bot plays on."""
    tables = LiveTable.objects.filter(over=False)
    for match, plan in tables.values_list("record_id", "plan"):
        if from_json(plan).seat_of(person) is not None:
            with suppress(NoSeatError):
                stand_up(match, person)
