"""How the benchmarks measure and speak."""

import resource
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import NamedTuple

from tests.services import ROOT

REPEATS = 5


class Spent(NamedTuple):
    """The CPU seconds of something, and those of the yardstick next to it."""

    seconds: float
    yardstick: float

    @property
    def yardsticks(self) -> float:
        """How many times the yardstick it took."""
        return self.seconds / self.yardstick


def say(words: str) -> None:
    """A line, at once: a benchmark takes minutes."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def tell(name: str, value: float, unit: str, aim: str = "") -> None:
    """A figure, and the aim that it is held against."""
    say(f"  {name:<44} {value:>12,.2f} {unit}{f'   (aim: {aim})' if aim else ''}")


def yardstick() -> None:
    """A fixed piece of plain Python: calls, sums, a dictionary, a list."""
    counts: dict[int, int] = {}
    for number in range(100_000):
        counts[number & 255] = counts.get(number & 127, 0) + (number & 7)


def cpu(run: Callable[[], object]) -> float:
    """The CPU seconds of a run in this process."""
    began = process_time()
    run()
    return process_time() - began


def yardstick_ms() -> float:
    """The yardstick's CPU, in ms: the least of some runs."""
    return 1_000 * min(cpu(yardstick) for _ in range(20))


def spent(run: Callable[[], object], repeats: int = REPEATS) -> Spent:
    """The median CPU of a run in this process, and of the yardstick run in between."""
    runs, sticks = [], []
    for _ in range(repeats):
        sticks.append(min(cpu(yardstick) for _ in range(3)))
        runs.append(cpu(run))
    return Spent(median(runs), median(sticks))


def manage(*arguments: str, environment: dict[str, str]) -> tuple[float, str]:
    """A management command in a process of its own: CPU of it and its workers, its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        (sys.executable, "manage.py", *arguments),
        cwd=ROOT,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds, done.stdout
