"""Habits: how often one is told of a player who is like all others, and how well they predict.

Fresh matches of four of the site's bots: tables of one bot under many names, where every habit
told is false, and tables of any of them. FRESH=300 asks for so many matches of each, SEED=… for
others.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import exp, log
from random import Random
from statistics import fmean, median
from typing import Final

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting, lines
from games.bots.skill import LEVELS
from games.engine.editions import DEFAULT_EDITION, EDITIONS
from replays.analysis.careers.habits import WORDS, Habit, Habits, habits, summed, told
from replays.analysis.lag import lags
from replays.timeline import Timeline
from tests.bench.measure import say, tell

FRESH: Final = int(os.environ.get("FRESH", "300"))
SEED: Final = int(os.environ.get("SEED", "60917"))
MET: Final = 6
CAREERS: Final = (5, 10, 20)
_KINDS: Final = tuple(BotSpec(temper, level) for temper in TEMPERS for level in LEVELS)

Specs = tuple[BotSpec, ...]
Played = list[dict[str, Habit]]
"""The habits of each seat of a match."""


def bench() -> None:
    """Print how many players who are alike are told a habit, and of which bots habits are told."""
    randomness = Random(SEED)
    kinds = [BotSpec("taker"), BotSpec("builder"), BotSpec("starver", 1)]
    mixed: list[Specs] = [tuple(randomness.choices(_KINDS, k=4)) for _ in range(FRESH)]
    alike = [(kind,) * 4 for kind in kinds for _ in range(FRESH // len(kinds))]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        played = list(pool.map(_played, enumerate([*alike, *mixed]), chunksize=4))
    for matches in CAREERS:
        _alike(matches, played[: len(alike)], len(kinds), randomness)
    of_bots: dict[BotSpec, Played] = defaultdict(list)
    for specs, match in zip(mixed, played[len(alike) :], strict=True):
        for spec, seat in zip(specs, match, strict=True):
            of_bots[spec].append(seat)
    for matches in CAREERS:
        _bots(matches, of_bots)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        weak, strong = (list(pool.map(_against, _KINDS, [level] * len(_KINDS))) for level in (1, 5))
    _compare(weak, strong, summed([seat for seats in of_bots.values() for seat in seats]))


def _against(spec: BotSpec, level: int) -> Played:
    """A bot's habits against three others of that level."""
    randomness = Random(f"{SEED} {spec} {level}")
    others = [randomness.choices(list(TEMPERS), k=3) for _ in range(MET)]
    return [
        _played((MET * level + at, (spec, *(BotSpec(temper, level) for temper in three))))[0]
        for at, three in enumerate(others)
    ]


def _compare(weak: Sequence[Played], strong: Sequence[Played], usual: Habits) -> None:
    """How often the same bot is told the opposite, and how far its rates are apart."""
    pairs = list(zip(weak, strong, strict=True))
    signs = [
        [
            {habit.kind: habit.own_ms > habit.usual_ms for habit in told(seats, usual)}
            for seats in pair
        ]
        for pair in pairs
    ]
    both = [first[kind] == other[kind] for first, other in signs for kind in first if kind in other]
    said = f"{sum(both)} the same, {len(both) - sum(both)} the opposite"
    say(f"  against weak and strong, {MET} matches each: {said}")
    for kind in WORDS:
        rates = [[summed(seats)[kind] for seats in pair] for pair in pairs]
        apart = [abs(log((a.times + 1) / a.ms * b.ms / (b.times + 1))) for a, b in rates]
        say(f"    {kind}: the time is {100 * (exp(median(apart)) - 1):.0f}% apart (median)")


def _played(numbered: tuple[int, Specs]) -> Played:
    index, specs = numbered
    setting = Setting(DEFAULT_EDITION, EDITIONS[DEFAULT_EDITION], specs, SEED)
    timeline = Timeline.of(lines(setting, index))
    return habits(timeline, lags(timeline))


def _alike(matches: int, played: Sequence[Played], kinds: int, randomness: Random) -> None:
    """Players who are all the same bot, each in so many matches, beside all the others."""
    false = asked = 0
    of_kind = len(played) // kinds
    for kind in range(kinds):
        alike = played[kind * of_kind : (kind + 1) * of_kind]
        seats = [(place, seat) for place in range(of_kind) for seat in range(4)]
        randomness.shuffle(seats)
        for since in range(0, len(seats) - matches + 1, matches):
            own = [alike[place][seat] for place, seat in seats[since : since + matches]]
            others = [alike[p][s] for p, s in seats[:since] + seats[since + matches :]]
            false += bool(told(own, summed(others)))
            asked += 1
    words = f"{matches} matches: of {asked} alike, any habit told"
    tell(words, 100 * false / asked, "%", "under 5")


def _bots(matches: int, of_bots: Mapping[BotSpec, Played]) -> None:
    """Of how many bots each habit is told, and by how much better it predicts."""
    times, gains = Counter[str](), defaultdict[str, list[float]](list)
    for spec, own in of_bots.items():
        rest = [seat for other, seats in of_bots.items() if other != spec for seat in seats]
        for habit in told(own[:matches], summed(rest)):
            times[habit.kind] += 1
            gains[habit.kind].append(habit.gain)
    parts = (f"{kind} {times[kind]} ({fmean(gains[kind]):.1f})" for kind in WORDS if times[kind])
    said = f"told of {len(of_bots)} bots (log loss a match less)"
    say(f"  {matches} matches: {said}: {', '.join(parts)}")
