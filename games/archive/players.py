"""Players with a public match, found by name or by when they played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.lookups import Exact

from games.archive.filters import BIT_RANGES
from games.archive.queries import Filter, page_of
from games.models import Match, Player, Seat
from games.people.names import alike, skeleton

_NAMES: Final = 12


def players_like(
    text: str, limit: int = _NAMES, among: QuerySet[Player] | None = None
) -> list[tuple[int, str]]:
    """Ids and names of players whose name starts with or contains the text, exact matches first.

    `among`: those who count; by default all `known_players`.
    """
    looks = skeleton(text)
    if not looks:
        return []
    there = known_players() if among is None else among
    similar = _players(there.filter(skeleton__startswith=looks), limit)
    if not similar:
        similar = _players(there.filter(skeleton__contains=looks), limit)
    return sorted(similar, key=lambda player: player[1] != text.strip())


class ListedPlayer(NamedTuple):
    """A player's name, and whether a bot played under it last."""

    name: str
    bot: bool


def newest_players(limit: int) -> list[ListedPlayer]:
    """The players in the latest public matches who have pages, newest first."""
    rows = page_of(Filter(), size=limit).rows
    named: dict[str, ListedPlayer] = {}
    for row in rows:
        for seat in row.seats:
            named.setdefault(seat.name, ListedPlayer(seat.name, seat.kind == "bot"))
    paged = with_pages(named)
    return [player for player in named.values() if player.name in paged][:limit]


def listed_players(text: str, limit: int) -> list[ListedPlayer]:
    similar = players_like(text, limit, players_with_pages())
    latest = Seat.objects.filter(player=OuterRef("pk")).order_by("-started_at", "-match")
    kinds = Player.objects.filter(pk__in=[pk for pk, _ in similar])
    by = dict(kinds.annotate(kind=Subquery(latest.values("kind")[:1])).values_list("pk", "kind"))
    return [ListedPlayer(name, by.get(pk) == "bot") for pk, name in similar]


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


def player_named(name: str) -> Player | None:
    """The player with a page of that name, or else the first whose name has its skeleton."""
    if "\0" in name:
        return None
    similar = players_with_pages().filter(skeleton=skeleton(name)).order_by("name")
    return similar.filter(name=name).first() or similar.first()


def players_alike() -> list[list[str]]:
    """Names of players with pages that have one skeleton."""
    return alike(players_with_pages().order_by("name").values_list("name", flat=True))


def with_pages(names: Iterable[str]) -> frozenset[str]:
    there = players_with_pages().filter(name__in=list(names))
    return frozenset(there.values_list("name", flat=True))


def _players(rows: QuerySet[Player], limit: int) -> list[tuple[int, str]]:
    return list(rows.order_by("skeleton", "name").values_list("pk", "name")[:limit])
