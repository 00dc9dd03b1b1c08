"""The matches that a person has played, those by link and without spectators too.

They are found by whose the seats are, never by a name: a name may change, and another person
may have had it.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from games.archive.queries import PAGE, Row, rows_of
from games.models import Seat
from games.people.person import Kind, Person


def matches_of(
    persons: Iterable[Person], page: int = 1, size: int = PAGE
) -> tuple[list[Row], bool]:
    """A page of the matches in which any of these sat, newest first, and whether more follow.

    Three queries; none for nobody. A guest's seats that an account has claimed are the account's.
    """
    owned = _owned(persons)
    if owned is None:
        return [], False
    seats = Seat.objects.filter(owned).order_by("-started_at", "-match")
    first = (page - 1) * size
    ids = list(seats.values_list("match", "started_at").distinct()[first : first + size + 1])
    return rows_of([match for match, _ in ids[:size]]), len(ids) > size


def _owned(persons: Iterable[Person]) -> Q | None:
    found = None
    for kind, key in persons:
        if kind is Kind.ACCOUNT:
            mine = Q(user=int(key))
        elif kind is Kind.GUEST:
            mine = Q(guest=key, user=None)
        else:
            continue
        found = mine if found is None else found | mine
    return found
