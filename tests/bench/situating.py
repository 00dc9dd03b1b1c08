"""Situations on fresh matches: how often the intervals that are told hold the truth.

The site's 25 bots at random tables of any edition, 2 to 5 seats. `SETS` sets of these matches are
told of by themselves, by top, height and hand, and held against the shares in all other sets: those
of all seats, and by rank, those of bots of one level. FRESH=800 asks for so many matches, SEED=…
for others.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from random import Random
from statistics import fmean
from typing import Final

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting
from games.bots.simulate import lines as simulated
from games.bots.skill import LEVELS
from games.engine.editions import EDITIONS
from replays.analysis.situations import (
    COUNTS,
    Kind,
    Row,
    add,
    by_time,
    situations,
    summed,
)
from replays.timeline import Timeline
from tests.bench.measure import tell

FRESH: Final = int(os.environ.get("FRESH", "800"))
SEED: Final = int(os.environ.get("SEED", "640917"))
SETS: Final = 20
Asked = tuple[Kind, int]
"""A kind, and the level of the seat's bot. 0: any."""
Tally = dict[Asked, list[float]]


def bench() -> None:
    """Print the coverage of what is told of each set."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        matches = list(pool.map(_tallied, range(FRESH), chunksize=8))
    truth, size_of_set = _summed(matches), FRESH // SETS
    sets = [_summed(matches[at * size_of_set : (at + 1) * size_of_set]) for at in range(SETS)]
    for ranks in ((0,), LEVELS):
        for who in ("you", "anyone"):
            held = [
                inside
                for counted in sets
                for asked, counts in counted.items()
                if asked[1] in ranks
                for inside in _held(by_time(counts), by_time(_less(truth[asked], counts)), who)
            ]
            name = f"{who}{', by rank' if len(ranks) > 1 else ''}: of {len(held)} intervals"
            tell(name, 100 * fmean(held), "%", "93 to 97")


def _less(whole: Sequence[float], counts: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(whole, counts, strict=True)]


def _held(rows: Sequence[Row], true_rows: Sequence[Row], who: str) -> Iterator[bool]:
    true = {row["name"]: row["figures"][who]["value"] for row in true_rows}
    for row in rows:
        if row["name"] in true:
            told = row["figures"][who]
            yield told["low"] <= true[row["name"]] <= told["high"]


def _tallied(index: int) -> Tally:
    randomness = Random(f"situations {SEED}/{index}")
    every = [BotSpec(temper, level) for temper in TEMPERS for level in LEVELS]
    edition = randomness.choice(list(EDITIONS))
    seated = tuple(randomness.sample(every, randomness.randrange(2, 6)))
    setting = Setting(edition, EDITIONS[edition], seated, SEED)
    counted: Tally = defaultdict(lambda: [0] * COUNTS)
    for played in Timeline.of(simulated(setting, index)).rounds:
        found = situations(played)
        levels = [seated[situation.seat].level for situation in found]
        ranked = list(zip(found, levels, strict=True))
        alike = Counter((one.seq, one.kind, level) for one, level in ranked)
        for one, level in ranked:
            add(counted[one.kind, 0], one)
            of_level = replace(one, alike=alike[one.seq, one.kind, level])
            add(counted[one.kind, level], of_level)
    return dict(counted)


def _summed(tallies: Sequence[Tally]) -> Tally:
    by_asked: dict[Asked, list[list[float]]] = defaultdict(list)
    for counted in tallies:
        for asked, counts in counted.items():
            by_asked[asked].append(counts)
    return {asked: summed(counts) for asked, counts in by_asked.items()}
