"""Backups are complete, checked and private; restoring changes nothing that is there."""

import json
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.services import Postgres, Site
from tests.web.records import MATCHES

pytestmark = pytest.mark.slow

ALL = """
from games.archive.store import record_of
from games.models import Match
for match in Match.objects.order_by("record_id"):
    print(*record_of(match), sep="", end="")
"""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def sites(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Site, Site]]:
    """A site with matches, and another without a table, on the same kind of database."""
    both = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        environment = {}
        if request.param == "postgresql":
            postgres: Postgres = request.getfixturevalue("postgres")
            environment = {"DATABASE_URL": postgres.url()}
        both.append(Site(tmp_path / name, environment))
    old, new = both
    old.migrate()
    old.manage("import_records", *(str(path) for path in MATCHES[:3]))
    yield old, new
    for site in both:
        site.close()


def backups(site: Site) -> list[Path]:
    """The backups of a site, oldest first."""
    return sorted(path for path in (site.var / "backups").iterdir() if path.suffix != ".json")


def refused(site: Site, *command: str, capfd: pytest.CaptureFixture[str]) -> str:
    """What a command prints when it refuses."""
    with pytest.raises(subprocess.CalledProcessError):
        site.manage(*command)
    return capfd.readouterr().err


def test_what_is_restored_is_what_was_backed_up(
    sites: tuple[Site, Site], capfd: pytest.CaptureFixture[str]
) -> None:
    old, new = sites
    assert "restored and counted" in old.manage("backup")
    (backup,) = backups(old)
    about = backup.with_suffix(".json")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (backup, about)] == [0o600, 0o600]
    assert json.loads(about.read_text())["rows"]["games_match"] == 3
    assert "rows restored, all counted" in new.manage("restore", str(backup))
    new.manage("migrate", "--verbosity=0")
    matches = new.manage("shell", "-v0", "-c", ALL)
    assert matches.count('"ratuki":') == 3
    assert matches == old.manage("shell", "-v0", "-c", ALL)
    said = refused(new, "restore", str(backup), capfd=capfd)
    assert "the database is not empty, and nothing was changed" in said


def test_a_backup_with_other_rows_is_not_restored(
    sites: tuple[Site, Site], capfd: pytest.CaptureFixture[str]
) -> None:
    old, new = sites
    old.manage("backup")
    (backup,) = backups(old)
    about = backup.with_suffix(".json")
    about.write_text(about.read_text().replace('"games_match": 3', '"games_match": 4'))
    said = refused(new, "restore", str(backup), capfd=capfd)
    assert "has other rows than it was made with; not restored" in said
    backup.write_bytes(backup.read_bytes()[:2000])
    assert "cannot be restored" in refused(new, "restore", str(backup), capfd=capfd)
    about.unlink()
    assert "cannot be restored" in refused(new, "restore", str(backup), capfd=capfd)
    new.migrate()
    assert new.manage("shell", "-v0", "-c", ALL) == ""


def test_old_backups_are_deleted_and_other_files_are_not(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        folder = tmp_path / "backups"
        folder.mkdir()
        old, older = (folder / f"ratuki-2026{day}-030000.sqlite3" for day in ("0102", "0101"))
        notes = folder / "ratuki-notes.txt"
        for path in (old, older, old.with_suffix(".json"), notes):
            path.write_text("…")
        assert "2 old deleted" in site.manage("backup", "--keep", "7")
        assert notes.exists()
        assert len([p for p in backups(site) if p != notes]) == 1
        assert not old.with_suffix(".json").exists()


@pytest.mark.postgres
def test_a_role_that_may_create_no_database_gets_advice(
    postgres: Postgres, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    url = postgres.url()
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("CREATE ROLE limited LOGIN")
    with Site(tmp_path, {"DATABASE_URL": url}) as site:
        site.migrate()
        site.environment["DATABASE_URL"] = url.replace("ratuki@", "limited@")
        with psycopg.connect(url, autocommit=True) as server:
            server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO limited")
            server.execute("GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO limited")
        said = refused(site, "backup", capfd=capfd)
        assert 'ALTER ROLE "limited" CREATEDB' in said
        assert not list((tmp_path / "backups").iterdir())


PLANTED = """
from datetime import UTC, datetime
from pathlib import Path
from games.management.backups import make_backup
folder, kept = Path({folder!r}), Path({kept!r})
folder.mkdir()
kept.write_text("mine")
now = datetime(2026, 11, 28, 3, 35, tzinfo=UTC)
for end in (".sqlite3", ".json"):
    (folder / f"ratuki-20261128-033500{{end}}").symlink_to(kept)
path, _ = make_backup(folder, now)
print(kept.read_text(), path.is_symlink(), path.with_suffix(".json").is_symlink())
"""


def test_a_backup_follows_no_link_that_someone_has_put_in_its_place(tmp_path: Path) -> None:
    site = Site(tmp_path, {})
    site.migrate()
    code = PLANTED.format(folder=str(tmp_path / "backups"), kept=str(tmp_path / "kept"))
    assert site.manage("shell", "-v0", "-c", code).split() == ["mine", "False", "False"]
    site.close()
