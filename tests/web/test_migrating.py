"""The first command that needs the database creates it, if it is an embedded one; what was stored
by older releases is kept; and the guide names the updates that need a stop.
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
from collections.abc import Callable
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
    ours = {key: one for key, one in migrations.items() if key[0] in ("games", "replays")}
    found = {f"{app} {name}" for (app, name), one in ours.items() if _needs_a_stop(one)}
    guide = (ROOT / "docs" / "deploy.md").read_text()
    assert set(re.findall(r"^\| `((?:games|replays) \w+)` \|", guide, re.MULTILINE)) == found


def _needs_a_stop(migration: Migration) -> bool:
    new = {one.name_lower for one in migration.operations if isinstance(one, CreateModel)}
    return any(
        isinstance(one, RenameModel | DeleteModel)
        or (
            isinstance(one, RenameField | RemoveField | AddField)
            and one.model_name_lower not in new
            and not (isinstance(one, AddField) and _may_be_left_out(one.field))
        )
        for one in migration.operations
    )


def _may_be_left_out(field: Field[Any, Any]) -> bool:
    """Whether the database takes a row from a process that does not know the field."""
    return field.null or field.many_to_many or field.has_db_default()


OLD_MATCHES = """
from django.db import connection
matches = [("hosted", "live", 3), ("claims-live", "live", 0), ("table", "live", 0),
    ("simulated", "simulated", 0), ("imported", "imported", 0), ("says-nothing", "", 0)]
for record, source, epoch in matches:
    connection.cursor().execute(
        "INSERT INTO games_match (record_id, header, lines, edition, seat_count, source,"
        " started_at, day, created, state, traits, rounds, events, ties, lates, duration_ms,"
        " course, token, spectators, owner_epoch, lease_owner)"
        " VALUES (%s, '{}', 1, 'e', 2, %s, '2026-01-01', 1, '2026-01-01', 'finished',"
        " 1, 0, 0, 0, 0, 0, '', '', '{}', %s, '')",
        [record, source, epoch],
    )
connection.cursor().execute(
    "INSERT INTO games_livetable (record_id, plan, plan_version, kept, state, state_version,"
    " over, created, epoch, lease_owner)"
    " VALUES ('table', '{}', 0, '{}', '{}', 0, %s, '2026-01-01', 0, '')", [True]
)
"""
ORIGINS = """
from games.models import Match
stored = Match.objects.exclude(record_id="m").order_by("pk")
for row in stored.values_list("record_id", "origin", "filter_bits"):
    print(*row)
"""


OLD_TABLES = """
from games.people.person import guest
from games.tables.plan import new_plan, to_json
from django.db import connection
import json
plan = new_plan("a", "usaopoly-2009", 3, {}).sit(guest("x"), "Ada").seat_bot("taker", 3, "B")
rows = [("a", plan, "round", False), ("b", plan, "finished", False), ("c", plan, "finished", True)]
for record, plan, phase, over in rows:
    connection.cursor().execute(
        "INSERT INTO games_livetable (record_id, plan, plan_version, kept, state, state_version,"
        " over, created, epoch, lease_owner)"
        " VALUES (%s, %s, 0, '{}', %s, 0, %s, '2026-01-01', 0, '')",
        [record, json.dumps(to_json(plan)), json.dumps({"phase": phase}), over],
    )
"""
NEW_TABLES = """
from games.models import LiveTable, Seated
tables = LiveTable.objects.filter(record_id__in="abc").order_by("pk")
print(*tables.values_list("free", "people", "public", "phase"))
print(*Seated.objects.values_list("table__record_id", "person"))
"""


BEFORE_STANDARD_NAMES = """
from django.db import connection
import json
cursor = connection.cursor()
cursor.execute(
    "INSERT INTO games_match (record_id, header, lines, edition, seat_count, source, started_at,"
    " day, created, state, traits, rounds, events, ties, lates, duration_ms, course, spectators,"
    " token, owner_epoch, lease_owner) VALUES ('m', '{}', 1, 'gamerules', 2, 'live',"
    " '2026-01-01', 1,"
    " '2026-01-01', 'open', 77, 0, 0, 0, 0, 0, 'AAB', '{}', '', 3, 'old')"
)
cursor.execute(
    "INSERT INTO games_livetable (record_id, plan, plan_version, kept, state, state_version, over,"
    " created, epoch, lease_owner, phase) VALUES ('m', '{}', 0, %s, '{}', 0, %s, '2026-01-01',"
    " 3, '', 'round')",
    [json.dumps({"sitters": [], "lags": [[30]], "next": None}), False],
)
cursor.execute("SELECT id FROM games_livetable WHERE record_id = 'm'")
[table] = cursor.fetchone()
cursor.execute(
    "INSERT INTO games_answered (round, seq, seat, action_id, table_id)"
    " VALUES (1, 9, 0, 'a1', %s)", [table]
)
"""
AFTER_STANDARD_NAMES = """
from games.models import AnsweredAction, LiveTable, Match, RelayReply, RelayRequest
of_m = {"record_id": "m"}
print(*Match.objects.filter(**of_m).values_list("filter_bits", "lead_history", "owner_epoch"))
print(*LiveTable.objects.filter(**of_m).values_list("host_state", flat=True))
print(*AnsweredAction.objects.values_list("table__record_id", "action_id", "seq"))
print(RelayRequest.objects.count() + RelayReply.objects.count())
"""


STEPS = (("0007", OLD_TABLES), ("0009", BEFORE_STANDARD_NAMES), ("0010", OLD_MATCHES))
"""What is stored before which migration of `games` is followed by the next."""
Ask = Callable[[str], list[str]]


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def migrated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """A site that has come all the way from version to version; gives the lines a script prints."""
    variables = {}
    if request.param == "postgres":
        variables["DATABASE_URL"] = request.getfixturevalue("postgres").url()
    with Site(tmp_path_factory.mktemp("older"), variables) as site:
        for migration, script in STEPS:
            site.manage("migrate", "--verbosity=0", "games", migration)
            site.manage("shell", "-v0", "-c", script)
        site.manage("migrate", "--verbosity=0")
        return lambda script: site.manage("shell", "-v0", "-c", script).splitlines()


def test_older_matches_know_where_they_come_from(migrated: Ask) -> None:
    elsewhere = 1 + (1 << 20)
    assert migrated(ORIGINS) == [
        "hosted hosted 1",
        f"claims-live imported {elsewhere}",
        "table hosted 1",
        "simulated simulated 1",
        f"imported imported {elsewhere}",
        f"says-nothing imported {elsewhere}",
    ]


def test_older_tables_know_who_sits_there(migrated: Ask) -> None:
    assert migrated(NEW_TABLES) == [
        "(1, 1, True, 'round') (1, 1, True, 'finished') (0, 0, False, 'seating')",
        "('a', 'guest:x')",
    ]


def test_what_was_stored_under_other_names_is_kept(migrated: Ask) -> None:
    assert migrated(AFTER_STANDARD_NAMES) == [
        "(77, 'AAB', 3)",
        "{'lags': [[30]], 'next': None, 'players': []}",
        "('m', 'a1', 9)",
        "0",
    ]


@pytest.mark.postgres
def test_a_database_server_is_left_alone(
    tmp_path: Path, postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        with pytest.raises(subprocess.CalledProcessError):
            site.manage("import_records", str(RECORD))
        told = "CommandError: the database is not up to date: python manage.py migrate\n"
        assert capfd.readouterr().err == told
