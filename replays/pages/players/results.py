"""A player's results in numbers, and against each opponent."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from games.archive.players import unnumbered
from games.archive.queries import SeatRow
from games.engine.message import Message
from games.pages.words import words
from replays.analysis.players.figures import FIGURES, POINTS, WON, Figure, figures, result_columns
from replays.analysis.players.intervals import Estimate, estimate
from replays.players.queries import Played

OPPONENTS: Final = 8
"""The most that are listed: those met most often."""
_LEAD: Final = Figure("lead", Message("Lead per round"), "lead", "rounds", least=None)


class ShownFigure(NamedTuple):
    """A figure in words. The interval is empty for too few matches."""

    title: str
    value: str
    interval: str
    matches: int
    unit: str
    estimate: Estimate
    """The same as numbers, in that unit."""


class Results(NamedTuple):
    name: str
    played: int
    won: int
    drawn: int
    lost: int
    share: ShownFigure | None
    """Of matches won."""
    points: ShownFigure | None
    """Per round."""

    @property
    def percent(self) -> int:
        return round(100 * self.won / self.played) if self.played else 0


class Opponent(NamedTuple):
    """Someone met at a table, how often each was ahead there, and by how much."""

    name: str
    kind: str
    """Human or bot. One name can be both, and then has two entries."""
    met: int
    ahead: int
    behind: int
    lead: ShownFigure | None
    """In points per round. Negative if the opponent had more."""

    @property
    def level(self) -> int:
        return self.met - self.ahead - self.behind


def tally(name: str, played: Sequence[Played]) -> Results:
    results = [match.result for match in played]
    won, drawn, lost = (results.count(result) for result in "WDL")
    estimates = figures(result_columns(match.entry for match in reversed(played)), (WON, POINTS))
    share, points = (shown(figure, estimates.get(figure.key)) for figure in (WON, POINTS))
    return Results(name, len(played), won, drawn, lost, share, points)


def shown(figure: Figure, estimated: Estimate | None) -> ShownFigure | None:
    return None if estimated is None else in_words(figure, estimated)


def in_order(estimates: Mapping[str, Estimate]) -> list[ShownFigure]:
    """The figures that are defined."""
    return [told for figure in FIGURES if (told := shown(figure, estimates.get(figure.key)))]


def in_words(figure: Figure, estimated: Estimate) -> ShownFigure:
    interval = figure.interval(estimated)
    return ShownFigure(
        words(figure.title),
        words(figure.value(estimated)),
        words(interval) if interval else "",
        estimated.matches,
        figure.unit,
        estimated,
    )


def opponents_of(
    name: str, played: Iterable[Played], seats: Mapping[int, Sequence[SeatRow]]
) -> list[Opponent]:
    met: dict[tuple[str, str], list[tuple[Played, int]]] = defaultdict(list)
    for match in played:
        for seat in seats[match.match]:
            same = seat.name == name or (seat.kind == "bot" and unnumbered(seat.name) != seat.name)
            if seat.number != match.number and not same and seat.total is not None:
                met[seat.name, seat.kind].append((match, seat.total))
    most = sorted(met.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:OPPONENTS]
    return [opponent_of(*other, meetings) for other, meetings in most]


def opponent_of(name: str, kind: str, meetings: Sequence[tuple[Played, int]]) -> Opponent:
    """`meetings`: matches of a player, each with the opponent's total."""
    leads = [match.total - total for match, total in meetings]
    rounds = [match.rounds for match, _ in meetings]
    ahead, behind = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    lead = shown(_LEAD, estimate(leads, rounds))
    return Opponent(name, kind, len(meetings), ahead, behind, lead)
