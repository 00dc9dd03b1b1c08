"""docs/how-to/host.md, followed step by step on a bare machine: set up, updated, restored."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.bare import Machine, steps
from tests.services import TEMPLATE, Postgres, Redis, free_port
from tests.web.records import MATCHES

pytestmark = pytest.mark.release
COUNTS = """
from games.models import Chunk, Match, Seat
from django.contrib.auth.models import User
print(*(kind.objects.count() for kind in (Match, Seat, Chunk, User)))
"""


@pytest.fixture
def machine(postgres: Postgres, redis: Redis, tmp_path: Path) -> Iterator[Machine]:
    """A bare machine with PostgreSQL and Redis, where nothing of the site is."""
    server = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres.port), "PGUSER": "ratuki"}
    machine = Machine(
        tmp_path,
        {**server, "PGDATABASE": "postgres"},
        **{
            "8001": str(free_port()),
            "8002": str(free_port()),
            "127.0.0.1:5432": f"127.0.0.1:{postgres.port}",
            "redis://127.0.0.1:6379/0": redis.url,
            # The server of the tests has a role of that name.
            "CREATE ROLE ratuki LOGIN": "ALTER ROLE ratuki LOGIN",
        },
    )
    yield machine
    machine.stop()


def test_a_release_from_before_2_1_gets_a_folder_of_its_own(machine: Machine) -> None:
    place, settings = machine.root / "srv/ratuki", machine.root / "etc/ratuki.env"
    (place / "var").mkdir(parents=True)
    (place / "var/kept").touch()
    settings.write_text("SECRET_KEY=secret\n")
    (machine.root / "srv/ratuki-2.2.0").mkdir()
    (change,) = (step for step in steps("Update one machine") if step.startswith("ln "))
    machine.run([*steps("Prepare an update from before 2.1"), change])
    assert place.readlink() == Path("ratuki-2.2.0")
    assert [path.name for path in (machine.root / "srv/ratuki-old").iterdir()] == []
    assert (machine.root / "var/lib/ratuki/kept").exists()
    assert settings.read_text().endswith(f"RATUKI_VAR={machine.root}/var/lib/ratuki\n")


def test_one_machine_from_nothing_with_an_update_and_a_restore(machine: Machine) -> None:
    machine.fetch_release("one")
    first = [  # with the tables that `migrate` makes, made once for all tests
        step.replace("createdb", f"createdb --template {TEMPLATE}")
        for step in steps("On one machine, with systemd")
    ]
    said = machine.run(first)
    assert "ready" in said
    assert "Superuser created successfully" in said
    env = "set -a; . /etc/ratuki.env; set +a"
    manage = ".venv/bin/python manage.py"
    assert "no issues" in machine.run([env, f"{manage} check --deploy"])
    machine.run([env, f"{manage} import_records {' '.join(map(str, MATCHES[:3]))}"])
    counts = machine.run([env, f'{manage} shell -v0 -c "{COUNTS}"'])
    assert counts.split()[0] == "3"

    mail = [step for step in steps("Mail") if re.match("systemctl|set|runuser", step)]
    machine.run(mail)
    (sent,) = (machine.root / "var/lib/ratuki/mail").iterdir()
    assert "To: you@your.host" in sent.read_text()

    machine.fetch_release("two")
    said = machine.run(steps("Update one machine"), cwd=".")
    assert "The database is up to date" in said
    assert (machine.root / "srv/ratuki").readlink() == Path("ratuki-2.2.0")

    machine.run([env, f"{manage} backup"])
    (*_, newest) = sorted((machine.root / "var/lib/ratuki/backups").glob("*.dump"))
    stop = "systemctl stop 'ratuki@*' 'ratuki-worker@*'"
    restore = [step.replace("NAME.dump", newest.name) for step in steps("Restore on one machine")]
    said = machine.run([stop, *restore])
    assert "rows restored, all counted" in said
    assert machine.run([env, f'{manage} shell -v0 -c "{COUNTS}"']) == counts
    ready = "curl -s --retry 60 --retry-connrefused --retry-delay 1 127.0.0.1:8002/health/ready"
    machine.run(["systemctl start ratuki-migrate ratuki@8001 ratuki@8002 ratuki-worker@1"])
    assert "ready" in machine.run([ready])
