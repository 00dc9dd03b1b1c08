"""When somebody first practised: answered a drill's question, or raced ghosts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Min

from games.people.person import Person, encode
from replays.models import Attempt, Variation
from replays.models.notes import RACED


def first_drill(persons: Sequence[Person]) -> datetime | None:
    """When they first answered a drill over takes that were missed. One query."""
    of_drills = Attempt.objects.filter(chapter__study__drill=True, person__in=_names(persons))
    first: datetime | None = of_drills.aggregate(first=Min("answered"))["first"]
    return first


def first_race(persons: Sequence[Person]) -> datetime | None:
    """When they first kept a ghost race. One query."""
    raced = Variation.objects.filter(owner__in=_names(persons), tags__0=RACED)
    first: datetime | None = raced.aggregate(first=Min("created"))["first"]
    return first


def _names(persons: Sequence[Person]) -> list[str]:
    return [encode(person) for person in persons]
