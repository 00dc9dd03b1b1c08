"""Players with a public match, found by name or by when they played."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery

from games.archive.queries import Filter, Row, page_of
from games.bots.base import Persona
from games.bots.roster import APART, persona_named
from games.models import Match, Player, Seat
from games.people.names import skeleton

_NAMES: Final = 12


def players_like(
    text: str, limit: int = _NAMES, among: QuerySet[Player] | None = None
) -> list[tuple[int, str]]:
    """Ids and names of players whose name starts with or contains the text, exact matches first.

    `among`: the players to search, by default all `known_players`. A bot's temper finds it too.
    """
    looks, bot = skeleton(text), persona_named(text.strip())
    if not looks:
        return []
    there = known_players() if among is None else among
    similar = _players(there.filter(skeleton__startswith=looks), limit)
    if not similar:
        similar = _players(there.filter(skeleton__contains=looks), limit)
    if not similar and bot:
        similar = _players(_of_bot(there, bot), limit)
    return sorted(similar, key=lambda player: player[1] != text.strip())


class Named(NamedTuple):
    """The players that a name may mean: ids and names."""

    players: list[tuple[int, str]]
    exact: bool

    @property
    def ids(self) -> list[int]:
        return [pk for pk, _ in self.players]


def named(text: str) -> Named:
    """The player of exactly that name, otherwise those with a similar one."""
    similar = players_like(text)
    exact = [player for player in similar if player[1] == text]
    return Named(exact or similar, bool(exact))


class ListedPlayer(NamedTuple):
    """A player's name, and whether a bot played under it last."""

    name: str
    bot: bool
    results: str = ""
    """W, D or L for each of the latest finished matches played here, newest last."""
    others: str = ""
    """The same of a bot's simulated ones, or of a person's imported ones."""


def newest_players(limit: int, without: Collection[int] = ()) -> list[ListedPlayer]:
    """The players in the latest public matches who have pages, newest first."""
    rows = page_of(Filter(without=without), size=limit).rows
    kinds = {seat.name: seat.kind == "bot" for row in rows[::-1] for seat in row.seats}
    seen = dict.fromkeys(seat.name for row in rows for seat in row.seats)
    paged, results = with_pages(seen), _results(rows)
    players = [ListedPlayer(name, kinds[name], *results[name]) for name in seen if name in paged]
    return players[:limit]


def listed_players(text: str, limit: int, without: Collection[int] = ()) -> list[ListedPlayer]:
    similar = players_like(text, limit, players_with_pages())
    if not similar:
        return []
    ids = [pk for pk, _ in similar]
    latest = Seat.objects.filter(player=OuterRef("pk")).order_by("-started_at", "-match")
    kinds = Player.objects.filter(pk__in=ids)
    by = dict(kinds.annotate(kind=Subquery(latest.values("kind")[:1])).values_list("pk", "kind"))
    results = _results(page_of(Filter(players=[ids], without=without), size=limit).rows)
    return [ListedPlayer(name, by.get(pk) == "bot", *results[name]) for pk, name in similar]


def _results(rows: Sequence[Row]) -> Mapping[str, tuple[str, str]]:
    """For each player in these matches, newest first, the results here, and a bot's simulated or a
    person's imported ones."""
    results: dict[str, tuple[str, str]] = defaultdict(lambda: ("", ""))
    for row in rows[::-1]:
        shared = sum(seat.won for seat in row.seats) > 1
        for seat in row.seats if row.state == Match.State.FINISHED else ():
            result = "L" if not seat.won else "D" if shared else "W"
            here, others = results[seat.name]
            other = Match.Origin.SIMULATED if seat.kind == "bot" else Match.Origin.IMPORTED
            if row.origin == Match.Origin.HOSTED:
                results[seat.name] = here + result, others
            elif row.origin == other:
                results[seat.name] = here, others + result
    return results


def known_players() -> QuerySet[Player]:
    """Players with a public match: a private match reveals no names."""
    return _with_seats(Match.Origin.values)


def players_with_pages() -> QuerySet[Player]:
    """`known_players` whose name is not only in uploaded records."""
    return _with_seats(set(Match.Origin.values) - {Match.Origin.UPLOADED})


def _with_seats(origins: Iterable[str]) -> QuerySet[Player]:
    # As a value, not EXISTS: PostgreSQL might join all seats.
    public = Seat.objects.filter(shown__in=(Seat.Shown.MATCH, Seat.Shown.RESULT))
    there = public.filter(player=OuterRef("pk"), origin__in=sorted(origins)).values("pk")[:1]
    return Player.objects.alias(seat_shown=Subquery(there)).filter(seat_shown__isnull=False)


def unnumbered(name: str) -> str:
    """A bot's own name: `Ragna` of `Ragna 2`, the second of them at a table."""
    return name.partition(" ")[0] if persona_named(name) and APART not in name else name


def player_named(name: str) -> Player | None:
    """The player with a page under that name or a former one, else the first of its skeleton.

    A bot's temper was its name once.
    """
    if "\0" in name:
        return None
    paged, bot = players_with_pages(), persona_named(name)
    similar = paged.filter(skeleton=skeleton(name)).order_by("name")
    return (
        similar.filter(name=name).first()
        or paged.filter(aliases__name=name).first()
        or similar.first()
        or (_of_bot(paged, bot).first() if bot else None)
    )


def _of_bot(players: QuerySet[Player], bot: Persona) -> QuerySet[Player]:
    """The player of a bot of the site's, not a person whose name it has."""
    apart = players.filter(aliases__name=bot.name + APART)
    return apart if apart.exists() else players.filter(name=bot.name)


def with_pages(names: Iterable[str]) -> frozenset[str]:
    there = players_with_pages().filter(name__in=list(names))
    return frozenset(there.values_list("name", flat=True))


def _players(rows: QuerySet[Player], limit: int) -> list[tuple[int, str]]:
    return list(rows.order_by("skeleton", "name").values_list("pk", "name")[:limit])
