"""The curve as it is told, of matches in which somebody leaves, returns, or changes pace.

CHANGED=240 asks for so many matches of each kind, SEED=… for others. No model was fitted to any.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import get_context
from typing import Final, NamedTuple

import numpy as np

from games.engine.cards import SEATS
from games.records.log import Result
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.winning.series import Point, series
from replays.timeline import Timeline
from replays.training.bots import Leaving
from replays.training.matches import lines, plan
from replays.training.positions import Floats, Samples, chosen
from replays.training.scores import score, slope
from tests.bench.measure import say

MATCHES: Final = int(os.environ.get("CHANGED", "600"))
SEED: Final = int(os.environ.get("SEED", "731906"))
AWAY_S: Final = ((0, 5), (5, 10), (10, 15), (15, 20), (20, 30), (30, 60))
_CASES: Final = ("roster", "drifter", "leaver", "stand_in")


class _Row(NamedTuple):
    """What was told at one point; `away`: for each seat, how long ago it left, in s of play.

    Who moves no more because all their cards are out has not left.
    """

    match: int
    told: list[float]
    won: list[float]
    away: list[float]


def bench() -> None:
    """Print log loss, ECE and slope of each case, and what leavers were told."""
    for case in _CASES:
        with get_context("spawn").Pool(len(os.sched_getaffinity(0))) as pool:
            by_match = pool.map(partial(_rows, case), range(MATCHES), chunksize=10)
        rows = [row for match in by_match for row in match]
        told = np.array([_filled(row.told) for row in rows])
        none = np.zeros(len(rows))
        points = Samples(
            x=none,
            won=np.array([_filled(row.won) for row in rows]),
            seats=np.array([len(row.won) for row in rows]),
            match=np.array([row.match for row in rows]),
            edition=none,
            phase=none,
        )
        _tell(case, points, told)
        if case == "leaver":
            away = np.array([max(row.away) for row in rows])
            for words, some in (
                ("before", away < 0),
                ("after", away >= 0),
                ("15 s after", away >= 15),
            ):
                _tell(f"leaver, {words} they left", chosen(points, some), told[some])
            _leavers(rows)


def _tell(name: str, points: Samples, told: Floats) -> None:
    scored = score(points, told)
    figures = f"log loss {scored.loss:.4f}  ECE {scored.ece:.4f}  slope {slope(points, told):.3f}"
    say(f"  {name:<28} {scored.matches:>5} matches  {figures}")


def _leavers(rows: list[_Row]) -> None:
    seats = [seat for row in rows for seat in zip(row.away, row.told, row.won, strict=True)]
    for since, until in AWAY_S:
        some = [(told, won) for away, told, won in seats if since <= away < until]
        told, won = (100 * sum(column) / len(some) for column in zip(*some, strict=True))
        say(f"    away for {since} to {until} s: told {told:.1f}%, won {won:.1f}% of {len(some)}")


def _filled(values: list[float]) -> list[float]:
    return values + [0.0] * (SEATS - len(values))


def _rows(case: str, index: int) -> list[_Row]:
    planned = plan(case, SEED, index)
    gone = [isinstance(seater, Leaving) for seater in planned.seaters]
    record = list(lines(planned))
    result = record[-1]
    if not isinstance(result, Result):
        return []
    timeline = Timeline.of(record)
    won = [(seat in result.winners) / len(result.winners) for seat in range(len(timeline.names))]
    played = _played(timeline)
    left = [
        played(*at) if at != STAYED and leaves else -1.0
        for at, leaves in zip(left_at(timeline), gone, strict=True)
    ]

    def away(point: Point) -> Iterator[float]:
        now = played(point.round, point.t)
        for since in left:
            yield -1.0 if since < 0 else (now - since) / 1_000

    return [_Row(index, list(point.p), won, list(away(point))) for point in series(timeline)[:-1]]


def _played(timeline: Timeline) -> Callable[[float, float], float]:
    """How long had been played by a time of a round, in ms."""
    before = {0.0: 0.0}
    whole = 0.0
    for each_round in timeline.rounds:
        before[float(each_round.number)] = whole
        whole += each_round.events[-1].t
    return lambda number, t: before[float(number)] + t
