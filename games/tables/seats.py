"""The people at unfinished tables: one row each, so that queries need not read the plans.

Rows change in the same transaction as a table's plan, and are deleted when its match is over. A
person has at most `MOST_SEATS` numbered rows, enforced by the database: concurrent requests cannot
gain an extra seat. An automatic seat (in a rematch, or claimed from a guest) may exceed the limit,
and then has no number. Seats of tokens are not limited, nor is a guided round, which leaves room
for a table.
"""

from collections.abc import Sequence
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import LiveTable, Seated
from games.people.bots import bots_among
from games.people.person import Kind, Person, encode
from games.tables.plan import Plan, to_json

MOST_SEATS: Final = 3
"""The most tables at which one person may sit at a time."""


class TooManySeatsError(ValueError):
    """This person already sits at enough tables. The message says so."""


def planned_fields(plan: Plan) -> dict[str, Any]:
    """The fields of a `LiveTable` that its plan determines."""
    return {
        "plan": to_json(plan),
        "free": sum(not place.kind for place in plan.places),
        "people": len(plan.humans),
        "public": not plan.private,
        "school_class": plan.school_class,
        "watching": plan.watching,
    }


def create(plan: Plan, *, limited: bool = True, **fields: Any) -> LiveTable:
    """Create a table with its people. Raises TooManySeatsError if seats are `limited`."""
    plan = marked(plan)
    with transaction.atomic():
        table = LiveTable.objects.create(record_id=plan.id, **planned_fields(plan), **fields)
        note(table.pk, plan, limited=limited)
    return table


def marked(plan: Plan) -> Plan:
    """The plan in which bots' accounts are marked, to be stored. A query if there are accounts."""
    new = {
        place.person.key
        for place in plan.places
        if place.person and place.person.kind is Kind.ACCOUNT and not place.program
    }
    bots = bots_among(map(int, new)) if new else set()
    return plan.marked({str(bot) for bot in bots}) if bots else plan


def note(table: int, plan: Plan, *, limited: bool = True) -> None:
    """Record who sits at a table, within the change of its plan. Raises TooManySeatsError."""
    people = {encode(place.person): place.person for place in plan.places if place.person}
    rows = Seated.objects.filter(table=table)
    known = set(rows.values_list("person", flat=True))
    if known - people.keys():
        rows.exclude(person__in=people).delete()
    for text in sorted(people.keys() - known):
        _take(table, people[text], limited=limited, counts=not plan.guided)


def _take(table: int, person: Person, *, limited: bool, counts: bool) -> None:
    text = encode(person)
    if person.kind is Kind.TOKEN or not counts:
        Seated.objects.create(table_id=table, person=text)
        return
    for _again in range(MOST_SEATS + 1):
        number = _free_number(text)
        if number is None and limited:
            break
        try:
            with transaction.atomic():
                Seated.objects.create(table_id=table, person=text, number=number)
        except IntegrityError:  # the same person took another seat first
            continue
        return
    raise TooManySeatsError(
        _("You sit at {most} tables. Leave one of them first.").format(most=MOST_SEATS)
    )


def has_room(person: Person) -> bool:
    """Whether this person may sit at one more table."""
    return _free_number(encode(person)) is not None


def _free_number(text: str) -> int | None:
    rows = Seated.objects.filter(person=text).values_list("number", "table__plan__guided")
    taken = [number for number, guided in rows if not guided]
    if len(taken) >= MOST_SEATS:
        return None
    return min(set(range(MOST_SEATS)) - set(taken))


def clear(table: int) -> None:
    """Delete the rows of a finished match."""
    Seated.objects.filter(table=table).delete()


def of(persons: Sequence[Person]) -> QuerySet[Seated]:
    """These persons' seats at unfinished tables."""
    return Seated.objects.filter(person__in=list(map(encode, persons)))


def sits(match: str, persons: Sequence[Person]) -> bool:
    """Whether one of these persons sits at the match's table."""
    return of(persons).filter(table__record_id=match).exists()


def tables_of(person: Person) -> list[int]:
    return list(of([person]).values_list("table_id", flat=True))
