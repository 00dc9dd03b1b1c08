"""Whether a bot is told its own level, and whether easy matches move it.

Each bot of level 3 plays 30 matches with three bots of levels 2 to 4, and then 200 with three of
level 1. SEED=… asks for others. It takes some minutes.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Final

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting, rounds
from games.engine.editions import EDITIONS
from games.engine.events import End
from replays.analysis.winning.position import STRENGTHS
from replays.ratings.level import Met, level_of
from tests.bench.measure import say

SEED: Final = int(os.environ.get("SEED", "550917"))
EVEN, EASY = 30, 200
_LEVEL: Final = 3


def bench() -> None:
    """Print the levels, before and after the easy matches."""
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for temper, (even, easy) in zip(TEMPERS, pool.map(_matches, TEMPERS), strict=True):
            for said, met in ("even", even), ("and easy", even + easy), ("easy alone", easy):
                level = level_of(met)
                assert level is not None
                say(
                    f"  {temper} {STRENGTHS[temper][_LEVEL - 1]:.2f}, {said}: {level.temper} "
                    f"{level.level} ({level.low} to {level.high}), {level.strength:.2f} "
                    f"({level.least:.2f} to {level.most:.2f})"
                )


def _matches(temper: str) -> tuple[list[Met], list[Met]]:
    randomness = Random(f"levels {SEED} {temper}")
    even = [_met(temper, [2, 3, 4], randomness, at) for at in range(EVEN)]
    return even, [_met(temper, [1], randomness, EVEN + at) for at in range(EASY)]


def _met(temper: str, levels: Sequence[int], randomness: Random, index: int) -> Met:
    others = [BotSpec(randomness.choice(list(TEMPERS)), randomness.choice(levels)) for _ in "abc"]
    edition = randomness.choice(list(EDITIONS))
    table = (BotSpec(temper, _LEVEL), *others)
    played = list(rounds(Setting(edition, EDITIONS[edition], table, SEED), index))
    end = played[-1].events[-1]
    assert isinstance(end, End)
    own, *totals = end.totals
    results = [
        (STRENGTHS[bot.temper][bot.level - 1], own > total)
        for bot, total in zip(others, totals, strict=True)
        if own != total
    ]
    return Met(len(played), results)
