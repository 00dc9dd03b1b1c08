"""Real worker processes: on each queue, killed in the middle, and beside the demo."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.narrowing import present
from tests.services import ROOT, Postgres, Redis, Site, free_port

pytestmark = pytest.mark.slow

PATIENCE_S = 180
QUIET = {"DJANGO_SETTINGS_MODULE": "tests.quiet_settings"}
ASK = """
from games.bots.roster import mixed
from games.bots.simulate import Setting, lines
from games.engine.editions import house_rules
from games.archive.packing import pack
from games.archive.store import insert
from replays.jobs.starting import SITE
from replays.stored import reports
setting = Setting("usaopoly-2009", house_rules("usaopoly-2009", {"target": TARGET}), mixed(2), 1)
print(reports.ask(insert([pack(lines(setting, 0))], "simulated")[0], SITE).key)
"""
"""Asks for a report as a job."""
LOOK = "SELECT state, done, total FROM replays_job"
BEATS = "SELECT seen > begun FROM replays_worker"


def ask(site: Site, target: int = 100) -> None:
    site.manage("shell", "--no-imports", "-c", ASK.replace("TARGET", str(target)))


def look(site: Site, at: str = LOOK) -> Any:
    """The job's state, how much of it is done, and of how much; or the row of another query."""
    url = site.environment.get("DATABASE_URL")
    opened = psycopg.connect(url) if url else sqlite3.connect(site.var / "ratuki.sqlite3")
    try:
        return opened.execute(at).fetchone()
    finally:
        opened.close()


def until(met: Callable[[], bool], what: str = "it happens") -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + PATIENCE_S
    while not met():
        assert time.monotonic() < deadline, f"waited for this in vain: {what}"
        time.sleep(0.05)


@contextmanager
def process(site: Site, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command of the site's, killed at the end if it still runs."""
    command = (sys.executable, "manage.py", *arguments)
    running = subprocess.Popen(command, cwd=ROOT, env=site.environment, stdin=subprocess.PIPE)
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


@pytest.mark.postgres
def test_a_worker_hears_of_work_through_postgresql_alone(
    postgres: Postgres, tmp_path: Path
) -> None:
    with Site(tmp_path, {**QUIET, "DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        with process(site, "worker", "--nice=0", "--until-eof") as worker:
            ask(site)
            until(lambda: look(site)[0] == "finished")
            until(lambda: look(site, BEATS)[0], "it shows that it is alive")
            present(worker.stdin).close()
            assert worker.wait(timeout=PATIENCE_S) == 0


@pytest.mark.redis
def test_what_a_killed_worker_had_saved_is_not_done_again(redis: Redis, tmp_path: Path) -> None:
    with Site(tmp_path, {**QUIET, "REDIS_URL": redis.url}) as site:
        site.migrate()
        ask(site, target=500)
        with process(site, "worker", "--nice=0") as first:
            until(lambda: look(site)[1] > 0)
            first.kill()
        state, done, total = look(site)
        assert state == "running"
        assert 0 < done < total
        with sqlite3.connect(site.var / "ratuki.sqlite3") as opened:
            opened.execute("UPDATE replays_jobpart SET leased_until = '2000-01-01'")
        with process(site, "worker", "--nice=0") as second:
            until(lambda: look(site)[0] == "finished")
            second.terminate()
            assert second.wait(timeout=PATIENCE_S) == 0
        assert look(site)[1:] == (total, total)


def test_the_demo_has_a_worker_and_leaves_nothing_running(tmp_path: Path) -> None:
    with Site(tmp_path, {**QUIET, "PORT": str(free_port())}) as site:
        site.migrate()
        ask(site)
        collected = tmp_path / "static" / "test" / ".complete"
        collected.parent.mkdir(parents=True)
        collected.touch()
        with process(site, "demo", "--bare") as demo:
            until(lambda: look(site)[0] == "finished")
            children = _children(demo.pid)
            assert len(children) == 1
            demo.terminate()
            demo.wait(timeout=PATIENCE_S)
            until(lambda: not Path(f"/proc/{children[0]}").exists())


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
