"""Lists of matches, at the same cost per page however many matches there are.

Every sort order has an index with `filter_bits` (`games.archive.filters`), so a page is a short
walk along an index, whatever the filters. It continues after a *mark* (the last row's sort key and
id) rather than at an offset. Nothing is ever counted over all matches, and no walk goes further
than its reach. Rare matches are found by indexes of their own. A page that reaches its limit says
so, and can be continued from there.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import (
    BooleanField,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.lookups import (
    Exact,
    GreaterThan,
    GreaterThanOrEqual,
    LessThan,
    LessThanOrEqual,
)

from games.archive.filters import BIT_RANGES, mask_of, pack
from games.models import Match, Seat

PAGE: Final = 16
"""Even, since wide screens show two columns."""
_EPOCH: Final = date(1970, 1, 1).toordinal()
REACH: Final = 5_000
"""The most matches that a page examines, in the list's order."""
REACH_SEATED: Final = 1_000
"""The same if each match's seats must be examined too."""
_FEW: Final = 500
"""When fewer matches than this share a trait, the page searches among them, not in order."""


def listed(match: str = "") -> Q:
    """Whether a match is public. `match` leads from a row to its match, as `match__`."""
    bits = BIT_RANGES["listed"]
    return Q(Exact(F(f"{match}filter_bits").bitand(bits.mask), bits.put(1)))


class Order(NamedTuple):
    """A sort order: its field, and whether the highest comes first."""

    field: str
    falling: bool
    spoils: bool
    """Whether the order itself gives away results or durations."""


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
    """The filters of a list. `values` by name (`games.archive.filters.BIT_RANGES`)."""

    values: Mapping[str, int] = {}
    players: Sequence[Sequence[int]] = ()
    """Matches with a player of each of these groups: a name may mean several players."""
    winners: Sequence[int] = ()
    """Matches that any of these won or drew."""
    since: date | None = None
    until: date | None = None
    order: str = "newest"
    among: Sequence[int] | None = None
    """Only these few matches, if any are named."""
    without: Collection[int] = ()
    """Not these few matches."""

    @property
    def sole_player(self) -> int | None:
        """The player along whose seats, in order of time, the matches are found at once."""
        by_time = ORDERS[self.order].field == "started_at"
        alone = (group[0] for group in self.players if by_time and len(group) == 1)
        return next(alone, None)


class SeatRow(NamedTuple):
    match: int
    number: int
    name: str
    kind: str
    total: int | None
    won: bool
    stand_in: bool
    """Whether a bot finished the match for its player."""
    absent: bool
    """Whether a bot played all of it."""
    of_class: bool = False
    """Whether the name is one that the match's class alone knows."""


class Row(NamedTuple):
    id: int
    edition: str
    started_at: datetime
    state: str
    source: str
    rounds: int
    ties: int
    duration_ms: int
    margin: int | None
    lead_history: str
    filter_bits: int
    origin: str
    header: str
    sender: str | None
    """The uploader, by their name at the time."""
    seats: Sequence[SeatRow] = ()


class Page(NamedTuple):
    """Some matches of a list, and the mark after which it continues. None at its end."""

    rows: list[Row]
    after: Mark | None
    cut: bool = False
    """Whether it stopped at its reach: more matches may follow, or none."""


def page_of(wanted: Filter, after: Mark | None = None, size: int = PAGE) -> Page:
    """A page of the list of public matches. Four queries, and a few more in a long list."""
    reach = _reach(wanted, after)
    few = _rare(wanted) if reach or wanted.among is not None else None
    if few is not None and not few:
        return Page([], None)
    edge = _edge(wanted, reach) if reach and few is None else None
    marks = list(_marks(wanted, after, edge, few)[: size + 1])
    rows = rows_of([pk for _, pk in marks[:size]])
    if len(marks) > size:
        return Page(rows, Mark(*marks[size - 1]))
    return Page(rows, edge, cut=edge is not None)


def rows_of(ids: Sequence[int]) -> list[Row]:
    """These matches with their seats, in this order. Two queries."""
    if not ids:
        return []
    fields = Row._fields[:-1]
    matches = Match.objects.filter(pk__in=ids).annotate(sender=F("upload__name"))
    rows = {row[0]: row for row in matches.values_list(*fields)}
    seats = seats_by_match(ids)
    return [Row._make((*rows[pk], seats[pk])) for pk in ids]


def seats_by_match(ids: Iterable[int]) -> dict[int, list[SeatRow]]:
    by_match: dict[int, list[SeatRow]] = defaultdict(list)
    columns = ("match_id", "number", "player__name", "kind", "total", "won", "stand_in")
    absent = ExpressionWrapper(Seat.ABSENT, output_field=BooleanField())
    seats = Seat.objects.filter(match__in=list(ids)).order_by("match_id", "number")
    for values in seats.values_list(*columns, absent):
        row = SeatRow(*values)
        by_match[row.match].append(row)
    return by_match


def _marks(
    wanted: Filter, after: Mark | None, edge: Mark | None = None, few: Sequence[int] | None = None
) -> QuerySet[Any]:
    """Sort keys and ids after a mark, in order: up to the edge, or among those few matches."""
    order = ORDERS[wanted.order]
    rows, pk, seats = _walk(wanted, after)
    within = _compared(GreaterThanOrEqual if order.falling else LessThanOrEqual, order, pk, edge)
    rows = rows.filter(_listed(wanted, seats=seats), *within)
    if few is not None:
        rows = rows.filter(**{f"{pk}__in": few})
    if wanted.without:
        rows = rows.exclude(**{f"{pk}__in": wanted.without})
    if seats:
        return _own(rows, wanted)
    groups = [*((players, {}) for players in wanted.players), (wanted.winners, {"won": True})]
    for players, won in groups:
        if players:
            # With the date, the player's index finds the seat at once.
            here = {"match": OuterRef("pk"), "started_at": OuterRef("started_at")}
            rows = rows.filter(Q(Exists(Seat.objects.filter(player__in=players, **won, **here))))
    return rows


def _walk(wanted: Filter, after: Mark | None) -> tuple[QuerySet[Any], str, bool]:
    """The rows to walk, the field with the match's id, and whether the rows are seats."""
    order = ORDERS[wanted.order]
    rows, pk, seats = _rows(wanted)
    if order.field == "started_at":
        rows = rows.filter(_days("started_at", wanted, _midnight))
    elif order.field == "margin":
        rows = rows.filter(margin__gte=0)
    beyond = _compared(LessThan if order.falling else GreaterThan, order, pk, after)
    rows = rows.filter(*beyond).order_by(
        *[F(name).desc() if order.falling else F(name).asc() for name in (order.field, pk)]
    )
    return rows.values_list(order.field, pk), pk, seats


def _rows(wanted: Filter) -> tuple[QuerySet[Any], str, bool]:
    """The rows to walk. A player's matches by time use the index of that player's seats."""
    if wanted.sole_player is not None:
        return Seat.objects.filter(player=wanted.sole_player), "match_id", True
    return Match.objects.all(), "id", False


def _reach(wanted: Filter, after: Mark | None) -> Mark | None:
    """The match at which a page's reach ends. None if there are fewer."""
    reach = REACH_SEATED if wanted.players or wanted.winners else REACH
    rows, _, _ = _walk(wanted, after)
    last = rows[reach - 2 : reach - 1].first()
    return last and Mark(*last)


def _edge(wanted: Filter, reach: Mark) -> Mark | None:
    """The last match that a page examines: a listed one, since its mark becomes public."""
    rows, _, seats = _walk(wanted, reach)
    last = rows.filter(_listed(Filter(order=wanted.order), seats=seats)).first()
    return last and Mark(*last)


def _own(seats: QuerySet[Any], wanted: Filter) -> QuerySet[Any]:
    """A player's seats, limited to matches with the other players and won by one of the requested
    winners, each match once."""
    # With the date, the player's index finds the seat at once.
    here = Seat.objects.filter(started_at=OuterRef("started_at"), match=OuterRef("match"))
    if wanted.winners:
        seats = seats.filter(Exists(here.filter(player__in=wanted.winners, won=True)))
    for players in wanted.players:
        if list(players) != [wanted.sole_player]:
            seats = seats.filter(Exists(here.filter(player__in=players)))
    # The same name can be in two seats of a match.
    earlier = here.filter(player=wanted.sole_player, number__lt=OuterRef("number"))
    return seats.filter(~Exists(earlier))


def _listed(wanted: Filter, *, seats: bool) -> Q:
    """The requested filter bits, and the dates if the order is not by date."""
    values = {"listed": 1, **wanted.values}
    bits: Any = F("filter_bits")
    asked = Q()
    if seats:  # evaluated per seat: PostgreSQL would join all matches to a thousand seats
        bits = Subquery(Match.objects.filter(pk=OuterRef("match_id")).values("filter_bits")[:1])
        asked = Q(shown__gt=Seat.Shown.NOTHING)
    asked &= Q(Exact(bits.bitand(mask_of(values)), pack(values)))
    if ORDERS[wanted.order].field == "started_at":
        return asked
    return asked & _days("day", wanted, day_number)


# --- Rare matches -------------------------------------------------------------------------


def _rare(wanted: Filter) -> Sequence[int] | None:
    """The ids of the only matches that can qualify, if they are few. Otherwise None."""
    if wanted.among is not None:
        return wanted.among
    for ids in _narrow(wanted):
        few = list(ids[:_FEW])
        if len(few) < _FEW:
            return few
    return None


def _narrow(wanted: Filter) -> Iterable[QuerySet[Any]]:
    """Ids of matches for single parts of the filter, each found in its own index."""
    matches = Match.objects.values_list("pk", flat=True)
    # In the index's order: PostgreSQL would read a player's whole part of it otherwise.
    seats = Seat.objects.order_by("player", "started_at").values_list("match_id", flat=True)
    if wanted.values:
        values = {"listed": 1, **wanted.values}
        mask, value = mask_of(values), pack(values)
        yield matches.filter(filter_bits__in=[kind for kind in kinds() if kind & mask == value])
    if wanted.winners:
        yield seats.filter(player__in=wanted.winners, won=True)
    if ORDERS[wanted.order].field != "started_at" and (wanted.since or wanted.until):
        yield matches.filter(_days("started_at", wanted, _midnight))
    for players in wanted.players:
        if list(players) != [wanted.sole_player]:
            yield seats.filter(player__in=players)


def with_remarks(most: int) -> list[int]:
    """The newest matches whose records came with notes."""
    notes = mask_of({"notes": 1})
    noted = Match.objects.filter(filter_bits__in=[kind for kind in kinds() if kind & notes])
    return list(noted.order_by("-pk").values_list("pk", flat=True)[:most])


def kinds() -> list[int]:
    """The distinct filter bits: a few hundred values, however many matches have them."""
    with connection.cursor() as cursor:
        cursor.execute(_KINDS)
        return [kind for (kind,) in cursor.fetchall()]


_KINDS: Final = """
WITH RECURSIVE kind(filter_bits) AS (
    SELECT min(filter_bits) FROM games_match
    UNION ALL
    SELECT (SELECT min(filter_bits) FROM games_match WHERE filter_bits > kind.filter_bits)
    FROM kind WHERE kind.filter_bits IS NOT NULL
) SELECT filter_bits FROM kind WHERE filter_bits IS NOT NULL"""
"""Hops through the index of filter bits from one value to the next."""


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


def _compared(compare: Callable[..., Any], order: Order, pk: str, to: Mark | None) -> list[Any]:
    """Sort key and id compared with a mark's as a pair, which an index answers directly."""
    if to is None:
        return []
    kind = DateTimeField() if isinstance(to.key, datetime) else IntegerField()
    mark = _Pair(Value(to.key, output_field=kind), Value(to.id))
    return [compare(_Pair(F(order.field), F(pk)), mark)]


class _Pair(Func):
    """Two values as one, `(a, b)`."""

    template = "(%(expressions)s)"
    output_field = IntegerField()
