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
from replays.analysis.told import Told, told
from replays.analysis.windows import Window
from replays.analysis.winning.series import Point, Series
from replays.timeline import Round, Timeline

Json = Any


class Share(NamedTuple):
    """The points that the round adds to the detailed series, what its windows tell, and luck."""

    points: list[Point]
    told: Told
    luck: list[Luck]


def share_of(findings: Findings, played: Round) -> Share:
    """A round's share; of the other rounds only the lags are needed."""
    points = round_points(findings.timeline, played)
    return Share(points, told(played, findings.lags), luckiest_of(findings.timeline, played))


def round_points(timeline: Timeline, played: Round) -> list[Point]:
    """The points that a round adds to the match's detailed series."""
    series = Series(timeline.header, detailed=True)
    series.resume(chain.from_iterable(_lines(one) for one in timeline.rounds[: played.number - 1]))
    for seq, line in enumerate(_lines(played)):
        series.add(line, played.seqs[seq - 1] if seq else played.seq)
    return series.points


def _lines(played: Round) -> list[Any]:
    return [played.deal, *played.events]


def written(share: Share) -> Json:
    """A share as JSON: lists, in the order of the fields; a window's play is left to the log."""
    chances = [[one.window._replace(play=None), one.shown, one.busy] for one in share.told.chances]
    return [share.points, [chances, *share.told[1:]], share.luck]


def read(row: Json, played: Round) -> Share:
    """What `written` wrote, of that round."""
    points, (chances, open_ms, unserved_ms), luck = row
    found = [_chance(one, played) for one in chances]
    return Share(
        [_point(one) for one in points],
        Told(found, tuple(open_ms), tuple(unserved_ms)),
        [Luck(*one) for one in luck],
    )


def _point(row: Json) -> Point:
    seq, number, t, cause, seats, p = row
    return Point(seq, number, t, cause, tuple(seats), tuple(p))


def _chance(row: Json, played: Round) -> Chance:
    """A chance that a play ended: the last event of its window's span."""
    fields, shown, busy = row
    window = Window(*fields)
    begun, ended = window.span
    play = played.events[ended - 1]
    assert isinstance(play, Play)
    window = window._replace(play=play, span=(begun, ended))
    return Chance(window, shown, tuple((since, to) for since, to in busy))
