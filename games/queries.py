"""Lists of matches, asked so that a page costs the same however many matches there are.

Every order of a list has an index that also holds the traits (`games.traits`), so a page is
a short walk along an index, whatever is filtered by, and continues after a *mark* (the last
row's sort key and id) rather than at a number. Nothing is ever counted over all matches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import (
    DateTimeField,
    Exists,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.lookups import Exact, GreaterThan, LessThan

from games.models import Match, Player, Seat
from games.traits import SPANS, mask_of, pack

PAGE: Final = 25
_EPOCH: Final = date(1970, 1, 1).toordinal()
_FEW: Final = 1_000
"""Of a player with fewer matches, all are looked at; of others, those in the list's order."""
_NAMES: Final = 12


class Order(NamedTuple):
    """An order of a list: the field it goes by, and whether the highest comes first."""

    field: str
    falling: bool
    spoils: bool
    """Whether the order alone tells something of results or lengths."""


ORDERS: Final[Mapping[str, Order]] = {
    "newest": Order("started_at", True, False),
    "oldest": Order("started_at", False, False),
    "longest": Order("duration_ms", True, True),
    "shortest": Order("duration_ms", False, True),
    "closest": Order("margin", False, True),
    "ties": Order("ties", True, True),
}


class Mark(NamedTuple):
    """Where a page ended: the sort key and the id of its last match."""

    key: datetime | int
    id: int


class Filter(NamedTuple):
    """What a list is asked for; `traits` are values by name (`games.traits.SPANS`)."""

    traits: Mapping[str, int] = {}
    players: Sequence[int] = ()
    """Matches in which any of these sat."""
    winners: Sequence[int] = ()
    """Matches that any of these won or drew."""
    since: date | None = None
    until: date | None = None
    order: str = "newest"


class SeatRow(NamedTuple):
    """A seat as lists show it."""

    match: int
    number: int
    name: str
    kind: str
    total: int | None
    won: bool


class Row(NamedTuple):
    """A match as lists show it."""

    id: int
    edition: str
    started_at: datetime
    state: str
    source: str
    rounds: int
    ties: int
    duration_ms: int
    margin: int | None
    course: str
    traits: int
    seats: Sequence[SeatRow] = ()


class Page(NamedTuple):
    """Some matches of a list, and the mark after which it goes on; None at its end."""

    rows: list[Row]
    after: Mark | None


def page_of(wanted: Filter, after: Mark | None = None, size: int = PAGE) -> Page:
    """A page of the list of public matches. Three queries."""
    marks = list(_marks(wanted, after)[: size + 1])
    more = Mark(*marks[size - 1]) if len(marks) > size else None
    return Page(rows_of([pk for _, pk in marks[:size]]), more)


def rows_of(ids: Sequence[int]) -> list[Row]:
    """These matches with their seats, in this order. Two queries."""
    if not ids:
        return []
    fields = Row._fields[:-1]
    rows = {row[0]: row for row in Match.objects.filter(pk__in=ids).values_list(*fields)}
    seats = seats_of(ids)
    return [Row._make((*rows[pk], seats[pk])) for pk in ids]


def seats_of(ids: Iterable[int]) -> dict[int, list[SeatRow]]:
    """The seats of these matches, by match, as they sit."""
    found: dict[int, list[SeatRow]] = defaultdict(list)
    columns = ("match_id", "number", "player__name", "kind", "total", "won")
    seats = Seat.objects.filter(match__in=list(ids)).order_by("match_id", "number")
    for values in seats.values_list(*columns):
        row = SeatRow._make(values)
        found[row.match].append(row)
    return found


def _marks(wanted: Filter, after: Mark | None) -> QuerySet[Any]:
    order = ORDERS[wanted.order]
    if len(wanted.players) == 1 and order.field == "started_at":
        return _marks_of_player(wanted, order, after)
    matches = Match.objects.filter(_asked(wanted, order, ""), *_beyond(order, "id", after))
    for players, won in ((wanted.players, {}), (wanted.winners, {"won": True})):
        if players:
            matches = matches.filter(_seated(players, won))
    return matches.order_by(*_by(order, "id")).values_list(order.field, "id")


def _marks_of_player(wanted: Filter, order: Order, after: Mark | None) -> QuerySet[Any]:
    """A player's own matches by time: along the index of the player's seats."""
    player = wanted.players[0]
    seats = Seat.objects.filter(
        _asked(wanted, order, "match__"), *_beyond(order, "match_id", after), player=player
    )
    # With its date a seat is found in the player's index at once.
    here = Seat.objects.filter(started_at=OuterRef("started_at"), match=OuterRef("match"))
    if wanted.winners:
        seats = seats.filter(Exists(here.filter(player__in=wanted.winners, won=True)))
    # One name can sit in two seats of a match, which is listed once.
    earlier = here.filter(player=player, number__lt=OuterRef("number"))
    seats = seats.filter(~Exists(earlier))
    return seats.order_by(*_by(order, "match_id")).values_list(order.field, "match_id")


def _asked(wanted: Filter, order: Order, path: str) -> Q:
    """The traits and days asked for; `path` leads to the match."""
    traits = {"listed": 1, **wanted.traits}
    asked = Q(Exact(F(f"{path}traits").bitand(mask_of(traits)), pack(traits)))
    if order.field == "started_at":
        return asked & _days("started_at", wanted, _midnight)
    if order.field == "margin":
        asked &= Q(margin__gte=0)
    return asked & _days("day", wanted, day_number)


def _days(field: str, wanted: Filter, key: Callable[[date], Any]) -> Q:
    asked = Q()
    if wanted.since:
        asked &= Q(**{f"{field}__gte": key(wanted.since)})
    if wanted.until:
        asked &= Q(**{f"{field}__lt": key(wanted.until + timedelta(days=1))})
    return asked


def day_number(day: date) -> int:
    """A day counted from 1970-01-01, as `Match.day`."""
    return day.toordinal() - _EPOCH


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _by(order: Order, pk: str) -> list[Any]:
    return [F(name).desc() if order.falling else F(name).asc() for name in (order.field, pk)]


def _beyond(order: Order, pk: str, after: Mark | None) -> list[Any]:
    """What comes after the mark, compared as a pair, which an index answers at once."""
    if after is None:
        return []
    kind = DateTimeField() if isinstance(after.key, datetime) else IntegerField()
    mark = _Pair(Value(after.key, output_field=kind), Value(after.id))
    compare = LessThan if order.falling else GreaterThan
    return [compare(_Pair(F(order.field), F(pk)), mark)]


class _Pair(Func):
    """Two values as one, `(a, b)`."""

    template = "(%(expressions)s)"
    output_field = IntegerField()


def _seated(players: Sequence[int], fate: Mapping[str, bool]) -> Q:
    """Matches in which one of these players sat, with that fate."""
    seats = Seat.objects.filter(player__in=players, **fate)
    few = list(seats.values_list("match_id", flat=True)[:_FEW])
    if len(few) < _FEW:
        return Q(pk__in=set(few))
    return Q(Exists(seats.filter(match=OuterRef("pk"), started_at=OuterRef("started_at"))))


# --- Players ------------------------------------------------------------------------------


def players_like(text: str, limit: int = _NAMES) -> list[tuple[int, str]]:
    """Ids and names of players whose name begins with the text or else holds it, exact first."""
    folded = text.casefold().strip()
    if not folded:
        return []
    found = _players(Q(folded__startswith=folded), limit)
    if not found:
        found = _players(Q(folded__contains=folded), limit)
    return sorted(found, key=lambda player: player[1] != text.strip())


def known_players() -> QuerySet[Player]:
    """Players with a public match: a match by link tells nobody else who played in it."""
    listed = SPANS["listed"]
    public = Exact(F("match__traits").bitand(listed.mask), listed.put(1))
    return Player.objects.filter(Exists(Seat.objects.filter(public, player=OuterRef("pk"))))


def _players(wanted: Q, limit: int) -> list[tuple[int, str]]:
    named = known_players().filter(wanted).order_by("folded", "name")
    return list(named.values_list("pk", "name")[:limit])
