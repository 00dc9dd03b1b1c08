"""From the embedded database to PostgreSQL, by the very commands of docs/how-to/host.md."""

import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.services import ROOT, Postgres, Site, copied
from tests.web.records import MATCHES

FILL = """
from django.contrib.auth.models import User
from games.people.person import account
from games.tables import opening
from games.models import Seat
for number in range(3):
    user = User.objects.create_user(f"ada{number}", password="a long one indeed")
user.is_staff = True
user.save()
Seat.objects.filter(pk=Seat.objects.order_by("pk").first().pk).update(user=user)
plan = opening.planned("usaopoly-2009", 3)
opening.open_table(plan.sit(account(user.pk), "Ada"))
"""
ALL = """
from games.archive.store import record_of
from games.models import Match
for match in Match.objects.order_by("record_id"):
    print(*record_of(match), sep="", end="")
"""
NEW = """
from django.contrib.auth.models import User
from games.tables import opening
plan = opening.planned("usaopoly-2009", 2)
print(User.objects.create_user("new").pk, opening.open_table(plan).pk)
"""


def documented() -> list[str]:
    """The commands that the document gives, in order."""
    text = (ROOT / "docs/how-to/host.md").read_text()
    section = text.split("## From the embedded database to PostgreSQL")[1].split("\n## ")[0]
    return re.findall(r"^    (\S.*)$", section, re.MULTILINE)


@pytest.mark.postgres
def test_the_documented_commands_move_everything(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.url()
    with Site(tmp_path) as old, Site(tmp_path, {"DATABASE_URL": url}) as new:
        old.migrate()
        old.manage("import_records", *(str(path) for path in MATCHES[:5]))
        old.manage("shell", "-v0", "-c", FILL)
        assert copied(url)  # what `migrate` makes of an empty one, made once for all tests
        # Do as the document says, in a folder of this test.
        commands = documented()
        assert len(commands) == 3
        environment = {**old.environment, "PYTHONPATH": str(ROOT)}
        for command in commands:
            ours = command.replace("postgres://…", url)
            ours = ours.replace("python manage.py", f"{sys.executable} {ROOT / 'manage.py'}")
            subprocess.run(ours, shell=True, check=True, cwd=tmp_path, env=environment)
        records = old.manage("shell", "-v0", "-c", ALL)
        assert records.count('"ratuki":') == 5
        assert new.manage("shell", "-v0", "-c", ALL) == records
        with psycopg.connect(url) as connection:
            check_rows(connection)
        made = [int(pk) for pk in new.manage("shell", "-v0", "-c", NEW).split()]
        assert made == [4, 2]
        new.manage("import_records", str(MATCHES[5]))


def check_rows(connection: psycopg.Connection) -> None:
    """Whose seat and whose table it is has been kept, and the log is still append-only."""

    def first_cell(query: str) -> object:
        row = connection.execute(query).fetchone()
        return row and row[0]

    assert first_cell("SELECT user_id FROM games_seat WHERE user_id IS NOT NULL") == 3
    assert first_cell("SELECT plan->'places'->0->>'person' FROM games_livetable") == "user:3"
    assert first_cell("SELECT username FROM auth_user WHERE id = 3") == "ada2"
    with pytest.raises(psycopg.errors.CheckViolation, match="never changed"):
        connection.execute("UPDATE games_chunk SET lines = 1")
