"""A club evening: a class's pupils are seated at several tables at once.

    nine at tables of four:             3, 3 and 3
    nine at tables of four, with bots:  3, 3 and 3, and a bot at each
    three at tables of two:             3, since no one sits alone

The groups are drawn anew each time. First everyone leaves those of the coach's tables that have not
begun and have one of the chosen pupils. So missing pupils are left out, the others are seated
again, and another group's tables stay. A pupil at another table of the class stays there: two
coaches who seat a class at once seat each once. A table waits for all its players, however long
they take, until those who are there vote to start it or a coach starts it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from random import SystemRandom
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from games.engine.cards import SEATS
from games.engine.editions import DEFAULT_EDITION
from games.pages.words import reason, sentence
from games.people.addresses import network_hash
from games.people.person import Person, account
from games.tables import joining, lobby, opening
from games.tables.lobby import TableSummary
from games.tables.plan import ALL, NOW, NoSeatError, Plan
from replays.classes.limits import ClassError
from replays.classes.membership import called
from replays.models import ClassMember, SchoolClass

SIZES: Final = tuple(range(2, SEATS + 1))


def shares(people: int, size: int) -> list[int]:
    """How many sit at each table: as even as can be, about `size`, and no one alone."""
    tables = max(1, min(-(-people // size), people // SIZES[0]))
    each, more = divmod(people, tables)
    return [each + 1] * more + [each] * (tables - more)


class Seating(NamedTuple):
    """How many tables were opened, and the pupils who sit at another table already, by name."""

    tables: int
    elsewhere: list[str]


@transaction.atomic
def seat(
    school_class: SchoolClass,
    coach: Any,
    pupils: Collection[ClassMember],
    size: int,
    *,
    bots: int,
    speedy: bool,
    network: str = "",
) -> Seating:
    """Seat pupils at tables of that size, and bots of level `bots` (0: none) in seats left over.

    Raises ClassError, and then nothing has changed.
    """
    if not pupils:
        raise ClassError(_("Choose who plays."))
    if size not in SIZES:
        raise ClassError(
            _("A table has {least} to {most} seats.").format(least=SIZES[0], most=SIZES[-1])
        )
    SchoolClass.objects.select_for_update().get(pk=school_class.pk)
    _clear(school_class.key, coach.pk, {account(pupil.user_id) for pupil in pupils})
    tables = lobby.of_class(school_class.key)
    taken = {place.person for table in tables for place in table.plan.places}
    elsewhere = sorted(pupil.name for pupil in pupils if account(pupil.user_id) in taken)
    free = [pupil for pupil in pupils if account(pupil.user_id) not in taken]
    if not free:
        raise ClassError(_("All of them sit at a table of the class already."))
    if len(free) == 1 and not bots:
        raise ClassError(_("One pupil alone needs bots at the table."))
    order = SystemRandom().sample(free, len(free))
    counts = shares(len(order), size)
    for count in counts:
        here, order = order[:count], order[count:]
        seats = max(count, size if bots else 0)
        plan = opening.planned(DEFAULT_EDITION, seats, {"speedy": True} if speedy else {})
        plan = _seated(plan, [pupil.user for pupil in here])
        plan = opening.bots_for(plan, bots) if bots else plan
        made = replace(plan, maker=account(coach.pk), school_class=school_class.key, begins=ALL)
        try:
            opening.open_table(made, network_hash(network), limited=False)
        except opening.TooManyTablesError as error:
            raise ClassError(reason(error)) from None
    return Seating(len(counts), elsewhere)


class Started(NamedTuple):
    """How many tables begin now, and how many do as soon as their free seats are taken."""

    now: int = 0
    later: int = 0


def start(key: str) -> Started:
    """Start the tables of a class that are waiting for players."""
    waiting = [table for table in lobby.of_class(key) if not table.begun and table.people]
    started = Started()
    for table in waiting:
        with suppress(NoSeatError):
            joining.change(table.id, lambda plan: replace(plan, begins=NOW))
            started = Started(started.now + (not table.free), started.later + bool(table.free))
    return started


def close(key: str, coach: int) -> None:
    """Free the seats of this coach's tables that have not begun."""
    with transaction.atomic():
        _clear(key, coach)


def _seated(plan: Plan, users: Sequence[User]) -> Plan:
    """Under the public names: the class's own are for the class alone."""
    try:
        for user in users:
            plan = plan.sit(account(user.pk), user.get_username())
    except NoSeatError as error:
        raise ClassError(_("Not seated. {error}").format(error=sentence(error))) from None
    return plan


def _clear(key: str, coach: int, group: Collection[Person] | None = None) -> None:
    """Free the seats of this coach's tables that have not begun. `group`: where one of it sits."""
    for table in lobby.of_class(key):
        if table.begun or table.plan.maker != account(coach):
            continue
        if group is not None and all(place.person not in group for place in table.plan.places):
            continue
        for place in table.plan.places:
            if place.person and place.person != table.plan.maker:
                with suppress(NoSeatError):
                    joining.stand_up(table.id, place.person)


def tables_of(key: str) -> list[TableSummary]:
    """A class's unfinished tables with people, newest first, under the names that it knows."""
    tables = [table for table in lobby.of_class(key) if table.people or table.begun]
    people = called(key)
    return [lobby.under_names(table, people) for table in tables]
