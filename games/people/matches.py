"""Rights in stored matches: from a match's row, and from its seats only where they matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.models import Match
from games.people import embargoes
from games.people.embargoes import Embargoed
from games.people.person import Person, account, guest
from games.people.rights import Access, Rights, rights
from games.people.sessions import in_own_thread, visitor_by_key, visitor_of
from games.people.visitor import Visitor


def access_of(match: Match) -> Access:
    """What a stored match says about who may enter. One query, if its seats are needed."""
    seats = SimpleLazyObject(lambda: persons_seated(match))
    return Access(
        by_link=match.visibility != Match.Visibility.PUBLIC,
        key=match.token,
        spectators=match.spectators.get("watching", True),
        open_delay_ms=match.spectators.get("open_delay_ms", 0),
        chat=match.spectators.get("chat", True),
        secret=match.hidden,
        over=match.over,
        seats=cast("Sequence[Person | None]", seats),
        embargoed=Embargoed(match),
    )


def persons_seated(match: Match) -> list[Person | None]:
    """Each seat's person, as far as the site knows them. One query."""
    owners = match.seats.order_by("number").values_list("user_id", "guest")
    return [_owner(user, key) for user, key in owners]


def _owner(user: int | None, key: str) -> Person | None:
    if user is not None:
        return account(user)
    return guest(key) if key else None


async def embargoed_by_session(session_key: str | None, table_id: str) -> bool:
    """Whether a session's visitor must not see the match of a table now. Raises DatabaseError."""

    def work(key: str | None) -> bool:
        return embargoes.holds(table_id, visitor_by_key(key).persons)

    return bool(session_key) and await in_own_thread(work, session_key)


def rights_in(request: HttpRequest, match: Match) -> Rights:
    """What the requester may do with a match; who that is is looked up only if it matters."""
    visitor = SimpleLazyObject(lambda: visitor_of(request))
    return rights(cast("Visitor", visitor), access_of(match))
