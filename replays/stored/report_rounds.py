"""A round's share of its match's report, as JSON between the steps of a job.

It holds what takes longest to find; the rest follows from the log quickly.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

from games.engine.events import Play
from replays.analysis.chances import Chance
from replays.analysis.findings import Findings
from replays.analysis.luck import Luck, luckiest_of
from replays.analysis.round_chances import RoundChances, round_chances
from replays.analysis.windows import Window
from replays.analysis.winning.series import Point, Series
from replays.timeline import Round

Json = Any


class Share(NamedTuple):
    """Points of the detailed series, what is needed of the windows, and luck."""

    points: list[Point]
    chances: RoundChances
    luck: list[Luck]


class Shares:
    """The shares of a match's rounds, in any order; quickest one after another."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self._read = 0
        self._series = self._begun(0)

    def of(self, played: Round) -> Share:
        """A round's share; of the other rounds only the lags are needed."""
        timeline, lags = self.findings.timeline, self.findings.lags
        return Share(
            self._points(played), round_chances(played, lags), luckiest_of(timeline, played)
        )

    def _points(self, played: Round) -> list[Point]:
        """The points that a round adds to the match's detailed series."""
        if self._read != played.number - 1:
            self._series = self._begun(played.number - 1)
        for seq, line in enumerate(_lines(played)):
            self._series.add(line, played.seqs[seq - 1] if seq else played.seq)
        self._read = played.number
        points, self._series.points = self._series.points, []
        return points

    def _begun(self, rounds: int) -> Series:
        """The series after so many rounds, which are read but not judged."""
        timeline = self.findings.timeline
        series = Series(timeline.header, detailed=True)
        series.resume(chain.from_iterable(map(_lines, timeline.rounds[:rounds])))
        return series


def _lines(played: Round) -> list[Any]:
    return [played.deal, *played.events]


def written(share: Share) -> Json:
    """A share as JSON: lists, in the order of the fields; a window's play is left to the log."""
    chances = [
        [chance.window._replace(play=None), chance.shown, chance.busy]
        for chance in share.chances.listed
    ]
    return [share.points, [chances, *share.chances[1:]], share.luck]


def read(row: Json, played: Round) -> Share:
    """What `written` wrote, of that round."""
    points, (chances, open_ms, unserved_ms), luck = row
    listed = [_chance(chance, played) for chance in chances]
    return Share(
        [_point(point) for point in points],
        RoundChances(listed, tuple(open_ms), tuple(unserved_ms)),
        [Luck(*draw) for draw in luck],
    )


def _point(row: Json) -> Point:
    seq, number, t, cause, seats, p, instead = row
    return Point(seq, number, t, cause, tuple(seats), tuple(p), tuple(instead))


def _chance(row: Json, played: Round) -> Chance:
    """A chance that a play ended: the last event of its window's span."""
    fields, shown, busy = row
    window = Window(*fields)
    begun, ended = window.span
    play = played.events[ended - 1]
    assert isinstance(play, Play)
    window = window._replace(play=play, span=(begun, ended))
    return Chance(window, shown, tuple((since, to) for since, to in busy))
