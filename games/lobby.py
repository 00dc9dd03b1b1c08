"""The lobby's lists, and what a page asks before somebody may sit down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from games.hosting import LiveTable
from games.live.game import OVER, SEATING
from games.live.seating import Plan, from_json
from games.models import Match

MOST_SEATS: Final = 3
"""The most tables at which one person may have a seat at a time."""
MOST_ROWS: Final = 200
FRESH: Final = timedelta(hours=2)
"""A table that nobody has filled by then is not listed any more."""


class TooManyError(ValueError):
    """This person sits at enough tables already; the message says so."""


class Shown(NamedTuple):
    """A table in a list: its plan, and what its host said last."""

    id: str
    plan: Plan
    phase: str
    watching: int
    totals: Sequence[int]
    round: int

    @property
    def free(self) -> int:
        """How many seats are free."""
        return sum(not place.kind for place in self.plan.places)

    @property
    def people(self) -> int:
        """How many people sit there."""
        return len(self.plan.humans)

    @property
    def edition(self) -> str:
        """The edition's id."""
        return self.plan.edition

    @property
    def begun(self) -> bool:
        """Whether nobody can sit down any more."""
        return self.phase != SEATING


def check_may_sit(person: str) -> None:
    """Raise TooManyError if a person has enough seats."""
    count = len(mine(person))
    if count >= MOST_SEATS:
        raise TooManyError(f"You sit at {count} tables. Leave one of them first.")


def table_of(table_id: str) -> Shown | None:
    """A table by its id, over or not."""
    return next(iter(_shown(LiveTable.objects.filter(record_id=table_id))), None)


def match_number(table_id: str) -> int | None:
    """The number of a table's match in the archive, once it has begun."""
    return Match.objects.filter(record_id=table_id).values_list("pk", flat=True).first()


def waiting() -> list[Shown]:
    """Open tables with a free seat, newest first."""
    recent = _going(LiveTable.objects.filter(created__gt=timezone.now() - FRESH))
    return [one for one in recent if not one.begun and one.free and not one.plan.key]


def playing() -> list[Shown]:
    """Live matches that everybody may watch: those with people first, then the newest."""
    public = [one for one in _going() if one.plan.watching and not one.plan.key and one.begun]
    return sorted(public, key=lambda one: -one.people)


def mine(person: str) -> list[Shown]:
    """The tables at which a person sits, newest first."""
    return [one for one in _going() if one.plan.seat_of(person) is not None]


def _going(tables: QuerySet[LiveTable] | None = None) -> list[Shown]:
    """Tables that are not over; a site has few of them at a time."""
    found = LiveTable.objects.all() if tables is None else tables
    return [one for one in _shown(found.filter(over=False)) if one.phase not in OVER]


def _shown(tables: QuerySet[LiveTable]) -> list[Shown]:
    rows = tables.order_by("-pk").values_list("record_id", "plan", "state")[:MOST_ROWS]
    return [_show(table_id, from_json(plan), state) for table_id, plan, state in rows]


def _show(table_id: str, plan: Plan, state: dict[str, Any]) -> Shown:
    totals = state.get("totals") or [0] * len(plan.places)
    phase, watching = state.get("phase", SEATING), state.get("watching", 0)
    return Shown(table_id, plan, phase, watching, totals, state.get("round", 0))
