"""A player's record: results in total, by edition, against opponents, and recent form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.archive.queries import SeatRow, seats_of
from games.models import Match, Player, Seat
from replays.pages.forms import edition_name

LATEST: Final = 500
"""How many of the latest matches are counted, so that no profile is slow."""
FORM: Final = 20
OPPONENTS: Final = 12
_HERE: Final = (Match.Origin.HOSTED, Match.Origin.SIMULATED)
_ELSEWHERE: Final = (Match.Origin.IMPORTED, Match.Origin.UPLOADED)


class Played(NamedTuple):
    """A match that a player finished; lists have the newest first."""

    match: int
    number: int
    edition: str
    rounds: int
    total: int
    won: bool
    winners: int

    @property
    def result(self) -> str:
        """W, D for a shared first place, or L."""
        if not self.won:
            return "L"
        return "W" if self.winners.bit_count() == 1 else "D"


class Tally(NamedTuple):
    """Results in numbers."""

    name: str
    played: int
    won: int
    drawn: int
    lost: int
    points: float
    """Per round, on average."""

    @property
    def percent(self) -> int:
        """The percentage of matches won."""
        return round(100 * self.won / self.played) if self.played else 0


class Opponent(NamedTuple):
    """Somebody met at a table, and how often each was ahead there."""

    name: str
    met: int
    ahead: int
    behind: int

    @property
    def level(self) -> int:
        """How often they were level."""
        return self.met - self.ahead - self.behind


class Profile(NamedTuple):
    """The contents of a player's page. `all` is False if there are older matches than counted."""

    overall: Tally
    editions: list[Tally]
    opponents: list[Opponent]
    form: list[Played]
    whole: bool
    elsewhere: Tally
    """Results under that name in records from elsewhere; they count for nothing else here."""


def profile_of(player: Player) -> Profile:
    """A player's results. Three queries."""
    played = _played(player, _HERE)
    whole = len(played) <= LATEST
    played = played[:LATEST]
    by_edition: dict[str, list[Played]] = defaultdict(list)
    for match in played:
        by_edition[match.edition].append(match)
    return Profile(
        _tally("", played),
        [_tally(edition_name(name), of) for name, of in sorted(by_edition.items())],
        _opponents(player.name, played),
        played[:FORM][::-1],
        whole,
        _tally("", _played(player, _ELSEWHERE)[:LATEST]),
    )


def _played(player: Player, origins: Sequence[Match.Origin]) -> list[Played]:
    fields = [f"match__{name}" for name in ("edition", "rounds", "winners")]
    # A finished match is listed if its visibility says so, a column with statistics; of bits the
    # database assumes that few are set, and would not use the player's index.
    seats = (
        Seat.objects.filter(
            player=player,
            match__state=Match.State.FINISHED,
            match__visibility=Match.Visibility.PUBLIC,
            match__origin__in=origins,
        )
        .order_by("-started_at", "-match_id")
        .values_list("match_id", "number", *fields[:2], "total", "won", fields[2])
    )
    return [Played._make(row) for row in seats[: LATEST + 1]]


def _tally(name: str, played: Sequence[Played]) -> Tally:
    results = [match.result for match in played]
    rounds = sum(match.rounds for match in played)
    points = sum(match.total for match in played) / rounds if rounds else 0.0
    won, drawn, lost = (results.count(result) for result in "WDL")
    return Tally(name, len(played), won, drawn, lost, points)


def _opponents(name: str, played: Iterable[Played]) -> list[Opponent]:
    own = {match.match: match for match in played}
    met: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for match, seats in seats_of(own).items():
        for seat in seats:
            if seat.number != own[match].number and seat.name != name:
                _compare(met[seat.name], own[match], seat)
    found = [Opponent(other, *counts) for other, counts in met.items()]
    return sorted(found, key=lambda other: (-other.met, other.name))[:OPPONENTS]


def _compare(counts: list[int], own: Played, seat: SeatRow) -> None:
    counts[0] += 1
    if seat.total is not None:
        counts[1] += own.total > seat.total
        counts[2] += own.total < seat.total
