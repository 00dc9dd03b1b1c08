"""How much of an evening of twelve matches at once the unattended screen shows.

A swing is a take's change of the chances to win, half its sum over the seats. One screen can't show
twelve matches: what could be shown at most, with all swings known beforehand and as many cuts, is
found by going through every schedule (a shot lasts `SHOT_MS` at least).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from replays.analysis.directing import AFTER_MS, DELAY_MS, SHOT_MS, Scene, Swing, choose
from replays.analysis.winning.series import TAKE, Series
from replays.training.matches import lines, plan
from tests.bench.measure import say

TABLES: Final = 12
MINUTES: Final = 20
SEEDS: Final = (771_001, 771_002, 771_003)
STEP_MS: Final = 500
ASK_MS: Final = 2_000
_BETWEEN_ROUNDS_MS: Final = 8_000
_BETWEEN_MATCHES_MS: Final = 30_000
_LENGTH_MS: Final = MINUTES * 60_000

Table = list[tuple[int, int, float]]
"""The takes at one table: at which ms of the evening, by which seat, how large."""


def bench() -> None:
    """Three evenings of the bots of the roster, all editions, two to five players."""
    for seed in SEEDS:
        tables = [list(_takes(seed, table)) for table in range(TABLES)]
        total = sum(size for table in tables for _, _, size in table)
        share, cuts = _directed(tables)
        best = _best(tables)
        words = f"{share / total:.0%} of the swing, {cuts / MINUTES:.1f} cuts a minute"
        most = f"{share / best:.0%} of the {best / total:.0%} that one screen can show"
        say(f"  evening {seed}: {words}; {most}")


def _takes(seed: int, table: int) -> Iterator[tuple[int, int, float]]:
    begin, index = 0, table * 1_000
    while begin < _LENGTH_MS:
        planned = plan("roster", seed, index)
        series = Series(planned.header, detailed=True)
        for seq, line in enumerate(lines(planned)):
            if seq:
                series.add(line, seq)
        number = length = 0
        for before, point in zip(series.points, series.points[1:], strict=False):
            if point.round != number:
                begin += (length + _BETWEEN_ROUNDS_MS) if number else 0
                number = point.round
            length = point.t
            if point.cause == TAKE and begin + point.t < _LENGTH_MS:
                size = sum(abs(a - b) for a, b in zip(point.p, before.p, strict=True)) / 2
                yield begin + point.t, point.seats[0], size
        begin, index = begin + length + _BETWEEN_MATCHES_MS, index + 1


def _directed(tables: list[Table]) -> tuple[float, int]:
    """The swing that the screen shows, and its cuts; it asks as the page does."""
    on, since, cuts, shown = "", 0, 0, 0.0
    for now in range(0, _LENGTH_MS, ASK_MS):
        chosen = choose([_scene(str(at), t, now) for at, t in enumerate(tables)], on, now - since)
        if chosen and chosen.table != on:
            on, since, cuts = chosen.table, now, cuts + 1
        shown += _between(tables[int(on)], now, now + ASK_MS)
    return shown, cuts


def _scene(name: str, table: Table, now: int) -> Scene:
    first = bisect_right(table, (now - AFTER_MS,))
    last = bisect_right(table, (now + DELAY_MS,))
    return Scene(name, [Swing(at - now, seat, size) for at, seat, size in table[first:last]])


def _between(table: Table, begin: int, end: int) -> float:
    first, last = bisect_right(table, (begin,)), bisect_right(table, (end,))
    return sum(size for _, _, size in table[first:last])


def _best(tables: list[Table]) -> float:
    """The most that any schedule shows, by dynamic programming over steps."""
    steps, shot = _LENGTH_MS // STEP_MS, SHOT_MS // STEP_MS
    known = [
        [0.0, *accumulate(_between(t, at * STEP_MS, (at + 1) * STEP_MS) for at in range(steps))]
        for t in tables
    ]
    best, staying = [0.0] * (steps + 1), [0.0] * len(tables)
    for at in range(shot, steps + 1):
        staying = [
            max(stays + sums[at] - sums[at - 1], best[at - shot] + sums[at] - sums[at - shot])
            for stays, sums in zip(staying, known, strict=True)
        ]
        best[at] = max(staying)
    return best[-1]
