"""The slow machine that the tests can have: it is slow, and gone with its run."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys

import pytest

from tests.services import ROOT

RUN = """
import json, os
from tests.slow import slow_down
pids = [loop.pid for loop in slow_down(os.environ)]
cores = [sorted(os.sched_getaffinity(pid)) for pid in (0, *pids)]
print(json.dumps([pids, cores, os.environ.get("LATE_MS")]), flush=True)
input()
"""
CORES = os.sched_getaffinity(0)
ONE = [max(CORES)]
ALL = sorted(CORES)


@pytest.mark.parametrize(
    ("slow", "cores", "late"),
    [
        ("1", [ONE, ONE], "400"),
        ("pinned", [ONE], None),
        ("busy", [ALL] * (1 + len(ALL)), None),
    ],
)
def test_what_is_slow_ends_with_a_killed_run(
    slow: str, cores: list[list[int]], late: str | None
) -> None:
    rest = {name: value for name, value in os.environ.items() if name != "LATE_MS"}
    run = subprocess.Popen(
        (sys.executable, "-c", RUN),
        cwd=ROOT,
        env={**rest, "SLOW": slow},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert run.stdout
    pids, *told = json.loads(run.stdout.readline())
    loops = [os.pidfd_open(pid) for pid in pids]
    assert told == [cores, late]
    assert select.select(loops, [], [], 0)[0] == []
    run.send_signal(signal.SIGKILL)
    run.communicate()
    for loop in loops:
        select.select([loop], [], [])
        os.close(loop)
