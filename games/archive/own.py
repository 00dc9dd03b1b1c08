"""The matches a person has played, including private ones and those without spectators.

They are found by the person in a seat, never by name: a name may change, and may have been another
person's.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from games.archive.queries import PAGE, Row, rows_of
from games.engine.cards import SEATS
from games.models import Seat
from games.people.person import Kind, Person

REACH: Final = 5_000
"""How many of a person's latest seats lists look at."""
_EARLIEST: Final = datetime(1, 1, 1, tzinfo=UTC)


def matches_of(persons: Iterable[Person], page: int) -> tuple[list[Row], bool]:
    """A page of matches in which any of these persons played, newest first. Whether more follow.

    Three queries, none without persons. Seats that an account claimed from a guest count for the
    account.
    """
    first = (page - 1) * PAGE
    # No one has more than a few seats in a match.
    seats = latest_seats(persons, SEATS * (first + PAGE + 1)).order_by("-started_at", "-match")
    ids = list(seats.values_list("match", "started_at").distinct()[first : first + PAGE + 1])
    return rows_of([match for match, _ in ids[:PAGE]]), len(ids) > PAGE


def seats_played_by(persons: Iterable[Person]) -> QuerySet[Seat]:
    """The seats in which any of these persons played. Without persons there is no query."""
    return Seat.objects.filter(reduce(or_, map(_played_by, persons), Q(pk__in=())))


def latest_seats(persons: Iterable[Person], most: int = REACH) -> QuerySet[Seat]:
    """The latest so many seats of each of these persons. Without persons there is no query."""
    wanted = Q(pk__in=())
    for owned in map(_played_by, persons):
        newest = Seat.objects.filter(owned).order_by("-started_at").values("started_at")
        since = Coalesce(Subquery(newest[most - 1 : most]), Value(_EARLIEST))
        wanted |= owned & Q(started_at__gte=since)
    return Seat.objects.filter(wanted)


def _played_by(person: Person) -> Q:
    kind, key = person
    if kind is Kind.ACCOUNT:
        return Q(user=int(key))
    return Q(guest=key, user=None) if kind is Kind.GUEST else Q(pk__in=())


def numbers_in(
    matches: Collection[int] | QuerySet[Any], seats: QuerySet[Seat]
) -> dict[int, list[int]]:
    """For those of these matches that they are in, the numbers of these seats. One query."""
    numbers: dict[int, list[int]] = {}
    for match, number in seats.filter(match__in=matches).values_list("match", "number"):
        numbers.setdefault(match, []).append(number)
    return numbers
