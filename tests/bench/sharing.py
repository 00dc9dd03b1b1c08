"""Workers that share out one job: one, two, and two of which one is killed in the middle.

Everything is real: PostgreSQL, Redis, worker processes, and kill -9; the killed worker is started
again, as systemd does. Next to the time by the clock, which other load on the machine makes
longer, stands the CPU time of the busiest worker: what it would take with a core for each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import psycopg

from tests.bench.measure import say
from tests.services import ROOT, Postgres, Redis, Site

MATCHES = 400
LOOK = "SELECT done, state FROM replays_job ORDER BY id DESC LIMIT 1"
COUNT = "SELECT count(*) FROM games_match"
SEEDS = iter(range(1, 100))


class Spent(NamedTuple):
    """Seconds by the clock, and CPU seconds of the busiest worker and its successor."""

    clock: float
    busiest: float


class Place:
    """A worker, and its successor if it was killed."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._spent = 0.0
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = (sys.executable, "manage.py", "worker", "--nice=0")
        process = subprocess.Popen(command, cwd=ROOT, env=self._site.environment)
        time.sleep(3)  # until it waits: nothing else says so
        return process

    @property
    def cpu(self) -> float:
        """The CPU seconds so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return self._spent + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill_and_start_again(self) -> None:
        self._spent = self.cpu
        self.close()
        self.process = self._start()
        self._spent -= self.cpu - self._spent  # its start is not work

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def bench() -> None:
    """Simulate the same number of matches in each way."""
    with ExitStack() as opened:
        postgres, redis = Postgres(), Redis()
        opened.callback(postgres.close)
        opened.callback(redis.close)
        environment = {
            "DATABASE_URL": postgres.url(),
            "REDIS_URL": redis.url,
            "DJANGO_SETTINGS_MODULE": "tests.quiet_settings",
        }
        folder = opened.enter_context(tempfile.TemporaryDirectory())
        site = opened.enter_context(Site(Path(folder), environment))
        site.manage("migrate", "-v0")
        alone = _timed(site, 1)
        say(f"  one worker: {alone.clock:.1f} s, {alone.busiest:.2f} CPU s")
        for name, killed in (("two workers", False), ("two, one killed halfway", True)):
            two = _timed(site, 2, killed=killed)
            say(
                f"  {name}: {two.clock:.1f} s, {two.busiest:.2f} CPU s of the busier one: "
                f"{two.busiest / alone.busiest:.2f} of one worker's (aim: little more than 0.5)"
            )


def _timed(site: Site, count: int, *, killed: bool = False) -> Spent:
    """From asking to the end; the workers wait for it, already started."""
    with ExitStack() as opened:
        database = opened.enter_context(psycopg.connect(site.environment["DATABASE_URL"]))
        database.autocommit = True
        stored = _value(database, COUNT)
        places = [Place(site) for _ in range(count)]
        for place in places:
            opened.callback(place.close)
        before = [place.cpu for place in places]
        site.manage("jobs", "simulate", f"--matches={MATCHES}", f"--seed={next(SEEDS)}")
        begun = time.monotonic()
        while _active(database):
            if killed and _value(database, LOOK) >= MATCHES // 2:
                killed = False
                places[0].kill_and_start_again()
            time.sleep(0.02)
        clock = time.monotonic() - begun
        if _value(database, COUNT) - stored != MATCHES:
            say("  not all matches were stored")
        return Spent(clock, max(now.cpu - was for now, was in zip(places, before, strict=True)))


def _active(database: psycopg.Connection) -> bool:
    row = database.execute(LOOK).fetchone()
    return row is not None and row[1] in ("waiting", "running")


def _value(database: psycopg.Connection, query: str) -> int:
    row = database.execute(query).fetchone()
    assert row
    return int(row[0])
