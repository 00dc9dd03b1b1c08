"""Rights in stored matches: from a match's row, and from its seats only where they matter."""

from collections.abc import Sequence
from typing import cast

from django.utils.functional import SimpleLazyObject

from games.models import Match
from games.people.embargoes import Embargoed
from games.people.person import Person, account, guest
from games.people.rights import Access


def access_of(match: Match) -> Access:
    """A stored match's rules of access. One query, if its seats are needed."""
    seats = SimpleLazyObject(lambda: persons_seated(match))
    return Access(
        by_link=match.visibility != Match.Visibility.PUBLIC,
        key=match.token,
        school_class=match.school_class,
        spectators=match.spectators.get("watching", True),
        open_delay_ms=match.spectators.get("open_delay_ms", 0),
        chat=match.spectators.get("chat", True),
        secret=match.hidden,
        over=match.over,
        seats=cast("Sequence[Person | None]", seats),
        embargoed=Embargoed(match),
    )


def persons_seated(match: Match) -> list[Person | None]:
    """Each seat's person, as far as the site knows them. One query, unless they are prefetched."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    return [person_of(seat.user_id, seat.guest) for seat in seats]


def person_of(user: int | None, key: str) -> Person | None:
    """A seat's person: its account's, or its guest's. None without either."""
    if user is not None:
        return account(user)
    return guest(key) if key else None
