"""Queries of the stored data of a player's matches.

Only public matches are read, and those of a class for its members: figures of a private match, even
summed with others, would reveal it. Matches played here and simulated here are never mixed.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from games.archive.own import latest_seats
from games.bots.patient import PATIENT
from games.engine.message import spoken
from games.models import Match, Player, Seat
from games.people import person
from replays.analysis.players.counts import Counts
from replays.analysis.players.figures import UNCOUNTED, MatchFigures
from replays.analysis.players.priorities import Priced
from replays.analysis.players.worth import Cost
from replays.analysis.versions import MEASURES_VERSION
from replays.models import SeatFigures

LATEST: Final = 1_000
"""How many of a player's latest matches are read, so that no page is slow."""

_COUNTED: Final = Counts._fields


class Played(NamedTuple):
    """A finished match of a player. `counted` is None until its figures are stored."""

    match: int
    number: int
    seat: int
    """Its row."""
    kind: str
    edition: str
    seats: int
    started_at: datetime
    rounds: int
    total: int
    won: bool
    winners: int
    stand_in: bool
    """Whether a bot finished it: it counts by its result alone."""
    counted: Counts | None

    @property
    def result(self) -> str:
        """W, D for a shared first place, or L."""
        if not self.won:
            return "L"
        return "W" if self.winners.bit_count() == 1 else "D"

    @property
    def points(self) -> str:
        """The total as text."""
        return spoken(self.total)

    @property
    def entry(self) -> MatchFigures:
        """Its contribution to figures. Without stored figures, its result alone."""
        won = self.result == "W"
        counted = UNCOUNTED if self.stand_in else self.counted or UNCOUNTED
        return MatchFigures(won, self.total, self.rounds, counted)


def matches_of(player: Player, origin: Match.Origin) -> list[Played]:
    """A player's latest finished matches, newest first, at most `LATEST` + 1. One query."""
    return _played_matches(results_of(player, origin))


def results_of(player: Player, origin: Match.Origin) -> QuerySet[Seat]:
    """The seats of a player in finished public matches of that origin."""
    return Seat.objects.filter(player=player, origin=origin, shown=Seat.Shown.RESULT)


def hosted_of(account: int, school_class: str = "") -> list[Played]:
    """The same of an account's matches that were played here, under whatever name. One query.

    `school_class`: also of the matches of that class, for its members alone.
    """
    seats = latest_seats([person.account(account)]).filter(origin=Match.Origin.HOSTED)
    return _played_matches(seats, school_class)


def _played_matches(seats: QuerySet[Seat], school_class: str = "") -> list[Played]:
    own = ("match_id", "number", "pk", "kind")
    game = [f"match__{name}" for name in ("edition", "seat_count", "started_at", "rounds")]
    outcome = ("total", "won", "match__winners", "stand_in")
    figures = [f"figures__{name}" for name in ("version", *_COUNTED)]
    rows = (
        _finished(seats, school_class)
        .order_by("-started_at", "-match_id")
        .values_list(*own, *game, *outcome, *figures)
    )
    return [
        Played._make([*row[:12], Counts._make(row[13:]) if row[12] == MEASURES_VERSION else None])
        for row in rows[: LATEST + 1]
    ]


class PricedAt(NamedTuple):
    """A match of a player, priced, and when it was."""

    at: datetime
    number: int
    """The seat."""
    priced: Priced


def priced_in(played: Sequence[Played]) -> list[PricedAt]:
    """The cost of weaknesses to a player in these matches, oldest first, without uncounted ones,
    those that a bot finished for them, and those that someone left in the first round. One query.
    """
    rows = SeatFigures.objects.filter(pk__in=[match.seat for match in played])
    costs = dict(rows.values_list("pk", "costs"))
    return [
        _priced_at(match.started_at, match.number, match.match, counted.rounds, costs[match.seat])
        for match in reversed(played)
        if (counted := match.counted) and counted.rounds and not match.stand_in
        if costs[match.seat]
    ]


def priced_of(
    seats: QuerySet[Seat], *, private: bool = False, school_class: str = ""
) -> list[PricedAt]:
    """The same for the latest matches played here with these seats. `private`: they are the
    reader's own, so matches that only they may see count too. `school_class`: for members of that
    class, also its matches. One query."""
    hosted = seats.filter(match__state=Match.State.FINISHED, origin=Match.Origin.HOSTED)
    rows = without_guided(hosted if private else _finished(hosted, school_class))
    rows = rows.filter(figures__version=MEASURES_VERSION, figures__rounds__gt=0, stand_in=False)
    latest = rows.order_by("-started_at", "-match_id").values_list(
        "started_at", "number", "match_id", "figures__rounds", "figures__costs"
    )
    return [_priced_at(*row) for row in latest[:LATEST][::-1] if row[-1]]


def _priced_at(
    at: datetime, number: int, match: int, rounds: int, costs: Mapping[str, Sequence[float]]
) -> PricedAt:
    by_kind = {kind: Cost._make(row) for kind, row in costs.items()}
    return PricedAt(at, number, Priced(match, rounds, by_kind))


def without_guided(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Without those of guided matches, which are private."""
    # As a value that differs, not NOT EXISTS: PostgreSQL would read all seats for such a bot, or
    # expect few others and sort them all.
    guided = Seat.objects.filter(match=OuterRef("match"), temper=PATIENT).values("temper")[:1]
    return seats.alias(temper_there=Coalesce(Subquery(guided), Value(""))).exclude(
        temper_there=PATIENT
    )


def has_matches(player: Player, origin: Match.Origin) -> bool:
    """Whether a player has a finished public match of that origin."""
    return _finished(results_of(player, origin)).exists()


def _finished(seats: QuerySet[Seat], school_class: str = "") -> QuerySet[Seat]:
    # A finished match is listed if its visibility says so, a column with statistics. The database
    # assumes that few bits are set, and would not use the player's index.
    shown = Q(match__visibility=Match.Visibility.PUBLIC)
    if school_class:
        shown |= Q(match__school_class=school_class)
    return seats.filter(shown, match__state=Match.State.FINISHED)
