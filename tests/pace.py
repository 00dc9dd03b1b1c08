"""What `make test` says about time: at its start what to expect here, at its end what took long.

`expect` measures for a second how much all cores together do, and is silent where that is enough.
`took` reads what the parts of a run have noted in `$TEST_SHARED`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

WORK_S: Final = 800
"""CPU seconds of everything, on a core that does `USUAL` additions in a second."""
WAITS_S: Final = 50
"""What takes as long on every machine."""
WIDTH: Final = 4
"""So many cores are kept busy at most."""
USUAL: Final = 25_000_000
USUAL_CORES: Final = 2
SLOWER: Final = 1.25
MANY: Final = 8
PROBE: Final = """
import time
def additions():
    end, done = time.monotonic() + 1, 0
    while time.monotonic() < end:
        for _ in range(1000): done += 1
    return done
print(additions())
"""


def cores() -> float:
    """How many usual cores this machine amounts to now, up to `WIDTH`."""
    several = min(os.cpu_count() or 1, 2 * WIDTH)
    command = (sys.executable, "-c", PROBE)
    probes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(several)]
    return min(WIDTH, sum(int(probe.communicate()[0]) for probe in probes) / USUAL)


def expected(cores: float) -> float:
    """How long everything takes, in seconds."""
    return WAITS_S + WORK_S / cores


def expectation(cores: float) -> str:
    """What to expect, on a machine that is slower than usual."""
    usual, here = expected(USUAL_CORES), expected(cores)
    if here < usual * SLOWER:
        return ""
    return (
        f"This machine takes about {here / usual:.1f} times as long as {USUAL_CORES} fast cores: "
        f"expect about {here / 60:.0f} minutes, not {usual / 60:.0f}."
    )


def note(tests: Iterable[tuple[float, str]]) -> None:
    """Keep how many seconds each of these tests took."""
    with Path(os.environ["TEST_SHARED"], "tests").open("a") as kept:
        kept.writelines(f"{seconds:.1f} {test}\n" for seconds, test in tests)


def took(stages: str, tests: str) -> str:
    """What took long, from lines of seconds and names."""
    timed = [line.split(" ", 1) for line in tests.splitlines()]
    slowest = sorted(timed, key=lambda line: -float(line[0]))[:MANY]
    parts = ", ".join(
        f"{name} {seconds} s" for seconds, name in map(str.split, stages.splitlines())
    )
    return "\n".join(
        [f"Took: {parts}. The slowest tests:", *(f"{s:>7} s  {test}" for s, test in slowest)]
    )


def _kept(name: str) -> str:
    path = Path(os.environ["TEST_SHARED"], name)
    return path.read_text() if path.exists() else ""


if __name__ == "__main__":
    said = (
        expectation(cores()) if sys.argv[1] == "expect" else took(_kept("stages"), _kept("tests"))
    )
    if said:
        sys.stdout.write(f"{said}\n")
