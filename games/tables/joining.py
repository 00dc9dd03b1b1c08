"""Tables before their first deal: opened, joined and left by people, one change at a time.

Each function is one short transaction, called by the views. The table's host, in whatever
process, notices the new plan by its version.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction

from games.models import (
    ChatComplaint,
    ChatLine,
    ChatMute,
    Embargo,
    LiveTable,
    Match,
    MatchComplaint,
    Seat,
    Upload,
)
from games.people.guests import guest_of
from games.people.keepers import keepers, move
from games.people.person import Person, account
from games.records.plural import counted
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
    """Free all seats of a person who will not return; after the deal, a bot plays on instead."""
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


def claimable(session: SessionBase) -> list[str]:
    """What this session's guest has that no account owns yet, in words such as "2 matches"."""
    guest = guest_of(session)
    return _kept(guest) if guest else []


def _kept(guest: Person) -> list[str]:
    seats = Seat.objects.filter(guest=guest.key, user=None).count()
    matches = [counted(seats, "match", "matches")] if seats else []
    return [*matches, *(words for keeper in keepers() for words in keeper.kept(guest))]


def claim(user: AbstractBaseUser, session: SessionBase) -> list[str]:
    """Give an account all that this session's guest has: seats, those at tables too, and words.

    Returns what `claimable` said. A mute and an embargo go with their person.
    """
    guest = guest_of(session)
    if guest is None:
        return []
    claimed, new = _kept(guest), account(user.pk)
    hand_over(guest, new, user.get_username())
    with transaction.atomic():
        Seat.objects.filter(guest=guest.key, user=None).update(user=user)
        for kind, once in (
            (Upload, ()),
            (MatchComplaint, ("match",)),
            (Embargo, ("match", "chapter")),
            (ChatLine, ()),
            (ChatComplaint, ("line",)),
            (ChatMute, ("room",)),
        ):
            move(kind, "person", guest, new, once)
        for keeper in keepers():
            keeper.hand_over(guest, new)
    return claimed
