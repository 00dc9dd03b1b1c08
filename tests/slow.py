"""Slow machines to try the tests on: `SLOW=1 make browser-test` finds what depends on speed.

Server, browser and tests share one core with a busy loop, and what the site says and hears is late
(tests/late.py). `SLOW=pinned` is the one core alone, `SLOW=busy` a busy loop beside every core.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, MutableMapping
from typing import Final

LATE_MS: Final = "400"
"""As on a bad mobile network, unless the environment says otherwise."""
WAYS: Final[Mapping[str, frozenset[str]]] = {
    "1": frozenset({"pinned", "busy", "late"}),
    "pinned": frozenset({"pinned"}),
    "busy": frozenset({"busy"}),
}
LOOP: Final = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0))).start()
while True:
    pass
"""
"""Busy until its standard input ends, as it does however its parent ends."""


def slow_down(environment: MutableMapping[str, str]) -> list[subprocess.Popen[bytes]]:
    """Be slow from now on, with all that is started, as `SLOW` says; the busy loops.

    They end with this process, however it ends, or before it with `end`.
    """
    ways = WAYS[environment["SLOW"]]
    if "late" in ways:
        environment.setdefault("LATE_MS", LATE_MS)
    if "pinned" in ways:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    loops = len(os.sched_getaffinity(0)) if "busy" in ways else 0
    command = (sys.executable, "-c", LOOP)
    return [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(loops)]


def end(loops: list[subprocess.Popen[bytes]]) -> None:
    """End the busy loops."""
    for loop in loops:
        loop.kill()
        loop.communicate()
