"""Tables before their first deal: opened, joined and left by people, one change at a time.

Each function is one short transaction, called by the views. The table's host, in whatever
process, notices the new plan by its version.
"""

from collections.abc import Callable
from contextlib import suppress

from django.db import transaction

from games.models import LiveTable, Match
from games.people.person import Person
from games.tables import seats
from games.tables.plan import NoSeatError, Plan, from_json


def change(match: str, how: Callable[[Plan], Plan]) -> Plan:
    """Change the plan of a table that has not been dealt.

    Raises NoSeatError, TooManySeatsError, DoesNotExist.
    """
    with transaction.atomic():
        table = LiveTable.objects.select_for_update().get(record_id=match)
        if table.over or Match.objects.filter(record_id=match).exists():
            raise NoSeatError("the match has begun")
        plan = seats.marked(how(from_json(table.plan)))
        _write(table, plan)
    return plan


def _write(table: LiveTable, plan: Plan, *, limited: bool = True) -> None:
    fields = {**seats.planned_fields(plan), "plan_version": table.plan_version + 1}
    for name, value in fields.items():
        setattr(table, name, value)
    table.save(update_fields=list(fields))
    seats.note(table.pk, plan, limited=limited)


def sit(
    match: str, person: Person, name: str, seat: int | None = None, *, by_hand: bool = False
) -> Plan:
    """Seat a person. Raises as `change`."""
    return change(match, lambda plan: plan.sit(person, name, seat, by_hand=by_hand))


def stand_up(match: str, person: Person) -> Plan:
    """Free the seat of a person who sits there. Raises NoSeatError, DoesNotExist."""

    def leave(plan: Plan) -> Plan:
        seat = plan.seat_of(person)
        if seat is None:
            raise NoSeatError("this person does not sit here")
        return plan.stand_up(seat)

    return change(match, leave)


def stand_up_everywhere(person: Person) -> None:
    """Free all seats of a person who will not return. After the deal, a bot takes over instead."""
    for match in _matches_of(person):
        with suppress(NoSeatError):
            stand_up(match, person)


def hand_over(old: Person, new: Person, name: str) -> None:
    """Give all seats of `old` to `new`, under that name, before or after the deal.

    At a table where both sit, each keeps their seat. In a match that has begun the name stays.
    """
    for match in _matches_of(old):
        with transaction.atomic():
            table = LiveTable.objects.select_for_update().get(record_id=match)
            begun = Match.objects.filter(record_id=match).exists()
            plan = from_json(table.plan)
            if plan.seat_of(new) is None:
                _write(table, plan.hand_over(old, new, "" if begun else name), limited=False)


def _matches_of(person: Person) -> list[str]:
    tables = LiveTable.objects.filter(pk__in=seats.tables_of(person), over=False)
    return list(tables.values_list("record_id", flat=True))
