"""Homework that is played: so many matches, or ghost races."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, Q

from games.bots.patient import PATIENT
from games.models import Match, Seat
from replays.models import Assignment, Homework, Variation
from replays.models.notes import RACED

MOST_PLAYED: Final = 20
"""Matches or races of one piece of homework."""


@dataclass(frozen=True)
class Play:
    """Something to play, as work to give: `Homework.Kind.MATCHES` or `RACES`."""

    kind: Homework.Kind
    count: int


class Played(NamedTuple):
    """A match, or a race in one: the key of the what-if as which it is kept."""

    began: datetime
    over: datetime
    match: int
    race: str = ""


def played(rows: Sequence[Assignment]) -> dict[int, list[Played]]:
    """The first matches or races since each assignment was given. One query for each kind."""
    kinds = {row.homework.kind for row in rows}
    users = {row.member.user_id for row in rows}
    since = min((row.homework.given for row in rows), default=None)
    done: dict[tuple[str, int], list[Played]] = {}
    for kind, of_kind in ((Homework.Kind.MATCHES, _matches), (Homework.Kind.RACES, _races)):
        for user, play in of_kind(users, since) if since and kind in kinds else ():
            done.setdefault((kind, user), []).append(play)
    return {row.pk: list(_first(row, done)) for row in rows}


def _first(row: Assignment, done: dict[tuple[str, int], list[Played]]) -> Iterator[Played]:
    """What counts: since it was given, while they were in the class, and no more than asked."""
    own = done.get((row.homework.kind, row.member.user_id), [])
    until = row.member.left
    here = [
        play
        for play in own
        if play.began >= row.homework.given and (until is None or play.over <= until)
    ]
    yield from here[: row.homework.count]


def has_played(user: str, since: datetime) -> Q:
    """Whether the account in that field of a query has begun a match, or kept a branch, since."""
    seats = Seat.objects.filter(user=OuterRef(user), started_at__gte=since)
    return Exists(seats) | Exists(Variation.objects.filter(user=OuterRef(user), created__gte=since))


def _matches(users: Collection[int], since: datetime) -> Iterator[tuple[int, Played]]:
    """Finished matches but guided ones, and those that a bot finished for them."""
    seats = Seat.objects.filter(user__in=users, stand_in=False, started_at__gte=since)
    over = seats.filter(match__state=Match.State.FINISHED, origin=Match.Origin.HOSTED)
    rows = over.exclude(match__seats__temper=PATIENT).order_by("started_at", "pk")
    named = "user", "match", "started_at", "match__duration_ms"
    for user, match, began, ms in rows.values_list(*named):
        yield user, Played(began, began + timedelta(milliseconds=ms), match)


def _races(users: Collection[int], since: datetime) -> Iterator[tuple[int, Played]]:
    rows = Variation.objects.filter(user__in=users, tags__0=RACED, created__gte=since)
    named = "user", "created", "match", "key"
    for user, at, match, key in rows.order_by("created").values_list(*named):
        yield user, Played(at, at, match, key)
