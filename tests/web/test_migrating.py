"""The first command that needs the database creates it, if it is an embedded one; what was stored
by older releases is kept; and the guide names the updates that need a stop.
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db.migrations import (
    AddField,
    CreateModel,
    DeleteModel,
    Migration,
    RemoveField,
    RenameField,
    RenameModel,
)
from django.db.migrations.loader import MigrationLoader
from django.db.models import Field

from tests.services import DATABASE, ROOT, Postgres, Site

pytestmark = pytest.mark.slow
LAST_OF_ADMIN = "0003_logentry_add_action_flag_choices"
RECORD = ROOT / "tests" / "matches" / "valid-draw.ratuki"


def test_the_first_command_makes_the_embedded_database(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.manage("import_records", str(RECORD))
        assert site.manage("export_record", "1") == RECORD.read_text()


@pytest.mark.parametrize(
    ("command", "said"), [("rebuild_summaries", "0 matches"), ("simulate", "10 matches, ")]
)
def test_any_first_command_brings_an_older_database_up_to_date(
    tmp_path: Path, command: str, said: str
) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            # The last of its app: no other depends on it, and to apply it again changes nothing.
            database.execute("DELETE FROM django_migrations WHERE name = ?", (LAST_OF_ADMIN,))
            database.commit()
            assert site.manage(command).startswith(said)
            ask = "SELECT count(*) FROM django_migrations WHERE name = ?"
            assert database.execute(ask, (LAST_OF_ADMIN,)).fetchone() == (1,)


def test_the_guide_names_every_update_that_needs_a_stop() -> None:
    """What renames or removes something, or adds a value that older processes do not write."""
    migrations = MigrationLoader(None).disk_migrations
    ours = {key: update for key, update in migrations.items() if key[0] in ("games", "replays")}
    stops = {f"{app} {name}" for (app, name), update in ours.items() if _needs_a_stop(update)}
    guide = (ROOT / "docs" / "deploy.md").read_text()
    assert set(re.findall(r"^\| `((?:games|replays) \w+)` \|", guide, re.MULTILINE)) == stops


def _needs_a_stop(migration: Migration) -> bool:
    new = {step.name_lower for step in migration.operations if isinstance(step, CreateModel)}
    return any(
        isinstance(step, RenameModel | DeleteModel)
        or (
            isinstance(step, RenameField | RemoveField | AddField)
            and step.model_name_lower not in new
            and not (isinstance(step, AddField) and _may_be_left_out(step.field))
        )
        for step in migration.operations
    )


def _may_be_left_out(field: Field[Any, Any]) -> bool:
    """Whether the database takes a row from a process that does not know the field."""
    return field.null or field.many_to_many or field.has_db_default()


def named_as_before(database: sqlite3.Connection, app: str, count: int) -> None:
    """Let the database know the first migrations of an app by their names before 1.0.0."""
    initial: Any = MigrationLoader(None).disk_migrations[app, "0001_initial"]
    first = [(app, "0001_initial"), *initial.replaces]
    database.executemany("DELETE FROM django_migrations WHERE app = ? AND name = ?", first)
    database.executemany(
        "INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, '2026-11-22')",
        initial.replaces[:count],
    )
    database.commit()


def test_a_database_from_before_the_first_release_is_kept(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.manage("import_records", str(RECORD))
        site.manage("migrate", "games", "0001_initial", "--verbosity=0")
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            for app in ("games", "replays"):
                named_as_before(database, app, 99)
        site.manage("migrate", "--verbosity=0")
        assert site.manage("export_record", "1") == RECORD.read_text()


def test_every_embargo_outlives_the_migrations_to_several_of_one_person(tmp_path: Path) -> None:
    columns = "match_id, person, chapter"
    before = [(match, person, 9 * match) for match in (1, 2) for person in ("guest:x", "user:1")]
    with Site(tmp_path) as site:
        records = (str(RECORD), str(RECORD.with_name("valid-full-match-3.ratuki")))
        site.manage("import_records", *records)
        for app, name in (("replays", "0006_costs"), ("games", "0006_class_audience")):
            site.manage("migrate", app, name, "--verbosity=0")
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            insert = (
                f"INSERT INTO games_embargo ({columns}, created) VALUES (?, ?, ?, '2026-11-22')"
            )
            database.executemany(insert, before)
            database.commit()
            site.manage("migrate", "--verbosity=0")
            kept = database.execute(f"SELECT {columns} FROM games_embargo ORDER BY id").fetchall()
            assert kept == before
            database.execute(insert, (1, "user:1", 10))
            with pytest.raises(sqlite3.IntegrityError):
                database.execute(insert, (1, "user:1", 10))


@pytest.mark.parametrize("command", [("import_records", str(RECORD)), ("migrate",)])
def test_an_older_database_gets_advice(
    tmp_path: Path, command: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        site.manage("migrate", "games", "0001_initial", "--verbosity=0")
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            named_as_before(database, "replays", 20)
        with pytest.raises(subprocess.CalledProcessError):
            site.manage(*command)
    assert "the database is of an older version" in capfd.readouterr().err


@pytest.mark.postgres
def test_a_database_server_is_left_alone(
    tmp_path: Path, postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        with pytest.raises(subprocess.CalledProcessError):
            site.manage("import_records", str(RECORD))
        told = "CommandError: the database is not up to date: python manage.py migrate\n"
        assert capfd.readouterr().err == told
