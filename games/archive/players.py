"""Players with a public match, found by name or by when they played."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import Exact

from games.archive.filters import BIT_RANGES
from games.archive.queries import Filter, page_of
from games.models import Match, Player, Seat

_NAMES: Final = 12


def players_like(text: str, limit: int = _NAMES) -> list[tuple[int, str]]:
    """Ids and names of players whose name starts with or contains the text, exact matches first."""
    folded = text.casefold().strip()
    if not folded:
        return []
    found = _players(Q(folded__startswith=folded), limit)
    if not found:
        found = _players(Q(folded__contains=folded), limit)
    return sorted(found, key=lambda player: player[1] != text.strip())


class ListedPlayer(NamedTuple):
    """A player's name, and whether a bot played under it last."""

    name: str
    bot: bool


def newest_players(limit: int) -> list[ListedPlayer]:
    """The players in the latest public matches, newest first."""
    rows = page_of(Filter(), size=limit).rows
    named: dict[str, ListedPlayer] = {}
    for row in rows:
        for seat in row.seats:
            named.setdefault(seat.name, ListedPlayer(seat.name, seat.kind == "bot"))
    return list(named.values())[:limit]


def listed_players(text: str, limit: int) -> list[ListedPlayer]:
    """The players whose name is `players_like` the text."""
    found = players_like(text, limit)
    latest = Seat.objects.filter(player=OuterRef("pk")).order_by("-started_at", "-match")
    kinds = Player.objects.filter(pk__in=[pk for pk, _ in found])
    by = dict(kinds.annotate(kind=Subquery(latest.values("kind")[:1])).values_list("pk", "kind"))
    return [ListedPlayer(name, by.get(pk) == "bot") for pk, name in found]


def known_players() -> QuerySet[Player]:
    """Players with a public match: a private match reveals nobody's name."""
    listed = BIT_RANGES["listed"]
    public = Exact(F("match__filter_bits").bitand(listed.mask), listed.put(1))
    # As a value, not EXISTS: PostgreSQL would join all seats, since it assumes few are listed.
    seat = Subquery(Seat.objects.filter(public, player=OuterRef("pk")).values("pk")[:1])
    return Player.objects.alias(seat_shown=seat).filter(seat_shown__isnull=False)


def players_with_pages() -> QuerySet[Player]:
    """`known_players` whose name is more than what somebody wrote into an uploaded record."""
    listed = BIT_RANGES["listed"]
    public = Exact(F("match__filter_bits").bitand(listed.mask), listed.put(1))
    rows = Seat.objects.filter(public, player=OuterRef("pk"))
    played = rows.exclude(match__origin=Match.Origin.UPLOADED)
    return Player.objects.alias(played=Subquery(played.values("pk")[:1])).filter(
        played__isnull=False
    )


def _players(wanted: Q, limit: int) -> list[tuple[int, str]]:
    named = known_players().filter(wanted).order_by("folded", "name")
    return list(named.values_list("pk", "name")[:limit])
