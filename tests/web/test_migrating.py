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


@pytest.mark.postgres
def test_a_database_server_is_left_to_those_who_run_it(
    tmp_path: Path, postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        with pytest.raises(subprocess.CalledProcessError):
            site.manage("import_records", str(RECORD))
        told = "CommandError: the database is not up to date: python manage.py migrate\n"
        assert capfd.readouterr().err == told
