"""Where players' points come from: whether the parts are a player's own, and what they cost.

Matches of a fresh seed: the site's 25 bots at random tables of any edition, 2 to 5 seats. A part
that is a player's own is the same in one half of their matches as in the other, one that is luck
is not. FRESH=400 asks for so many matches, SEED=… for others.
"""

import os
from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import correlation, fmean, stdev
from typing import Final

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import Setting
from games.bots.simulate import lines as simulated
from games.bots.skill import LEVELS
from games.engine.editions import EDITIONS
from replays.analysis.lag import lags
from replays.analysis.players.points import Points, points
from replays.analysis.players.worth import costs
from replays.timeline import Timeline
from tests.bench.measure import cpu, say, tell

FRESH: Final = int(os.environ.get("FRESH", "400"))
SEED: Final = int(os.environ.get("SEED", "720331"))
HALVES: Final = (2, 5, 10, 20)
"""How many matches a half has."""
DRAWS: Final = 40
"""How often matches are dealt to the halves at random."""

Players = dict[BotSpec, list[tuple[int, Points]]]
"""How many rounds each of their matches had, and their points in it."""


def bench() -> None:
    """Print the split-half correlation of each part, the parts of each level, and the rest of each
    temper."""
    players, seconds, rounds = _played()
    tell("CPU for 5 rounds", 5_000 * seconds / rounds, "CPU ms")
    for half in HALVES:
        correlations = _halves(players, half)
        if correlations:
            parts = "  ".join(f"{part} {value:.2f}" for part, value in correlations.items())
            say(f"  halves of {half:>2} matches: {parts}")
    for part in Points._fields[1:]:
        of_levels = [_share(players, "level", level, part) for level in LEVELS]
        said = "  ".join(f"{mean:+5.1f} ± {error:.1f}" for mean, error in of_levels)
        say(f"  {part:<8} a round, levels 1 to {LEVELS[-1]}: {said}")
    for temper in TEMPERS:
        mean, error = _share(players, "temper", temper, "rest")
        say(f"  the rest of {temper}: {mean:+.1f} ± {error:.1f} a round")


def _played() -> tuple[Players, float, int]:
    """The parts, the CPU seconds that they took, and of how many rounds."""
    players: Players = defaultdict(list)
    every = [BotSpec(temper, level) for temper in TEMPERS for level in LEVELS]
    seconds, rounds = 0.0, 0
    for index in range(FRESH):
        randomness = Random(f"parts {SEED}/{index}")
        edition = randomness.choice(list(EDITIONS))
        seated = tuple(randomness.sample(every, randomness.randrange(2, 6)))
        timeline = Timeline.of(simulated(Setting(edition, EDITIONS[edition], seated, SEED), index))
        made: list[Points] = []
        seconds += cpu(lambda: made.extend(_points(timeline)))  # noqa: B023
        rounds += len(timeline.rounds)
        assert [round(own.score, 6) for own in made] == list(timeline.totals)
        for spec, own in zip(seated, made, strict=True):
            players[spec].append((len(timeline.rounds), own))
    return players, seconds, rounds


def _points(timeline: Timeline) -> list[Points]:
    return points(timeline, costs(timeline, lags(timeline)))


def _halves(players: Players, half: int) -> dict[str, float]:
    """The correlation over players between two halves of their matches, by part."""
    randomness, correlations = Random(SEED), defaultdict[str, list[float]](list)
    enough = [matches for matches in players.values() if len(matches) >= 2 * half]
    if len(enough) < len(players) // 2:
        return {}
    for _ in range(DRAWS):
        dealt = [randomness.sample(matches, 2 * half) for matches in enough]
        for part in Points._fields[1:]:
            first = [_mean(matches[:half], part) for matches in dealt]
            other = [_mean(matches[half:], part) for matches in dealt]
            correlations[part].append(correlation(first, other))
    return {part: fmean(values) for part, values in correlations.items()}


def _mean(matches: Sequence[tuple[int, Points]], part: str) -> float:
    """Points a round."""
    rounds = sum(count for count, _ in matches)
    return sum(getattr(own, part) for _, own in matches) / rounds


def _share(players: Players, trait: str, value: str | int, part: str) -> tuple[float, float]:
    """The mean over matches of the bots with that level or temper, and its standard error."""
    of_matches = [
        _mean([match], part)
        for spec, matches in players.items()
        for match in matches
        if getattr(spec, trait) == value
    ]
    return fmean(of_matches), stdev(of_matches) / sqrt(len(of_matches))
