"""A class's season: its own matches over some days, and how its members did in them.

Standings are summed in the database: a class may have played thousands of matches.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from django.db.models import Count, Q, QuerySet, Sum

from games.models import Match, Seat
from games.people.names import in_order
from replays.models import ClassMember

POINTS, WON = "points", "won"
ORDERS: Final = (POINTS, WON)
"""The orders of standings."""


class Standing(NamedTuple):
    """How a member did. Equals share a place."""

    place: int
    member: ClassMember
    matches: int
    won: int
    """Won, or drew with the highest total."""
    points: int

    @property
    def mean(self) -> float:
        """Points a match."""
        return self.points / self.matches


def matches_of(
    key: str, since: date | None, until: date | None, without: Collection[int], *, coach: bool
) -> QuerySet[Match]:
    """The matches of the class with that key that are over, newest first: begun on these days.

    Only a `coach` sees those that everyone left before a round had ended.
    """
    rows = Match.objects.filter(school_class=key).exclude(state=Match.State.OPEN)
    if not coach:
        rows = rows.exclude(state=Match.State.ABANDONED, rounds__lte=1)
    if since:
        rows = rows.filter(started_at__gte=datetime.combine(since, time(), UTC))
    if until:
        rows = rows.filter(started_at__lt=datetime.combine(until + timedelta(days=1), time(), UTC))
    return rows.exclude(pk__in=without).order_by("-started_at", "-pk")


def of_members(matches: QuerySet[Match], members: Iterable[ClassMember]) -> QuerySet[Match]:
    """Those of these matches that any of these members played."""
    seats = Seat.objects.filter(user__in=[member.user_id for member in members])
    return matches.filter(pk__in=seats.values("match"))


def standings(
    members: Iterable[ClassMember], matches: QuerySet[Match], by: str = POINTS
) -> list[Standing]:
    """How members did in the finished ones of these matches, the best first. One query.

    A match that a bot played for a member from its beginning to its end is not theirs.
    """
    people = {member.user_id: member for member in members}
    finished = matches.filter(state=Match.State.FINISHED).order_by()
    sat = Seat.objects.filter(match__in=finished.values("pk"), user__in=people)
    seats = sat.exclude(Seat.ABSENT)
    summed = seats.values("user").annotate(
        played=Count("match", distinct=True),
        victories=Count("pk", filter=Q(won=True)),
        scored=Sum("total"),
    )
    rows = [
        Standing(0, people[row["user"]], row["played"], row["victories"], row["scored"] or 0)
        for row in summed
    ]
    other = WON if by == POINTS else POINTS
    rows.sort(key=lambda row: (-getattr(row, by), -getattr(row, other), in_order(row.member.name)))
    values = [getattr(row, by) for row in rows]
    return [
        row._replace(place=values.index(value) + 1) for row, value in zip(rows, values, strict=True)
    ]
