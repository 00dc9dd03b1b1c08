"""Who opened the chapters that ask nothing: a row for each learner and chapter.

Opening a question is kept with its attempts. Visitors whom the site does not know yet, without an
account or a guest's name, leave nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from games.people.person import Kind, Person, encode
from games.people.visitor import Visitor
from replays.models import Chapter, Reading

MOST: Final = 2_000
"""The learners of a chapter that are kept."""
APART: Final = timedelta(minutes=1)
"""Opening a chapter again within this time writes nothing."""


def opened(chapter: Chapter, visitor: Visitor) -> bool:
    """Keep that a learner has opened a chapter now; whether it was for the first time."""
    if not visitor.named:
        return False
    now, names = timezone.now(), [encode(person) for person in visitor.persons]
    known = chapter.readings.filter(person__in=names).order_by("pk").first()
    if known is not None:
        if now - known.last >= APART:
            chapter.readings.filter(pk=known.pk).update(last=now)
    elif chapter.readings.count() < MOST:
        said = {
            "user_id": _account(visitor.person),
            "name": visitor.name,
            "first": now,
            "last": now,
        }
        return Reading.objects.get_or_create(chapter=chapter, person=names[0], defaults=said)[1]
    return False


def _account(person: Person | None) -> int | None:
    return int(person.key) if person is not None and person.kind is Kind.ACCOUNT else None
