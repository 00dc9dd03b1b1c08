"""Statements about a match in progress, from spectators' knowledge alone.

The log is read line by line, as it grows. Reactions, missed takes and judgements need the hands, so
they are left to the report of the finished match (`match_report`).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from statistics import fmean
from typing import Final

from typing_extensions import TypedDict

from games.engine.message import Value, decimal, seat, seats
from games.records.log import Header, Line
from replays.analysis.lag import lags
from replays.analysis.leaving import departures
from replays.analysis.match_report import moments_json
from replays.analysis.moments import moments
from replays.analysis.moments.swings import Screens, swings
from replays.analysis.player_table import public_table
from replays.analysis.report_json import MatchMoment, PlayerCells
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.stalls import StallJson, stall_json
from replays.analysis.winning.chance import chance
from replays.analysis.winning.parts import equals, named, parts, quickness
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import Point, Series, curve
from replays.timeline import Timeline

_CLEARLY: Final = 0.05
"""So far above an even share a seat is the favourite."""


def headline(position: Position, ms: int) -> Text:
    """Who leads by points, who is the favourite and why, all at one position, after `ms` of play.

    Why: what gained the favourite most since equal players were dealt their first hands. A
    favourite who leads is named once. Without points and chances: the page has those of a later
    event beside it."""
    every, p = range(position.seats), chance(position)
    best, leads = max(every, key=p.__getitem__), _leader(position.standing)
    if p[best] < 1 / position.seats + _CLEARLY:
        return say(leads)
    found = named(parts(equals(position), position, best), quickness(position, best))
    kind = max(found, key=found.__getitem__)
    values: dict[str, Value] = {"player": seat(best)}
    if kind == "pace":
        seconds = [ms / moves / 1_000 if moves else 0.0 for moves in position.habits.moves]
        values |= _compared(best, seconds, lambda each: decimal(each, 2))
    elif kind == "fives":
        values |= {**_compared(best, position.takers, decimal), "own": position.takers[best]}
    favours = fact(f"favours_{kind}", **values)
    return say(favours) if leads.values.get("player") == seat(best) else say(leads, favours)


def _leader(points: Sequence[int]) -> Fact:
    """Those who have most points."""
    ahead = [number for number, mine in enumerate(points) if mine == max(points)]
    if len(ahead) == len(points):
        return fact("level_now")
    if len(ahead) > 1:
        return fact("lead_now", players=seats(ahead))
    return fact("leads_now", player=seat(ahead[0]))


def _compared(
    best: int, column: Sequence[float], said: Callable[[float], Value]
) -> dict[str, Value]:
    """A seat's number, and the others' mean."""
    others = [number for number in range(len(column)) if number != best]
    return {"own": said(column[best]), "others": said(fmean(column[at] for at in others))}


def _strongest(position: Position) -> Iterator[Text]:
    """What a chance to win knows before anyone has moved."""
    known = sorted(zip(position.strengths, range(position.seats), strict=False))
    if known and known[-1][0] > known[-2][0]:
        yield say(fact("known_strength", player=seat(known[-1][1])))


class SoFarReport(TypedDict):
    """As in the report of a finished match, but with only the public columns for players."""

    seq: int
    """Of the last line that it knows."""
    headline: Text
    facts: list[Text]
    """Those who seem gone, and the strongest of known players."""
    stall: StallJson | None
    moments: list[MatchMoment]
    players: list[PlayerCells]


class SoFar:
    """A match as far as it has been played. `curve`: its points so far, which never change."""

    def __init__(self, header: Header) -> None:
        self.curve: list[Point] = []
        self._timeline = Timeline(header)
        self._series = Series(header, detailed=True)
        self._told = 0

    @property
    def seq(self) -> int:
        """The seq of the last line that was added. 0 is the header's."""
        return self._timeline.seq

    def add(self, line: Line) -> None:
        """Take the log's next line, as a spectator sees it."""
        self._timeline.add(line)
        self._series.add(line, self.seq)
        points = self._series.points
        self.curve += curve(points[self._told :])
        self._told = len(points)

    def latest(self, ms: int) -> list[Point]:
        """The detailed series of the last `ms` of its round."""
        points = self._series.points
        if not points:
            return []
        number, since = points[-1].round, points[-1].t - ms
        near = takewhile(lambda p: p.round == number and p.t >= since, reversed(points))
        return list(near)[::-1]

    def report(self) -> SoFarReport:
        """Everything that is known so far. It costs about as much as reading the lines did."""
        timeline, points = self._timeline, self._series.points
        known = Screens(lags(timeline), [()] * len(timeline.rounds), ())
        swung = swings(timeline, points, known)
        played_ms = sum(played.duration_ms for played in timeline.rounds)
        return {
            "seq": self.seq,
            "facts": [*map(say, departures(timeline)), *_strongest(self._series.position)],
            "headline": headline(self._series.position, played_ms) if points else say(),
            "stall": stall_json(timeline, open_hands=False),
            "moments": moments_json(moments(timeline, points, swung)),
            "players": public_table(timeline),
        }
