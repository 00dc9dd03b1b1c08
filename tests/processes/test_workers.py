"""Real worker processes: on each queue, killed in the middle, and beside the demo."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psycopg
import pytest

from tests.narrowing import present
from tests.services import ROOT, Postgres, Redis, Site, free_port

pytestmark = pytest.mark.slow

PATIENCE_S = 180
QUIET = {"DJANGO_SETTINGS_MODULE": "tests.quiet_settings"}
LOOK = "SELECT state, done, total FROM replays_job"
LAPSE = "UPDATE replays_jobpart SET seen = '2000-01-01 00:00:00' WHERE worker <> ''"
DISCONNECT = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
BEATS = "SELECT seen > begun FROM replays_worker"


ASK = """
from games.engine.message import Message
from replays.jobs.kinds import Share
from replays.jobs.starting import SITE, begin
begin("tick", "all", Message("Ticking"), {{}}, [Share(n, n) for n in {parts}], by=SITE)
"""


def ask(site: Site, *parts: int) -> None:
    """Ask for a job of parts with so many units."""
    site.manage("shell", "-v0", "--no-imports", "-c", ASK.format(parts=parts or (10,)))


def look(site: Site, at: str = LOOK) -> Any:
    """The job's state, how much of it is done, and of how much; or the row of another query."""
    url = site.environment.get("DATABASE_URL")
    opened = psycopg.connect(url) if url else sqlite3.connect(site.var / "ratuki.sqlite3")
    try:
        row = opened.execute(at).fetchone()
        opened.commit()
        return row
    finally:
        opened.close()


def until(met: Callable[[], bool], what: str = "it happens") -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + PATIENCE_S
    while not met():
        assert time.monotonic() < deadline, f"waited for this in vain: {what}"
        time.sleep(0.05)


@contextmanager
def process(
    site: Site, *arguments: str, errors: IO[bytes] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A command of the site's, killed at the end if it still runs."""
    command = (sys.executable, "manage.py", *arguments)
    running = subprocess.Popen(
        command, cwd=ROOT, env=site.environment, stdin=subprocess.PIPE, stderr=errors
    )
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


@pytest.mark.postgres
def test_a_worker_ends_within_ten_seconds_though_the_database_hangs(
    postgres: Postgres, tmp_path: Path
) -> None:
    with Site(tmp_path, {**QUIET, "DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        ask(site, 50, 50, 50)
        with process(site, "worker", "--nice=0") as worker:
            until(lambda: look(site)[0] == "running")
            with postgres.hanging():
                worker.terminate()
                assert worker.wait(timeout=10) == 0


@pytest.mark.postgres
def test_a_part_whose_connection_breaks_is_done_again_by_the_same_worker(
    postgres: Postgres, tmp_path: Path
) -> None:
    with Site(tmp_path, {**QUIET, "DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        ask(site, 200, 20)
        with process(site, "worker", "--nice=0") as worker:
            until(lambda: look(site)[1] > 0, "it has saved something")
            look(site, DISCONNECT)
            until(lambda: look(site)[0] == "finished")
            assert worker.poll() is None
        assert look(site, "SELECT CAST(result AS TEXT) FROM replays_job") == ("[200, 20]",)


@pytest.mark.redis
def test_an_outage_of_the_queue_is_one_line_and_its_return_another(
    redis: Redis, tmp_path: Path
) -> None:
    with Site(tmp_path, {**QUIET, "REDIS_URL": redis.url}) as site:
        site.migrate()
        with site.log.open("wb") as log, process(site, "worker", "--nice=0", errors=log):
            until(lambda: bool(look(site, BEATS)), "it is alive")
            redis.stop()
            for _ in range(3):
                look(site, "UPDATE replays_worker SET seen = begun RETURNING id")
                until(lambda: look(site, BEATS)[0], "it has looked again")
            redis.start()
            ask(site)
            until(lambda: look(site)[0] == "finished")
            until(lambda: " are back" in site.log.read_text())
        text = site.log.read_text()
        assert "Traceback" not in text
        assert len(text.splitlines()) == 2, text


@pytest.mark.redis
@pytest.mark.postgres
@pytest.mark.parametrize("store", ["SQLite", "PostgreSQL", "Redis"])
def test_what_a_killed_worker_had_is_done_once(
    store: str, postgres: Postgres, redis: Redis, tmp_path: Path
) -> None:
    urls = {"PostgreSQL": {"DATABASE_URL": postgres.url()}, "Redis": {"REDIS_URL": redis.url}}
    with Site(tmp_path, {**QUIET, **urls.get(store, {})}) as site:
        site.migrate()
        ask(site, 50, 50, 50)
        with site.working():
            until(lambda: look(site)[1] > 0, "it has saved something")
        assert look(site)[0] == "running"
        look(site, f"{LAPSE} RETURNING id")
        with site.working() as last:
            until(lambda: look(site)[0] == "finished")
            last.terminate()
            assert last.wait(timeout=PATIENCE_S) == 0
        assert look(site)[1:] == (150, 150)
        assert look(site, "SELECT CAST(result AS TEXT) FROM replays_job") == ("[50, 50, 50]",)
        assert look(site, "SELECT count(*) FROM replays_jobpart") == (0,)


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
