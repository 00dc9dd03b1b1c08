"""Win probabilities and the story so far of matches in progress, from spectators' knowledge.

Each match's series is continued from where it was: a line is read once in each process, however
many people watch.
"""

from collections import OrderedDict
from collections.abc import Iterable
from math import inf
from threading import Lock
from time import monotonic
from typing import Final, NotRequired

from django.core.cache import cache
from ninja import Router
from typing_extensions import TypedDict

from games.archive.store import header_of
from games.models import Match
from games.pages.watching import FRESH_S as WALL_FRESH_S
from games.pages.watching import WALL
from games.people.matches import access_of
from games.people.rights import public
from games.people.visit import Request
from games.tables import lobby
from replays.analysis.so_far import SoFar, SoFarReport
from replays.analysis.winning.network import rounded
from replays.analysis.winning.series import END, Point
from replays.pages.match_log import numbered_from
from replays.pages.strip import thinned

FRESH_S: Final = 0.7
"""For how long a report of a match so far is given to everyone who asks: the table is not further
ahead than that."""
_REST: Final = 8
"""A report that takes long to make is given for so many times as long."""
_DIGITS: Final = 4
_FEW_DIGITS: Final = 3


class CurvePoint(TypedDict):
    """The win probabilities `p`, by seat, after the line with that seq. `t` in ms of the round."""

    seq: int
    round: int
    t: int
    p: list[float]


class LiveCurve(TypedDict):
    """A curve without its first `after` points. `so_far` if it was requested."""

    live: bool
    after: int
    curve: list[CurvePoint]
    so_far: NotRequired[SoFarReport]


class LiveCurves:
    """The `most` matches that were requested last. The story so far of each is computed at most
    every `fresh_s` seconds, and less often where it is costly."""

    def __init__(self, most: int = 64, fresh_s: float = FRESH_S) -> None:
        self._most = most
        self._fresh_s = fresh_s
        self._lock = Lock()
        self._known: OrderedDict[str, SoFar] = OrderedDict()
        self._grown: dict[str, float] = {}
        self._reports: dict[str, tuple[float, SoFarReport]] = {}

    def curve(self, match: Match, after: int = 0) -> LiveCurve:
        """The curve so far without its first `after` points, which never change."""
        with self._lock:
            return _curve(self._read_so_far(match).curve[after:], after)

    def with_story(self, match: Match, after: int = 0) -> tuple[LiveCurve, SoFarReport]:
        """The story so far, and the curve to the same line."""
        report = self.so_far(match)
        with self._lock:
            points = self._read_so_far(match).curve[after:]
        return _curve((point for point in points if point.seq <= report["seq"]), after), report

    def so_far(self, match: Match) -> SoFarReport:
        """The story so far of a match, a second old unless it is costly."""
        with self._lock:
            until, report = self._reports.get(match.record_id, (-inf, None))
            begun = monotonic()
            if report is None or begun >= until:
                report = self._read_so_far(match).report()
                made = monotonic()
                rest = max(self._fresh_s, (made - begun) * _REST) if self._fresh_s else 0
                self._reports[match.record_id] = made + rest, report
            return report

    def outline(self, match: Match, most: int) -> list[CurvePoint]:
        """About `most` points of the curve: the first, the ends of rounds, others evenly."""
        with self._lock:
            points = self._read_so_far(match).curve[:]
        shown = {at for at, point in enumerate(points) if at == 0 or point.cause == END}
        shown.update(thinned(len(points), most))
        return [_point(points[at], _FEW_DIGITS) for at in sorted(shown)]

    def latest(self, match: Match, ms: int) -> tuple[list[Point], int]:
        """The detailed series of the last `ms` of play, and how long ago it last grew, in ms."""
        with self._lock:
            points = self._read_so_far(match).latest(ms)
            return points, int((monotonic() - self._grown[match.record_id]) * 1_000)

    def _read_so_far(self, match: Match) -> SoFar:
        # If reading fails halfway, it begins again.
        known = self._known.pop(match.record_id, None) or SoFar(header_of(match))
        if known.seq + 1 < match.lines:
            for _, line in numbered_from(match, known.seq + 1):
                known.add(line)
            self._grown[match.record_id] = monotonic()
        self._known[match.record_id] = known
        while len(self._known) > self._most:
            gone, _ = self._known.popitem(last=False)
            self._reports.pop(gone, None)
            del self._grown[gone]
        return known


def _curve(points: Iterable[Point], after: int) -> LiveCurve:
    return {"live": True, "after": after, "curve": [_point(point, _DIGITS) for point in points]}


def _point(point: Point, digits: int) -> CurvePoint:
    p = rounded(point.p, digits)
    return {"seq": point.seq, "round": point.round, "t": point.t, "p": p}


live_curves: Final = LiveCurves()
"""Of this process."""

# --- The matches on the wall ----------------------------------------------------------------------


POINTS: Final = 40
"""About how many points of each curve are sent."""
_KEPT: Final = "chances-of-the-wall"

router: Final = Router(tags=["matches"])


class WallMatch(TypedDict):
    """A table on the wall, and the course of its match."""

    table: str
    curve: list[CurvePoint]


class WallChances(TypedDict):
    """The matches on the wall."""

    matches: list[WallMatch]


@router.get("/wall/chances", url_name="wall_chances", response=WallChances)
def wall_chances(request: Request) -> WallChances:
    """The win probabilities of the matches on the wall. None to viewers who hide results."""
    if not request.visit.shows_results:
        return {"matches": []}
    return {"matches": cache.get_or_set(_KEPT, _matches, WALL_FRESH_S) or []}


def _matches() -> list[WallMatch]:
    """The same for everyone, so a match that must be hidden from anyone is left out."""
    tables = [table.id for table in lobby.playing(WALL)]
    shown = Match.objects.filter(record_id__in=tables, lines__gte=2, embargoes=None)
    return [
        {"table": match.record_id, "curve": live_curves.outline(match, POINTS)}
        for match in shown
        if public(access_of(match))
    ]
