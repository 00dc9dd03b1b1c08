"""The first command that needs the database makes it, if it is an embedded one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.services import ROOT, Postgres, Site

RECORD = ROOT / "tests" / "matches" / "valid-draw.ratuki"


def test_the_first_command_makes_the_embedded_database(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.manage("import_records", str(RECORD))
        assert site.manage("export_record", "1") == RECORD.read_text()


@pytest.mark.parametrize(
    ("command", "said"), [("rebuild_summaries", "0 matches"), ("simulate", "10 matches, ")]
)
def test_it_does_not_matter_which_is_the_first(tmp_path: Path, command: str, said: str) -> None:
    with Site(tmp_path) as site:
        assert site.manage(command).startswith(said)


OLD_TABLES = """
from games.people.person import guest
from games.tables.plan import new_plan, to_json
from django.db import connection
import json
plan = new_plan("a", "usaopoly-2009", 3, {}).sit(guest("x"), "Ada").seat_bot("taker", 3, "B")
rows = [("a", plan, "round", 0), ("b", plan, "finished", 0), ("c", plan, "finished", 1)]
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
print(*LiveTable.objects.order_by("pk").values_list("free", "people", "public", "phase"))
print(*Seated.objects.values_list("table__record_id", "person"))
"""


def test_tables_of_before_know_who_sits_there(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.manage("migrate", "--verbosity=0", "games", "0007")
        site.manage("shell", "-v0", "-c", OLD_TABLES)
        site.manage("migrate", "--verbosity=0")
        assert site.manage("shell", "-v0", "-c", NEW_TABLES).splitlines() == [
            "(1, 1, True, 'round') (1, 1, True, 'finished') (0, 0, False, 'seating')",
            "('a', 'guest:x')",
        ]


@pytest.mark.postgres
def test_a_database_server_is_left_to_those_who_run_it(
    tmp_path: Path, postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        with pytest.raises(subprocess.CalledProcessError):
            site.manage("import_records", str(RECORD))
        told = "CommandError: the database is not up to date: python manage.py migrate\n"
        assert capfd.readouterr().err == told
