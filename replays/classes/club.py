"""A club evening: a class's pupils are seated at several tables at once.

    nine at tables of four:             3, 3 and 3
    nine at tables of four, with bots:  3, 3 and 3, and a bot at each
    three at tables of two:             3, since no one sits alone

Each group of the class has tables of its own, drawn anew each time. First the chosen pupils' groups
leave those of the coach's tables that have not begun and have one of the chosen. So missing pupils
are left out, the others are seated again, and other groups keep their seats. A pupil at another
table of the class stays there: two coaches who seat a class at once seat each once. A table waits
for all its players, however long they take, until those who are there vote to start it or a coach
starts it.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from random import SystemRandom
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.cards import SEATS
from games.engine.editions import DEFAULT_EDITION
from games.models import Seat
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
EVENING: Final = timedelta(hours=4)
"""How long a club evening is."""


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
    groups = school_class.pupils.filter(group__in={pupil.group for pupil in pupils})
    _clear(
        school_class.key,
        coach.pk,
        {account(pupil.user_id) for pupil in pupils},
        {account(user) for user in groups.values_list("user", flat=True)},
    )
    tables = lobby.of_class(school_class.key)
    taken = {place.person for table in tables for place in table.plan.places}
    elsewhere = sorted(pupil.name for pupil in pupils if account(pupil.user_id) in taken)
    free = [pupil for pupil in pupils if account(pupil.user_id) not in taken]
    if not free:
        raise ClassError(_("All of them sit at a table of the class already."))
    drawn = list(_draw_tables(free, size, alone=bots > 0))
    for here in drawn:
        seats = max(len(here), size if bots else 0)
        plan = opening.planned(DEFAULT_EDITION, seats, {"speedy": True} if speedy else {})
        plan = _full(_seat_pupils(plan, [pupil.user for pupil in here]), bots)
        made = replace(plan, maker=account(coach.pk), school_class=school_class.key, begins=ALL)
        try:
            opening.open_table(made, network_hash(network), limited=False)
        except opening.TooManyTablesError as error:
            raise ClassError(reason(error)) from None
    return Seating(len(drawn), elsewhere)


def _draw_tables(
    pupils: Sequence[ClassMember], size: int, *, alone: bool
) -> Iterator[list[ClassMember]]:
    """Pupils for each table, each group apart. `alone`: one pupil may sit with bots. Raises
    ClassError."""
    for group in sorted({pupil.group for pupil in pupils}):
        order = [pupil for pupil in pupils if pupil.group == group]
        if len(order) == 1 and not alone:
            said = _("{name} would sit alone. Fill empty seats with bots.")
            raise ClassError(said.format(name=order[0].name))
        SystemRandom().shuffle(order)
        for count in shares(len(order), size):
            here, order = order[:count], order[count:]
            yield here


def present_of(pupils: Collection[ClassMember], key: str) -> set[int]:
    """Those of a class's pupils who have played at its tables this evening. All, if none has."""
    users = [pupil.user_id for pupil in pupils]
    seats = Seat.objects.filter(user__in=users, started_at__gte=timezone.now() - EVENING)
    played = set(
        seats.exclude(Seat.ABSENT).filter(match__school_class=key).values_list("user", flat=True)
    )
    return {pupil.pk for pupil in pupils if not played or pupil.user_id in played}


def lacking(key: str) -> list[TableSummary]:
    """The waiting tables at which a seat is free, or whose players are not all there."""
    return [table for table in _waiting(key) if table.free or table.away]


def start(key: str, bots: int) -> int:
    """Start a class's waiting tables. Returns how many.

    `bots`: their level, in free seats and for players until they come. 0: only full tables.
    """
    left = set() if bots else {table.id for table in lacking(key)}
    started = 0
    for table in _waiting(key):
        if table.id not in left:
            with suppress(NoSeatError):
                joining.change(table.id, lambda plan: _full(replace(plan, begins=NOW), bots))
                started += 1
    return started


def _full(plan: Plan, bots: int) -> Plan:
    return opening.bots_for(plan, bots) if bots else plan


def _waiting(key: str) -> list[TableSummary]:
    return [table for table in lobby.of_class(key) if not table.begun and table.people]


def close(key: str, coach: int) -> None:
    """Free the seats of this coach's tables that have not begun."""
    with transaction.atomic():
        _clear(key, coach)


def _seat_pupils(plan: Plan, users: Sequence[User]) -> Plan:
    """Under the public names: the class's own are for the class alone."""
    try:
        for user in users:
            plan = plan.sit(account(user.pk), user.get_username())
    except NoSeatError as error:
        raise ClassError(_("Not seated. {error}").format(error=sentence(error))) from None
    return plan


def _clear(
    key: str,
    coach: int,
    chosen: Collection[Person] | None = None,
    leaving: Collection[Person] = (),
) -> None:
    """Free the seats of this coach's tables that have not begun. `chosen`: of those where one of
    them sits, and only the seats of people `leaving`."""
    for table in lobby.of_class(key):
        if table.begun or table.plan.maker != account(coach):
            continue
        here = {place.person for place in table.plan.places if place.person}
        if chosen is not None and here.isdisjoint(chosen):
            continue
        for person in here - {table.plan.maker}:
            if chosen is None or person in leaving:
                with suppress(NoSeatError):
                    joining.stand_up(table.id, person)


def tables_of(key: str) -> list[TableSummary]:
    """A class's unfinished tables with people, newest first, under the names that it knows."""
    tables = [table for table in lobby.of_class(key) if table.people or table.begun]
    people = called(key)
    return [lobby.under_names(table, people) for table in tables]
