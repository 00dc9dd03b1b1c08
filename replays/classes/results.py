"""Telling coaches that homework has been done, which `progress` reads from what was done."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.models import Match, Seat
from games.people.each import for_each
from replays.classes.homework import assignments_in, assignments_of
from replays.classes.progress import progress_of
from replays.models import Assignment, ClassMember, Homework, News
from replays.news import tell

LATELY: Final = timedelta(days=1)
"""What was done before is no news."""


def look(account: int | None) -> None:
    """Tell of homework that an account has just done. One query for whoever has none to do."""
    if account is not None:
        _tell(assignments_of(account).filter(told=None))


def look_round() -> None:
    """The same of matches whose player left before the end, and asks for no page: workers look."""
    since = timezone.now() - LATELY
    over = Seat.objects.filter(started_at__gte=since, match__state=Match.State.FINISHED)
    played = over.exclude(user=None).values("user")
    given = Homework.objects.filter(kind=Homework.Kind.MATCHES, deleted=None)
    rows = assignments_in(given.filter(school_class__deleted=None))
    rows = rows.filter(told=None, member__left=None, member__user__in=played)
    homework = list(rows.values_list("homework", flat=True).distinct())
    for_each(homework, lambda key: _tell(rows.filter(homework=key)), "telling of homework")


def _tell(rows: QuerySet[Assignment]) -> None:
    now = timezone.now()
    for row in progress_of(rows):
        if row.finished is None:
            continue
        with transaction.atomic():  # both or neither: it is told once
            told = Assignment.objects.filter(pk=row.assignment.pk, told=None).update(told=now)
            if told and row.finished >= now - LATELY:
                _tell_coaches(row.homework)


def _tell_coaches(homework: Homework) -> None:
    here = homework.school_class.members.filter(left=None)
    coaches = here.filter(role=ClassMember.Role.COACH).values_list("user", flat=True)
    tell(coaches, News.Kind.DONE, homework.key, "", again=True)
