"""The image is a whole site: what it runs, run here in a bare folder with its files alone."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.deploy.bare import image
from tests.processes.clients import met
from tests.services import ROOT, free_port

pytestmark = pytest.mark.slow
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text().replace("\\\n", " ")
STOP_S = 15
"""An engine waits ten seconds before it kills; this machine may be busy."""


def environment(data: Path, port: int) -> dict[str, str]:
    """What the image sets, and nothing of this machine but where Python is."""
    line = re.search(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)
    assert line
    said = dict(word.split("=", 1) for word in shlex.split(line[1]))
    assert said["RATUKI_VAR"] == "/data"
    here = {"RATUKI_VAR": str(data), "PORT": str(port), "SITE_ORIGINS": f"http://127.0.0.1:{port}"}
    return {**said, **here, "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}


class Container:
    """The image's files and its data; `running` runs its command."""

    def __init__(self, folder: Path) -> None:
        self.place, self.data = image(folder), folder / "data"
        self.data.mkdir()
        self.log = folder / "log"
        self.port = free_port()
        self.environment = environment(self.data, self.port)

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[bytes]]:
        line = re.search(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
        assert line
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                json.loads(line[1]),
                cwd=self.place,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def manage(self, *arguments: str) -> str:
        """As `docker exec … python manage.py`; what it prints."""
        command = ("python", "manage.py", *arguments)
        return subprocess.check_output(
            command, cwd=self.place, env=self.environment, text=True, stderr=subprocess.STDOUT
        )

    def backups(self) -> list[Path]:
        return sorted((self.data / "backups").glob("ratuki-*.sqlite3"))

    def page(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as answer:
            return str(answer.read().decode())

    def ready(self) -> bool:
        try:
            return "ready" in self.page("/health/ready")
        except OSError:
            return False

    def worker(self, process: subprocess.Popen[bytes]) -> int:
        """The process that its server has started."""
        path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        (worker,) = (pid for pid in path.read_text().split() if b"worker" in cmdline(pid))
        return int(worker)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.data / "ratuki.sqlite3")) as database, database:
            return database.execute(query).fetchall()


async def eventually(what: Callable[[], object], container: Container) -> None:
    try:
        await met(what, 120)
    except TimeoutError:
        raise AssertionError(container.log.read_text()) from None


async def test_one_command_is_a_site_with_worker_and_nightly_backups(tmp_path: Path) -> None:
    container = Container(tmp_path)
    assert not (container.place / "tests").exists()
    with container.running() as process:
        await eventually(container.ready, container)
        static = re.search(r'href="(/static/[^"]+\.css)"', container.page("/"))
        assert static
        assert "@layer" in container.page(static[1])
        container.manage("jobs", "simulate", "--matches", "1", "--seed", "1")
        matches = "SELECT count(*) FROM games_match"
        await eventually(lambda: container.rows(matches) == [(1,)], container)
        await eventually(container.backups, container)  # the first at once, so that one sees it
        stopped(container, process)
    # The next comes when the clock says so, after a stop and a start too.
    container.rows(
        "UPDATE replays_lastrun SET at = datetime('now', '-25 hours') WHERE name='night'"
    )
    with container.running() as process:
        await eventually(lambda: len(container.backups()) == 2, container)
        stopped(container, process)
    restored(container)


def stopped(container: Container, process: subprocess.Popen[bytes]) -> None:
    """As an engine stops it: in time, and its worker with it."""
    worker = container.worker(process)
    process.send_signal(signal.SIGTERM)
    assert process.wait(STOP_S) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def restored(container: Container) -> None:
    """The drill of docs/how-to/host.md: the database is put aside, and comes back whole."""
    tables = ("games_match", "games_seat", "games_chunk", "django_migrations")
    before = [container.rows(f"SELECT count(*) FROM {table}") for table in tables]
    for path in container.data.glob("ratuki.sqlite3*"):
        path.rename(container.data / f"aside-{path.name}")
    assert "all counted" in container.manage("restore", str(container.backups()[-1]))
    assert [container.rows(f"SELECT count(*) FROM {table}") for table in tables] == before


async def test_without_its_worker_the_site_ends_to_be_started_again(tmp_path: Path) -> None:
    container = Container(tmp_path)
    with container.running() as process:
        await eventually(container.ready, container)
        os.kill(container.worker(process), signal.SIGKILL)
        process.wait(STOP_S)
    assert "The worker has ended, so the site ends too." in container.log.read_text()


def cmdline(pid: str) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def test_an_update_is_backed_up_before_it_changes_anything(tmp_path: Path) -> None:
    container = Container(tmp_path)
    container.manage("migrate", "games", "0013", "--verbosity", "0")
    said = container.manage("host", "--prepare")
    assert said.index("restored and counted") < said.index("Applying")
    (backup,) = container.backups()
    with closing(sqlite3.connect(backup)) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert "games_match" in names
    assert "games_sitesettings" not in names
    assert "Applying" not in container.manage("host", "--prepare")
    assert len(container.backups()) == 1
