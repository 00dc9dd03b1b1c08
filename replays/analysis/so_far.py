"""Statements about a match in progress, from spectators' knowledge alone.

The log is read line by line, as it grows. Reactions, missed takes and judgements need the hands, so
they are left to the report of the finished match (`match_report`).
"""

from __future__ import annotations

from copy import copy
from itertools import takewhile
from typing import Final

from typing_extensions import TypedDict

from games.engine.message import seat
from games.records.log import Header, Line
from replays.analysis.facts import facts
from replays.analysis.lag import lags
from replays.analysis.match_report import moments_json
from replays.analysis.moments import moments
from replays.analysis.moments.leads import CLEARLY, lead_changes
from replays.analysis.moments.swings import Screens, swings
from replays.analysis.player_table import public_table, rows_json
from replays.analysis.report_json import MatchMoment, PlayerCells
from replays.analysis.sentences import Text, fact, say
from replays.analysis.stalls import StallJson, stall_json
from replays.analysis.winning.chance import chance
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import Point, Series, curve
from replays.timeline import Timeline


class Favourite(TypedDict):
    """The seat with the best chance to win while another one leads in points, and why."""

    seat: int
    leader: int
    text: Text


_REASONS: Final = {
    "favourite_stronger": ("strengths",),
    "favourite_takes": ("takers",),
    "favourite_so_far": ("habits", "forgotten", "paces"),
}
"""What each reason rests on: fields of a position."""


def favourite(position: Position) -> Favourite | None:
    """None if the leader has the best chance, or about that, or without a main reason: what would
    change their chances most if they swapped it."""
    every, p = range(position.seats), chance(position)
    points = position.standing
    leader, best = (max(every, key=numbers.__getitem__) for numbers in (points, p))
    if points.count(points[leader]) > 1 or p[best] < p[leader] + CLEARLY:
        return None
    order = [{leader: best, best: leader}.get(number, number) for number in every]
    swapped, gains = position.among(order), dict[str, float]()
    for kind, names in _REASONS.items():
        other = copy(position)
        for name in names:
            setattr(other, name, getattr(swapped, name))
        q = chance(other)
        gains[kind] = (q[leader] - q[best]) - (p[leader] - p[best])
    kind = max(gains, key=gains.__getitem__)
    if gains[kind] < CLEARLY:
        return None
    values = {"player": seat(best), "leader": seat(leader)}
    values |= {"mine": position.takers[best], "theirs": position.takers[leader]}
    return {"seat": best, "leader": leader, "text": say(fact(kind, **values))}


class SoFarReport(TypedDict):
    """As in the report of a finished match, but with only the public columns for players."""

    seq: int
    """Of the last line that it knows."""
    facts: list[Text]
    """Without the verdict, whose points would be old."""
    favourite: Favourite | None
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
        players = public_table(timeline)
        changes = lead_changes(self.curve)
        return {
            "seq": self.seq,
            "facts": facts(timeline, players, changes, swung)[1:],
            "favourite": favourite(self._series.position) if points else None,
            "stall": stall_json(timeline, open_hands=False),
            "moments": moments_json(moments(timeline, points, swung)),
            "players": rows_json(players),
        }
