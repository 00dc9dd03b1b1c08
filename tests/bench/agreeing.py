"""How far rollouts and the curve are from the truth: the very bots that played, from there on.

One position of each fresh match, of a seed that nothing was fitted to or tried on. FRESH=200 asks
for more matches, SEED=… for others, and POPULATION=stranger for other bots.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from games.bots.base import Bot
from games.bots.view import PublicEvents
from games.engine.events import Play
from games.engine.table import Table
from replays.analysis.judge.judge import Judge
from replays.analysis.judge.playing import Change, TryAt
from replays.analysis.judge.tally import Batch, Mean
from replays.analysis.lag import lags
from replays.analysis.winning.chance import chance
from replays.timeline import Timeline
from replays.training.matches import PlannedMatch, lines
from replays.training.positions import of_mix
from tests.bench.measure import say, tell

FRESH: Final = int(os.environ.get("FRESH", "40"))
SEED: Final = int(os.environ.get("SEED", "26112604"))
POPULATION: Final = os.environ.get("POPULATION", "roster")
ROLLOUTS: Final = 300
_DECIDED: Final = 0.97
"""Positions in which somebody has more than that tell nothing."""


class Compared(NamedTuple):
    """What is said of one seat's chance to win: by the curve, by rollouts, by the real bots."""

    group: tuple[str, ...]
    curve: float
    rollouts: Mean
    real: Mean


def bench() -> None:
    """Print how far both are off, in points of the chance to win."""
    found = [seat for index in range(FRESH) for seat in _compared(index)]
    groups: dict[str, list[Compared]] = defaultdict(list)
    for seat in found:
        for name in ("all", *seat.group):
            groups[name].append(seat)
    for name, seats in sorted(groups.items()):
        played, curve = _off([s.rollouts for s in seats], seats), _off([], seats)
        say(f"  {name:<20} {len(seats):>4} seats: rollouts {played:5.1%}  curve {curve:5.1%} off")
    tell("the curve", 100 * _off([], found), "points off", "9.5")
    tell("rollouts", 100 * _off([s.rollouts for s in found], found), "points off", "6.6")


def _off(said: list[Mean], seats: list[Compared]) -> float:
    """The root of the mean square, without the noise of the rollouts; of the curve if none."""
    means = said or [Mean(seat.curve, 0) for seat in seats]
    squares = [
        (mean.mean - seat.real.mean) ** 2 - mean.error**2 - seat.real.error**2
        for mean, seat in zip(means, seats, strict=True)
    ]
    return sqrt(max(0.0, sum(squares) / len(squares)))


def _compared(index: int) -> Iterator[Compared]:
    asked, length = of_mix(SEED, index, POPULATION)
    timeline = Timeline.of(lines(asked))
    randomness = Random(f"{SEED} {index}")
    played = randomness.choice(timeline.rounds)
    plays = [n for n, event in enumerate(played.events, 1) if isinstance(event, Play)]
    event = randomness.choice(plays)
    seat = played.events[event - 1].seat  # type: ignore[union-attr]
    judge = Judge(timeline, lags(timeline))
    question = judge.about(TryAt(played.number, event, seat), Change())
    if max(question.before) > _DECIDED:
        return
    side = question.ways[0]
    rollouts = side.tally(Batch(0, ROLLOUTS, seed=SEED))
    real = side._replace(seating=RealBots(asked)).tally(Batch(0, ROLLOUTS, seed=SEED + 1))
    seats, curve = len(timeline.names), chance(side.position)
    for at in range(seats):
        group = (f"{seats} seats", timeline.header.edition, length)
        yield Compared(group, curve[at], rollouts.win(at), real.win(at))


class RealBots:
    """Seats the bots that played, each with its own likings. Their luck is another."""

    def __init__(self, asked: PlannedMatch) -> None:
        self._seaters = asked.seaters
        self._seeds = asked.seeds()

    def __call__(self, table: Table, public: PublicEvents, seat: int, randomness: Random) -> Bot:
        own = Random(self._seeds[seat])
        bot = self._seaters[seat](table, public, seat, own)
        own.seed(randomness.getrandbits(64))
        return bot
