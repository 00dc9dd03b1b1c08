"""A backup that is killed, stopped or has no room leaves nothing; a night's is made again."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.processes.test_workers import ask, look, process, until
from tests.services import ROOT, Postgres, Site, beside

pytestmark = pytest.mark.slow

NIGHT = "SELECT at IS NOT NULL FROM replays_lastrun WHERE name = 'night'"
LAPSE = "UPDATE replays_lastrun SET at = '2000-01-01' RETURNING id"


@pytest.fixture
def site(postgres: Postgres, tmp_path: Path) -> Iterator[Site]:
    environment = {"DATABASE_URL": postgres.url(), "DJANGO_SETTINGS_MODULE": "tests.night_settings"}
    with Site(tmp_path, environment) as site:
        site.migrate()
        yield site


def checks(site: Site) -> int:
    """How many databases for checks are on the server."""
    with beside(site.environment["DATABASE_URL"]) as server:
        row = server.execute("SELECT count(*) FROM pg_database WHERE datname ~ '^ratuki_check'")
        return int((row.fetchone() or [0])[0])


def dumping(site: Site) -> bool:
    """Whether a `pg_dump` of the site's database runs."""
    database = site.environment["DATABASE_URL"].rpartition("/")[2]
    found = subprocess.run(("pgrep", "-f", f"^([^ ]*/)?pg_dump .*--dbname={database}"), check=False)
    return found.returncode == 0


def files(folder: Path) -> list[str]:
    """The kinds of files in a folder of backups."""
    return sorted(path.suffix for path in folder.iterdir())


@contextmanager
def blocked(site: Site) -> Iterator[None]:
    """`pg_dump` waits for a lock as long as the block lasts: on a table that nobody else reads."""
    with psycopg.connect(site.environment["DATABASE_URL"]) as connection:
        connection.execute("CREATE SCHEMA IF NOT EXISTS beside")
        connection.execute("CREATE TABLE IF NOT EXISTS beside.locked ()")
        connection.commit()
        connection.execute("LOCK TABLE beside.locked IN ACCESS EXCLUSIVE MODE")
        yield


@pytest.mark.postgres
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_backup_that_ends_during_its_check_leaves_nothing(
    how: signal.Signals, site: Site
) -> None:
    with process(site, "backup") as backup:
        until(lambda: checks(site) > 0 or backup.poll() is not None, "it is checked")
        backup.send_signal(signal.SIGSTOP)
        assert checks(site) == 1
        for number in (how, signal.SIGCONT):
            backup.send_signal(number)
        assert backup.wait() == (-how if how == signal.SIGKILL else 128 + how)
    folder = site.var / "backups"
    if how == signal.SIGTERM:
        assert (checks(site), files(folder)) == (0, [])
    site.manage("backup")
    assert (checks(site), files(folder)) == (0, [".dump", ".json"])


@pytest.mark.postgres
def test_a_night_runs_beside_the_work_and_again_after_it_was_killed(site: Site) -> None:
    folder = site.var / "backups"
    with blocked(site), process(site, "worker", "--nice=0") as worker:
        until(lambda: dumping(site), "the night's backup is under way")
        ask(site, 10)
        until(lambda: look(site)[0] == "finished", "the only worker works")
        worker.kill()
        until(lambda: not dumping(site), "pg_dump ends with the worker")
        until(lambda: files(folder) == [], "its night's work has deleted its file")
    assert look(site, NIGHT) is None, "the night is not done"
    look(site, LAPSE)
    with blocked(site), process(site, "worker", "--nice=0") as worker:
        until(lambda: dumping(site), "it is begun again")
        children = Path(f"/proc/{worker.pid}/task")
        (night,) = {
            int(pid)
            for task in children.iterdir()
            for pid in (task / "children").read_text().split()
        }
        os.kill(night, signal.SIGKILL)
        until(lambda: not dumping(site), "pg_dump ends with its parent")
        until(lambda: files(folder) == [], "the worker has deleted what it left")
    look(site, LAPSE)
    with process(site, "worker", "--nice=0"):
        until(lambda: bool(look(site, NIGHT)), "it is done")
    assert (checks(site), files(folder)) == (0, [".dump", ".json"])


FULL = """
mount -t tmpfs -o size=256k none "$0"
"$@"
status=$?
ls -A "$0"
exit $status
"""


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    with Site(tmp_path) as site:
        site.migrate()
        backup = (sys.executable, "manage.py", "backup", "--to", str(tmp_path / "full"))
        command = ("unshare", "--map-root-user", "--mount", "sh", "-c", FULL, tmp_path / "full")
        tried = subprocess.run(
            (*command, *backup),
            check=False,
            cwd=ROOT,
            env=site.environment,
            capture_output=True,
            text=True,
        )
    assert (tried.returncode, tried.stdout) == (1, "")
    assert "no backup was made: database or disk is full" in tried.stderr


@pytest.mark.parametrize("name", ["a#b", "a?b", "a%20b", "a b", "/a"])
def test_folders_may_have_any_name(name: str, tmp_path: Path) -> None:
    folder = f"{tmp_path}/{name}"
    with Site(tmp_path) as site:
        site.migrate()
        site.manage("backup", "--to", folder)
        assert files(Path(folder)) == [".json", ".sqlite3"]
    (tmp_path / f"new {name.strip('/')}").mkdir()
    with Site(tmp_path / f"new {name.strip('/')}") as new:
        (backup,) = Path(folder).glob("*.sqlite3")
        assert "all counted" in new.manage("restore", str(backup))


def test_rows_that_belong_to_missing_ones_are_found(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        with sqlite3.connect(site.var / "ratuki.sqlite3") as database:
            database.execute(
                "INSERT INTO replays_jobpart (job_id, number, turn, closes, units, done, over, "
                "worker, tries) VALUES (99, 0, 0, 0, 0, 0, 0, '', 0)"
            )
        with pytest.raises(subprocess.CalledProcessError):
            site.manage("backup")
        assert "rows that belong to missing ones: replays_jobpart (1)" in capfd.readouterr().err
        assert files(site.var / "backups") == []


def test_the_next_backup_deletes_the_files_of_a_killed_one(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        folder = tmp_path / "backups"
        folder.mkdir()
        for end in ("half", "half-wal", "half-shm", "half-json"):
            (folder / f".ratuki-20260101-030000.sqlite3.{end}").write_text("...")
        (folder / "ratuki-20260101-030000.json").write_text("{}")
        site.manage("backup")
        assert files(folder) == [".json", ".sqlite3"]
