"""Backups of the whole database: taken at one moment, checked, and restored.

A backup is two files with one name: the data (`.sqlite3` of an embedded database, `.dump` of
PostgreSQL), and a `.json` that counts each table's rows at that moment. Each backup is restored and
counted before it gets its name, so a file that has the name can be restored.

What is not finished is locked by its process: a file by `flock`, a check's database by an advisory
lock. After `kill -9` or a reboot nobody has the lock, and `discard_unfinished` deletes it.
"""

import fcntl
import json
import os
import shutil
import sqlite3
import subprocess
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Final

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql

Counts = Mapping[str, int]
"""The rows of each table."""
_PAGES: Final = 10_000
"""Copied at once of an embedded database. Between two times a signal is heard."""


class BackupError(Exception):
    """The backup or the restoring failed. The message says why, and lists the unchanged things."""


class _Database(ABC):
    """One kind of database. `suffix` names its files."""

    suffix: str

    @abstractmethod
    def copy(self, to: Path) -> Counts:
        """Write the whole database to a file: its rows at that moment."""

    @abstractmethod
    def count(self, backup: Path) -> Counts:
        """Restore a file into an empty database of its own, and count its rows."""

    def discard_unfinished(self) -> None:  # noqa: B027 - only a server has something to discard
        """Delete what checks that were killed left on the server."""

    @abstractmethod
    def load(self, backup: Path) -> Counts:
        """Restore a file into the site's own, empty database, and count its rows."""


class _Embedded(_Database):
    suffix = ".sqlite3"

    def __init__(self) -> None:
        self._path = str(connection.settings_dict["NAME"])

    def copy(self, to: Path) -> Counts:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as source:
            # Everything is read in one transaction, so that the numbers are those of the copy.
            source.execute("BEGIN DEFERRED")
            counts = _rows(source)
            with closing(sqlite3.connect(to)) as target:
                source.backup(target, pages=_PAGES, progress=lambda *_: None)
                # As a single file: nothing of it is left in a log beside it.
                target.execute("PRAGMA journal_mode=DELETE")
                # PostgreSQL checks this when it restores.
                lost = Counter(row[0] for row in target.execute("PRAGMA foreign_key_check"))
        if lost:
            tables = ", ".join(f"{name} ({count})" for name, count in sorted(lost.items()))
            raise BackupError(f"the database has rows that belong to missing ones: {tables}")
        return counts

    def count(self, backup: Path) -> Counts:
        with closing(_read_only(backup)) as database:
            verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
            if verdict != "ok":
                raise BackupError(f"{backup.name} is damaged: {verdict}")
            return _rows(database)

    def load(self, backup: Path) -> Counts:
        connection.close()
        with closing(_read_only(backup)) as source, closing(sqlite3.connect(self._path)) as target:
            source.backup(target)
            return _rows(target)


class _Postgres(_Database):
    suffix = ".dump"

    def __init__(self) -> None:
        given = connection.get_connection_params()
        names = ("host", "port", "user", "password", "dbname")
        self._where = {name: str(given[name]) for name in names if given.get(name)}

    def copy(self, to: Path) -> Counts:
        with psycopg.connect(**self._where) as source:  # type: ignore[arg-type]
            source.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            row = source.execute("SELECT pg_export_snapshot()").fetchone()
            assert row
            counts = _public_rows(source)
            self._run("pg_dump", "--format=custom", f"--snapshot={row[0]}", f"--file={to}")
        return counts

    def count(self, backup: Path) -> Counts:
        with self._empty_database() as name:
            return self._restored(backup, name)

    def load(self, backup: Path) -> Counts:
        return self._restored(backup, self._where["dbname"])

    def _restored(self, backup: Path, name: str) -> Counts:
        self._run("pg_restore", "--single-transaction", "--no-owner", str(backup), dbname=name)
        with psycopg.connect(**{**self._where, "dbname": name}) as database:  # type: ignore[arg-type]
            return _public_rows(database)

    @contextmanager
    def _empty_database(self) -> Iterator[str]:
        """A database that exists for one check."""
        token = token_hex(4)
        name = self._check_name(token)
        with psycopg.connect(**self._where, autocommit=True) as server:  # type: ignore[arg-type]
            _lock(server, token)
            try:
                server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            except psycopg.errors.InsufficientPrivilege:
                user = server.info.user
                raise BackupError(
                    "a backup is restored into an empty database to check it, and this role "
                    f'may not create one. As a superuser: ALTER ROLE "{user}" CREATEDB'
                ) from None
            try:
                yield name
            finally:
                _drop(server, name)

    def _check_name(self, token: str) -> str:
        """It names the site's database: another site may be on the same server."""
        return f"ratuki_check_{token}_{self._where['dbname']}"[:63]

    def discard_unfinished(self) -> None:
        with psycopg.connect(**self._where, autocommit=True) as server:  # type: ignore[arg-type]
            found = server.execute(
                "SELECT datname, substring(datname FROM '^ratuki_check_([0-9a-f]{8})_')"
                " FROM pg_database WHERE datname ~ '^ratuki_check_[0-9a-f]{8}_'"
            )
            for name, token in found.fetchall():
                if name == self._check_name(token) and _lock(server, token):
                    _drop(server, name)

    def _run(self, program: str, *options: str, dbname: str = "") -> None:
        """Run one of PostgreSQL's programs, which ends with this process.

        Raises BackupError with its output.
        """
        where = {**self._where, "dbname": dbname or self._where["dbname"]}
        password = where.pop("password", "")
        flags = {"host": "--host", "port": "--port", "user": "--username", "dbname": "--dbname"}
        command = [program, *options, *(f"{flags[key]}={value}" for key, value in where.items())]
        if shutil.which(program) and shutil.which("setpriv"):  # Linux
            command = ["setpriv", "--pdeathsig", "KILL", *command]
        env = {**os.environ, "PGPASSWORD": password} if password else None
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        except FileNotFoundError:
            advice = "on Debian: apt-get install -y postgresql-client"
            raise BackupError(f"{program} is needed; {advice}") from None
        if done.returncode:
            raise BackupError(f"{program} failed: {done.stderr.strip()}")


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _lock(server: psycopg.Connection, token: str) -> bool:
    """Lock a check's database until the connection ends. False if another process has the lock."""
    row = server.execute("SELECT pg_try_advisory_lock(%s)", [int(token, 16)]).fetchone()
    return bool(row and row[0])


def _drop(server: psycopg.Connection, name: str) -> None:
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
    server.execute(drop.format(sql.Identifier(name)))


def _rows(database: sqlite3.Connection) -> Counts:
    tables = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return {
        name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608
        for (name,) in sorted(tables)
    }


def _public_rows(database: psycopg.Connection) -> Counts:
    tables = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    counts = {}
    for (name,) in sorted(tables.fetchall()):
        count = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name))
        row = database.execute(count).fetchone()
        counts[name] = row[0] if row else 0
    return counts


def _database() -> _Database:
    return _Postgres() if connection.vendor == "postgresql" else _Embedded()


def folder_of_backups() -> Path:
    """The default folder for backups. Made if it is missing."""
    return Path(settings.VAR_DIR) / "backups"


def make_backup(folder: Path, now: datetime) -> tuple[Path, int]:
    """Write a backup into `folder` and check it. Returns its file and the number of rows.

    Raises BackupError. The folder is then unchanged, apart from what killed backups left there.
    """
    database = _database()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupError(f"the folder {folder} cannot be made: {error.strerror}") from error
    path = folder / f"ratuki-{now:%Y%m%d-%H%M%S}{database.suffix}"
    try:
        discard_unfinished(folder)
        with _unfinished(path) as half:
            counts = database.copy(half)
            if database.count(half) != counts:
                raise BackupError("the copy has other rows than the database had")
            made = f"{now:%Y-%m-%dT%H:%M:%SZ}"
            about = {"release": settings.RELEASE, "made": made, "rows": counts}
            half_about = half.with_name(f"{half.name}-json")
            new = os.open(half_about, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(new, "w") as file:
                json.dump(about, file, indent=1)
            half_about.rename(_about(path))
            half.rename(path)
    except (OSError, sqlite3.Error, psycopg.Error) as error:
        raise BackupError(str(error)) from error
    return path, sum(counts.values())


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """A file for the backup until it gets its name: gone afterwards, however the block ends."""
    half = path.with_name(f".{path.name}.half")
    lock = os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield half
    finally:
        _delete_unfinished(half)
        os.close(lock)


def discard_unfinished(folder: Path) -> None:
    """Delete what killed backups left in the folder and on the database's server."""
    _database().discard_unfinished()
    found = {str(path).rpartition(".half")[0] for path in folder.glob(".ratuki-*.half*")}
    for half in (Path(f"{name}.half") for name in found):
        lock = os.open(half, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
        with suppress(BlockingIOError):  # its process is alive
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _delete_unfinished(half)
        os.close(lock)


def _delete_unfinished(half: Path) -> None:
    """Delete a backup without its name, SQLite's files beside it first."""
    path = half.with_name(half.name.removeprefix(".").removesuffix(".half"))
    for beside in half.parent.glob(f"{half.name}-*"):
        beside.unlink()
    if not path.exists():
        _about(path).unlink(missing_ok=True)
    half.unlink(missing_ok=True)


def delete_old(folder: Path, days: int, now: datetime) -> int:
    """Delete backups made more than `days` days ago, but never the newest. Returns how many."""
    files = (path for path in folder.glob("ratuki-*") if path.suffix != ".json")
    backups = sorted((made, path) for path in files if (made := _made_at(path)))
    old = [path for made, path in backups[:-1] if made < now - timedelta(days=days)]
    for path in old:
        path.unlink()
        _about(path).unlink(missing_ok=True)
    return len(old)


def restore(backup: Path) -> tuple[int, str]:
    """Restore a backup into the site's empty database. Returns its rows and its release.

    Raises BackupError where the file is no complete backup, or the database is not empty.
    """
    database = _database()
    if backup.suffix != database.suffix:
        raise BackupError(f"{backup.name} is no backup of this kind ({database.suffix})")
    if connection.introspection.table_names():
        raise BackupError(
            "the database is not empty, and nothing was changed. Stop the site, move its database "
            "away or drop it, create an empty one, and restore again"
        )
    try:
        about = json.loads(_about(backup).read_text())
        expected: Counts = about["rows"]
        whole = database.count(backup) == expected
        counts = database.load(backup) if whole else {}
    except (BackupError, OSError, ValueError, KeyError, sqlite3.Error, psycopg.Error) as error:
        raise BackupError(f"{backup.name} cannot be restored: {error}") from error
    if not whole:
        raise BackupError(f"{backup.name} has other rows than it was made with; not restored")
    if counts != expected:
        raise BackupError("the database has other rows than the backup; don't use it")
    return sum(counts.values()), str(about["release"])


def _about(backup: Path) -> Path:
    return backup.with_suffix(".json")


def _made_at(backup: Path) -> datetime | None:
    """When a backup was made, by its name. None for another file."""
    try:
        return datetime.strptime(backup.stem, "ratuki-%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
