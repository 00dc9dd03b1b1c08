"""What may be said about a match while it is being played: nothing but what spectators may know.

The log is read line by line, as it grows. Reactions, missed takes and judgements need the hands,
so they are left to the report of the finished match (`match_report`).
"""

from __future__ import annotations

from typing import cast

from typing_extensions import TypedDict

from games.records.log import Header, Line
from replays.analysis.facts import facts
from replays.analysis.insight import moments_json
from replays.analysis.lag import lags
from replays.analysis.moments import moments
from replays.analysis.moments.leads import lead_changes
from replays.analysis.moments.swings import Screens, swings
from replays.analysis.player_table import public_table, rows_json
from replays.analysis.report_json import MatchMoment, PlayerCells, TickJson
from replays.analysis.stalls import StallJson, stall_json
from replays.analysis.ticker import ticker
from replays.analysis.verdict import standing
from replays.analysis.winning.series import Point, Series, curve
from replays.timeline import Timeline


class SoFarReport(TypedDict):
    """As in the report of a finished match; of the players only the public columns."""

    seq: int
    """Of the last line that it knows."""
    facts: list[str]
    stall: StallJson | None
    ticker: list[TickJson]
    """Takes that moved the odds, newest first."""
    moments: list[MatchMoment]
    players: list[PlayerCells]


class SoFar:
    """A match as far as it has been played; `curve`: its points so far, which never change."""

    def __init__(self, header: Header) -> None:
        self.curve: list[Point] = []
        self._timeline = Timeline(header)
        self._series = Series(header, detailed=True)
        self._told = 0

    @property
    def seq(self) -> int:
        """Of the last line that was added; 0 is the header's."""
        return self._timeline.seq

    def add(self, line: Line) -> None:
        """Take the log's next line, as a spectator sees it."""
        self._timeline.add(line)
        self._series.add(line, self.seq)
        points = self._series.points
        self.curve += curve(points[self._told :])
        self._told = len(points)

    def report(self) -> SoFarReport:
        """Everything that is known so far. It costs about as much as reading the lines did."""
        timeline, points = self._timeline, self._series.points
        known = Screens(lags(timeline), [()] * len(timeline.rounds), ())
        found = swings(timeline, points, known)
        players = public_table(timeline, standing(timeline))
        return {
            "seq": self.seq,
            "facts": facts(timeline, players, lead_changes(self.curve), found),
            "stall": stall_json(timeline, open_hands=False),
            "ticker": cast(list[TickJson], [one._asdict() for one in ticker(timeline, found)]),
            "moments": moments_json(moments(timeline, points, found)),
            "players": rows_json(players),
        }
