"""The matches a person has played, including private ones and those without spectators.

They are found by the person in a seat, never by name: a name may change, and may have been another
person's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Q, QuerySet

from games.archive.queries import PAGE, Row, rows_of
from games.models import Seat
from games.people.person import Kind, Person


def matches_of(persons: Iterable[Person], page: int) -> tuple[list[Row], bool]:
    """A page of matches in which any of these persons played, newest first. Whether more follow.

    Three queries, none without persons. Seats that an account claimed from a guest count for the
    account.
    """
    seats = seats_played_by(persons).order_by("-started_at", "-match")
    first = (page - 1) * PAGE
    ids = list(seats.values_list("match", "started_at").distinct()[first : first + PAGE + 1])
    return rows_of([match for match, _ in ids[:PAGE]]), len(ids) > PAGE


def seats_played_by(persons: Iterable[Person]) -> QuerySet[Seat]:
    """The seats in which any of these persons played. Without persons there is no query."""
    owned = Q(pk__in=())
    for kind, key in persons:
        if kind is Kind.ACCOUNT:
            owned |= Q(user=int(key))
        elif kind is Kind.GUEST:
            owned |= Q(guest=key, user=None)
    return Seat.objects.filter(owned)


def numbers_in(
    matches: Collection[int] | QuerySet[Any], seats: QuerySet[Seat]
) -> dict[int, list[int]]:
    """For those of these matches that they are in, the numbers of these seats. One query."""
    numbers: dict[int, list[int]] = {}
    for match, number in seats.filter(match__in=matches).values_list("match", "number"):
        numbers.setdefault(match, []).append(number)
    return numbers
