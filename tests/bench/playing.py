"""Simulated rounds a second and core: four greedy bots, with and without storage."""

import gc
import os
import re
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from games.bots.roster import bot_spec
from games.bots.simulate import Setting, rounds
from games.engine.editions import DEFAULT_EDITION, EDITIONS
from tests.bench.measure import REPEATS, manage, spent, tell

AIM = "300 or more with storage"
FEW, MANY = 10, 160
"""Matches of two runs of the command: what the second has more is free of its start."""
SETTING = Setting(DEFAULT_EDITION, EDITIONS[DEFAULT_EDITION], (bot_spec("taker"),) * 4, 1)
_COUNTS = re.compile(r"(\d+) rounds, (\d+) events")


class Played(NamedTuple):
    """What a run of `manage.py simulate` played, and its CPU seconds, workers included."""

    seconds: float
    rounds: int
    events: int


def bench() -> None:
    """Print what playing costs."""
    gc.freeze()
    played = [each_round for match in range(20) for each_round in rounds(SETTING, match)]
    events = sum(len(each_round.events) for each_round in played)
    cost = spent(lambda: [list(rounds(SETTING, match)) for match in range(20)])
    tell("play alone, rounds/s and core", len(played) / cost.seconds, "rounds/s")
    tell("play alone, events/s and core", events / cost.seconds, "events/s")
    tell("play alone, yardsticks a round", cost.yardsticks / len(played), "")
    for jobs in (1, 2):
        more = [_more(jobs, seed) for seed in range(REPEATS)]
        speed = median(run.rounds / run.seconds for run in more)
        tell(f"with storage, {jobs} process(es)", speed, "rounds/s of CPU", AIM)
        speed = median(run.events / run.seconds for run in more)
        tell(f"with storage, {jobs} process(es)", speed, "events/s of CPU")


def _more(jobs: int, seed: int) -> Played:
    """What many matches have more than few, into a new database."""
    few, many = (_simulate(jobs, seed, matches) for matches in (FEW, MANY))
    return Played(many.seconds - few.seconds, many.rounds - few.rounds, many.events - few.events)


def _simulate(jobs: int, seed: int, matches: int) -> Played:
    options = ("--players=4", "--bots=taker", f"--jobs={jobs}", f"--matches={matches}")
    with TemporaryDirectory(prefix="ratuki-bench-") as folder:
        environment = {**os.environ, "RATUKI_VAR": folder}
        environment.pop("DATABASE_URL", None)
        manage("migrate", "--verbosity=0", environment=environment)
        seconds, said = manage("simulate", f"--seed={seed}", *options, environment=environment)
    counts = _COUNTS.search(said)
    assert counts, said
    return Played(seconds, int(counts[1]), int(counts[2]))
