"""Reading ratings: the tables of an edition, a player's ratings and their history."""

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import OuterRef, Q, Subquery

from games.models import Match, Player
from replays.models import Rating, RatingChange
from replays.ratings.standing import Standing

SHOWN: Final = 50
HISTORY: Final = 1_000
"""The latest matches in a player's history."""


class Rated(NamedTuple):
    """A player in a table of ratings."""

    name: str
    standing: Standing


class RatingStep(NamedTuple):
    """A match in a player's history, and the standing after it."""

    match: int
    ended_at: datetime
    place: int
    standing: Standing


class RatingMove(NamedTuple):
    """A match's effect on a player's rating. `before`: None if it was their first."""

    player: int
    name: str
    before: float | None
    """The mu before the match."""
    standing: Standing


_STANDING: Final = ("mu", "sigma", "matches")


def table(edition: str, held: Collection[int] = ()) -> list[Rated]:
    """The highest ratings of an edition. Provisional ones come last. One query.

    `held`: the players whose ratings would reveal a match that is hidden from the visitor.
    """
    rows = Rating.objects.filter(edition=edition).order_by("provisional", "-mu", "player__name")
    rated = rows.exclude(player__in=held).values_list("player__name", *_STANDING)[:SHOWN]
    return [Rated(name, Standing(*standing)) for name, *standing in rated]


def moved_by(matches: Collection[int]) -> dict[int, str]:
    """The players rated by these matches, and their names. One query, none without matches."""
    if not matches:
        return {}
    rows = RatingChange.objects.filter(match__in=matches).order_by("player__name")
    return dict(rows.values_list("player", "player__name"))


def ratings_of(player: Player) -> dict[str, Standing]:
    """A player's ratings by edition. One query."""
    rows = Rating.objects.filter(player=player).order_by("-matches", "edition")
    return {edition: Standing(*of) for edition, *of in rows.values_list("edition", *_STANDING)}


def history(player: Player, edition: str, most: int = HISTORY) -> list[RatingStep]:
    """A player's latest rated matches in an edition, oldest first. One query."""
    rows = RatingChange.objects.filter(
        player=player, edition=edition, match__visibility=Match.Visibility.PUBLIC
    ).order_by("-ended_at", "-match__record_id")
    steps = rows.values_list("match_id", "ended_at", "place", *_STANDING)[:most]
    return [RatingStep._make([*row[:3], Standing(*row[3:])]) for row in steps][::-1]


def moves_of(match: Match) -> list[RatingMove]:
    """A match's effect on its players' ratings, the best place first. One query."""
    earlier = Q(ended_at__lt=OuterRef("ended_at")) | Q(
        ended_at=OuterRef("ended_at"), match__record_id__lt=OuterRef("match__record_id")
    )
    theirs = RatingChange.objects.filter(
        earlier,
        ended_at__lte=OuterRef("ended_at"),  # as said by `earlier`, but found in the index
        player=OuterRef("player"),
        edition=OuterRef("edition"),
    ).order_by("-ended_at", "-match__record_id")
    rows = (
        RatingChange.objects.filter(match=match)
        .annotate(before=Subquery(theirs.values("mu")[:1]))
        .order_by("place", "player__name")
        .values_list("player", "player__name", "before", *_STANDING)
    )
    return [RatingMove._make([*row[:3], Standing(*row[3:])]) for row in rows]
