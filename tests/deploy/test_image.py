"""The image is a whole site: what it runs, run here in a bare folder with its files alone."""

import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.deploy.bare import Machine, image, steps
from tests.processes.clients import met
from tests.services import DATABASE, ROOT, free_port, migrated
from tests.web.records import MATCHES

pytestmark = pytest.mark.release
LAST_OF_ADMIN = "0003_logentry_add_action_flag_choices"
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
    """It ends with its worker, however that ends, to be started again."""
    container = Container(tmp_path)
    shutil.copyfile(migrated(), container.data / DATABASE)
    assert not (container.place / "tests").exists()
    with container.running() as process:
        await eventually(container.ready, container)
        static = re.search(r'href="(/static/[^"]+\.css)"', container.page("/"))
        assert static
        assert "@layer" in container.page(static[1])
        container.manage("simulate", "--matches", "1", "--seed", "1", "--jobs", "1")
        container.manage("jobs", "analyse", "--every")
        reports = "SELECT count(*) FROM replays_storedreport"
        await eventually(lambda: container.rows(reports) == [(1,)], container)
        await eventually(container.backups, container)  # the first at once, so that one sees it
        # As an engine stops it: in time, and its worker with it.
        worker = container.worker(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOP_S) == 0
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)
    # The next comes when the clock says so, after a stop and a start too.
    container.rows(
        "UPDATE replays_lastrun SET at = datetime('now', '-25 hours') WHERE name LIKE 'night%'"
    )
    with container.running() as process:
        await eventually(lambda: len(container.backups()) == 2, container)
        os.kill(container.worker(process), signal.SIGKILL)
        process.wait(STOP_S)
    assert "The worker has ended, so the site ends too." in container.log.read_text()


def cmdline(pid: str) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path, {}, **{"-p 8000:": f"-p {free_port()}:"})
    yield machine
    for container in (tmp_path / "containers").glob("*.pid"):
        machine.run([f"docker stop {container.stem}"])


def counts(machine: Machine) -> list[int]:
    tables = ("games_match", "games_seat", "games_chunk", "auth_user")
    with closing(sqlite3.connect(machine.root / "data/ratuki.sqlite3")) as database:
        rows = [database.execute(f"SELECT count(*) FROM {table}") for table in tables]
        return [row.fetchone()[0] for row in rows]


def newest_backup(machine: Machine) -> Path:
    return max((machine.root / "data/backups").glob("ratuki-*.sqlite3"))


def named(commands: list[str], backup: Path) -> list[str]:
    """The commands with the backup that they are about."""
    return [command.replace("NAME", backup.stem) for command in commands]


def test_the_image_from_nothing_with_an_update_and_ways_back(machine: Machine) -> None:
    machine.fetch_release("one")
    first = [step for step in steps("With the image") if "https" not in step]
    (wait,) = [step for step in first if step.startswith("until")]
    assert "Superuser created successfully" in machine.run(first)
    manage = "docker exec ratuki python manage.py"
    machine.run([f"{manage} import_records {MATCHES[0]} {MATCHES[1]}"])
    before = counts(machine)
    assert (before[0], before[-1]) == (2, 1)

    machine.fetch_release("two")
    with closing(sqlite3.connect(machine.root / "data/ratuki.sqlite3")) as database, database:
        # As an older release left it. No other depends on it, and it changes nothing again.
        database.execute("DELETE FROM django_migrations WHERE name = ?", (LAST_OF_ADMIN,))
    machine.run([*steps("Update the image"), wait], cwd=".")
    said = machine.run(["docker logs ratuki"])
    assert said.index("restored and counted") < said.index("Applying")
    backup = newest_backup(machine)
    with closing(sqlite3.connect(backup)) as database:
        applied = "SELECT count(*) FROM django_migrations WHERE name = ?"
        assert database.execute(applied, (LAST_OF_ADMIN,)).fetchone() == (0,)

    said = machine.run([*named(steps("Go back: a backup was made"), backup), wait])
    assert "all counted" in said
    assert (machine.root / "images/ratuki:old").readlink().name == "ratuki-2.1.0"
    assert counts(machine) == before

    machine.run([f"{manage} backup"])
    backup = newest_backup(machine)
    said = machine.run([*named(steps("Restore in the image"), backup), wait])
    assert "all counted" in said
    assert counts(machine) == before

    other = Machine(machine.root / "other", {})
    for file in (backup, backup.with_suffix(".json")):
        shutil.copy(file, other.root)
    shutil.copy(machine.root / "ratuki.tar.gz", other.root)
    other.run(first[: first.index(wait) - 1])
    assert "all counted" in other.run(named(steps("Restore the image on a new machine"), backup))
    assert counts(other) == before
