"""Win probabilities while matches are being played, from what spectators may see.

Each match's series is continued from where it was: a line is read once in each process, however
many people watch. Long matches are left out, since a process that has just started would have to
read them from the beginning beside the matches that it hosts.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final, TypedDict

from games.archive.store import header_of
from games.models import Match
from replays.analysis.winning.series import END, Point, Series
from replays.pages.match_log import numbered_from
from replays.pages.strip import thinned

LONGEST: Final = 12_000
"""The most lines of a match whose curve is sent while it is being played."""
_DIGITS: Final = 4
_FEW_DIGITS: Final = 3


class CurvePoint(TypedDict):
    """The win probabilities `p`, by seat, after the line with that seq; `t` in ms of the round."""

    seq: int
    round: int
    t: int
    p: list[float]


class LiveCurve(TypedDict):
    """A curve without its first `after` points."""

    live: bool
    after: int
    curve: list[CurvePoint]


class LiveCurves:
    """The series of the `most` matches that were asked for last."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[Series, int]] = OrderedDict()

    def curve(self, match: Match, after: int = 0) -> LiveCurve:
        """The curve so far without its first `after` points, which never change."""
        points = self._points(match, after)
        return {"live": True, "after": after, "curve": [_point(one, _DIGITS) for one in points]}

    def outline(self, match: Match, most: int) -> list[CurvePoint]:
        """About `most` points of the curve: the first, the ends of rounds, others evenly."""
        points = self._points(match)
        shown = {at for at, point in enumerate(points) if at == 0 or point.cause == END}
        shown.update(thinned(len(points), most))
        return [_point(points[at], _FEW_DIGITS) for at in sorted(shown)]

    def _points(self, match: Match, after: int = 0) -> list[Point]:
        with self._lock:
            # If reading fails halfway, it begins again.
            found = self._known.pop(match.record_id, None)
            series, seq = found or (Series(header_of(match)), 1)
            if seq < match.lines:
                for number, line in numbered_from(match, seq):
                    series.add(line, number)
                    seq = number + 1
            self._known[match.record_id] = series, seq
            while len(self._known) > self._most:
                self._known.popitem(last=False)
            return series.points[after:]


def _point(point: Point, digits: int) -> CurvePoint:
    p = [round(share, digits) for share in point.p]
    return {"seq": point.seq, "round": point.round, "t": point.t, "p": p}


live: Final = LiveCurves()
"""Of this process."""
