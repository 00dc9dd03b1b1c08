"""Queries of what is stored of players: one player's matches, and everybody else's.

Only public matches are read, whoever asks: figures of a private match, even summed with
others, would reveal it. Matches played here and simulated here are never mixed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import QuerySet

from games.models import Match, Player, Seat
from replays.analysis.careers.counts import Counts
from replays.analysis.careers.figures import MatchFigures
from replays.analysis.versions import MEASURES_VERSION
from replays.models import SeatFigures
from replays.players.counting import Pool

LATEST: Final = 1_000
"""How many of a player's latest matches are read, so that no page is slow."""
OTHERS: Final = 2_000
"""The same of everybody else's seats."""


_COUNTED: Final = Counts._fields
_NOTHING: Final = Counts._make([*(0 for _ in _COUNTED[1:]), None])


class Played(NamedTuple):
    """A finished match of a player; `counted` is None until its figures are stored."""

    match: int
    number: int
    kind: str
    edition: str
    seats: int
    started_at: datetime
    rounds: int
    total: int
    won: bool
    winners: int
    counted: Counts | None

    @property
    def result(self) -> str:
        """W, D for a shared first place, or L."""
        if not self.won:
            return "L"
        return "W" if self.winners.bit_count() == 1 else "D"

    @property
    def entry(self) -> MatchFigures:
        """What it contributes to figures; without stored figures, its result alone."""
        won = self.result == "W"
        return MatchFigures(won, self.total, self.rounds, *(self.counted or _NOTHING))


def matches_of(player: Player, origins: Iterable[Match.Origin]) -> list[Played]:
    """A player's latest finished matches, newest first, at most `LATEST` + 1. One query."""
    own = ("match_id", "number", "kind")
    game = [f"match__{name}" for name in ("edition", "seat_count", "started_at", "rounds")]
    figures = [f"figures__{name}" for name in ("version", *_COUNTED)]
    seats = _finished(Seat.objects.filter(player=player, match__origin__in=list(origins)))
    rows = seats.order_by("-started_at", "-match_id").values_list(
        *own, *game, "total", "won", "match__winners", *figures
    )
    return [
        Played._make([*row[:10], Counts._make(row[11:]) if row[10] == MEASURES_VERSION else None])
        for row in rows[: LATEST + 1]
    ]


def has_matches(player: Player, origin: Match.Origin) -> bool:
    """Whether a player has a finished public match of that origin."""
    return _finished(Seat.objects.filter(player=player, match__origin=origin)).exists()


def _finished(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    # A finished match is listed if its visibility says so, a column with statistics; of bits the
    # database assumes that few are set, and would not use the player's index.
    return seats.filter(
        match__state=Match.State.FINISHED, match__visibility=Match.Visibility.PUBLIC
    )


def everybody_else(player: Player, pool: Pool) -> list[MatchFigures]:
    """What the latest seats of others in a pool come to, one entry for each match. One query."""
    rows = (
        SeatFigures.objects.filter(
            pool=str(pool),
            version=MEASURES_VERSION,
            seat__match__visibility=Match.Visibility.PUBLIC,
        )
        .exclude(seat__player=player)
        .order_by("-seat")
        .values_list("seat__match", *_COUNTED)
    )
    found: dict[int, list[Counts]] = defaultdict(list)
    for match, *counted in rows[:OTHERS]:
        found[match].append(Counts._make(counted))
    return [_together(seats) for seats in found.values()]


def _together(seats: Sequence[Counts]) -> MatchFigures:
    """Several seats of one match as one entry: sums, and the mean of the reactions."""
    sums = (sum(filter(None, column)) for column in zip(*seats, strict=True))
    reactions = [one.reaction_ms for one in seats if one.reaction_ms is not None]
    mean = round(sum(reactions) / len(reactions)) if reactions else None
    return MatchFigures(False, 0, 0, *Counts._make(sums)._replace(reaction_ms=mean))
