"""The lobby's lists, and the lookups a page makes before a visitor sits down."""

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.engine.editions import EDITION_NAMES
from games.models import Follow, LiveTable, Match
from games.people.classes import Called, classes_of, register
from games.people.person import Person
from games.people.rights import public, rights
from games.people.visitor import STRANGER
from games.tables import seats
from games.tables.house_rules import idle_words, words_of
from games.tables.plan import HUMAN, USUAL_IDLE_MS, Plan, from_json
from games.tables.state import OVER, SEATING

MOST_ROWS: Final = 24
MOST_OF_CLASS: Final = 100
FRESH: Final = timedelta(hours=2)
"""A table not filled within this time is no longer listed."""


class TableSummary(NamedTuple):
    """A table in a list: its plan, and its host's last report."""

    id: str
    plan: Plan
    phase: str
    watching: int
    totals: Sequence[int]
    round: int
    stand_ins: Sequence[int]
    """The seats of people for whom a bot is playing."""
    away: Sequence[int]
    """The seats of people who do not have the table open."""
    left: bool = False
    """Whether it is the visitor's own table, and a bot is playing for them."""

    @property
    def free(self) -> int:
        return sum(not place.kind for place in self.plan.places)

    @property
    def people(self) -> int:
        return len(self.plan.humans)

    @property
    def edition(self) -> str:
        return EDITION_NAMES[self.plan.edition]

    @property
    def house_rules(self) -> list[str]:
        rules = words_of(self.plan.overrides)
        waits = self.plan.bot_after_ms
        return rules if waits == USUAL_IDLE_MS else [*rules, idle_words(waits)]

    @property
    def begun(self) -> bool:
        """Whether it is too late to sit down."""
        return self.phase != SEATING


def table_of(table_id: str) -> TableSummary | None:
    """A table by its id, over or not."""
    return next(iter(_summaries(LiveTable.objects.filter(record_id=table_id))), None)


def key_of(table_id: str) -> str:
    """The key of a table, or of its match once the table is deleted. Empty: it has none."""
    shown = table_of(table_id)
    if shown:
        return shown.plan.key
    match = past_match(table_id)
    return match.token if match else ""


def past_match(table_id: str) -> Match | None:
    """The match of a table that may have been deleted."""
    return Match.objects.filter(record_id=table_id).first()


def match_number(table_id: str) -> int | None:
    """The number of a table's match in the archive, once it has begun."""
    return Match.objects.filter(record_id=table_id).values_list("pk", flat=True).first()


def waiting() -> list[TableSummary]:
    """Open tables with a free seat, newest first."""
    fresh = timezone.now() - FRESH
    tables = _summaries(_going().filter(public=True, phase=SEATING, free__gt=0, created__gt=fresh))
    return [table for table in tables if rights(STRANGER, table.plan.access).sit]


def playing(most: int = MOST_ROWS) -> list[TableSummary]:
    """Live matches that anyone may watch: those with people first, then the newest."""
    shown = _going().filter(public=True, watching=True).exclude(phase=SEATING)
    tables = _summaries(shown.order_by("-people", "-pk"), most)
    return [table for table in tables if public(table.plan.access)]


def followed(account: int) -> list[TableSummary]:
    """The live matches of players and classes that an account follows, as far as it may watch."""
    follows = Follow.objects.filter(user=account)
    players = follows.exclude(player=None).values("player")
    begun = Match.objects.filter(state=Match.State.OPEN, seats__player__in=players)
    keys = set(follows.filter(player=None).values_list("school_class", flat=True))
    mine = keys & classes_of(account).keys() if keys else set()
    wanted = Q(public=True, record_id__in=begun.values("record_id")) | Q(school_class__in=mine)
    tables = _summaries(_going().filter(wanted, watching=True).exclude(phase=SEATING))
    return [
        table for table in tables if public(table.plan.access) or table.plan.school_class in mine
    ]


def next_to(table_id: str) -> str | None:
    """The table to watch after this one: its rematch, the next house match there, or any other."""
    table = LiveTable.objects.filter(record_id=table_id).values("state", "house").first()
    rematch = table["state"].get("next") if table else None
    if rematch:
        return str(rematch)
    place = table["house"] if table else None
    house = _going().filter(house=place) if place is not None else LiveTable.objects.none()
    shown = _summaries(house, 1) or playing(1)
    return next((other.id for other in shown if other.id != table_id), None)


def of_class(key: str) -> list[TableSummary]:
    """A class's unfinished tables, newest first: for who is in it."""
    return _summaries(_going().filter(school_class=key), MOST_OF_CLASS)


def mine(
    persons: Sequence[Person], classes: Collection[str] = (), most: int = MOST_ROWS
) -> list[TableSummary]:
    """The tables at which one of these persons sits, newest first.

    Those of `classes`, which they are in, have the names that the class uses.
    """
    sat = _going().filter(pk__in=seats.of(persons).values("table"))
    tables = _summaries(sat, most) if persons else []
    known = {table.plan.school_class for table in tables}.intersection(classes)
    people = {key: register().called(key) for key in known}
    return [
        under_names(table, people.get(table.plan.school_class, ()))._replace(
            left=any(table.plan.seat_of(person) in table.stand_ins for person in persons)
        )
        for table in tables
    ]


def under_names(table: TableSummary, people: Iterable[Called]) -> TableSummary:
    """The table with these names of accounts."""
    return table._replace(plan=table.plan.under({one.account: one.name for one in people}))


def _going() -> QuerySet[LiveTable]:
    """Unfinished tables, newest first."""
    return LiveTable.objects.filter(over=False).exclude(phase__in=OVER).order_by("-pk")


def _summaries(tables: QuerySet[LiveTable], most: int = MOST_ROWS) -> list[TableSummary]:
    rows = tables.values_list("record_id", "plan", "state")[:most]
    return [_show(table_id, from_json(plan), state) for table_id, plan, state in rows]


def _show(table_id: str, plan: Plan, state: dict[str, Any]) -> TableSummary:
    totals = state.get("totals") or [0] * len(plan.places)
    phase, watching = state.get("phase", SEATING), state.get("watching", 0)
    sat = dict(enumerate(state.get("seats", ())))
    people = [seat for seat, place in enumerate(plan.places) if place.kind == HUMAN]
    # Someone who is away counts as a bot's seat before there is anything to play.
    begun = phase != SEATING
    stand_ins = [seat for seat in people if begun and seat in sat and sat[seat]["bot"]]
    away = [seat for seat in people if not (seat in sat and sat[seat]["here"])]
    played = state.get("round", 0)
    return TableSummary(table_id, plan, phase, watching, totals, played, stand_ins, away)
