"""A worker that is busy as long as a measurement lasts."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.services import ROOT, Site

MATCHES = 100_000


class Progress:
    """How far the job of the site's is."""

    def __init__(self, site: Site) -> None:
        self._path = site.var / "ratuki.sqlite3"
        self._known = 0

    def wait_for_more(self) -> int:
        """Wait until more has been done than was known; how much that is."""
        while (done := self._done()) <= self._known:
            time.sleep(0.05)
        self._known = done
        return done

    def _done(self) -> int:
        opened = sqlite3.connect(self._path)
        try:
            return int(opened.execute("SELECT done FROM replays_job").fetchone()[0])
        finally:
            opened.close()


@contextmanager
def working(site: Site, core: int) -> Iterator[Progress]:
    """A worker on that core, with more to simulate than it can, as nice as it is by default."""
    site.manage("jobs", "simulate", f"--matches={MATCHES}", "--seed=1")
    command = (sys.executable, "manage.py", "worker")
    process = subprocess.Popen(command, cwd=ROOT, env=site.environment)
    os.sched_setaffinity(process.pid, {core})
    try:
        yield Progress(site)
    finally:
        process.terminate()
        process.wait()
