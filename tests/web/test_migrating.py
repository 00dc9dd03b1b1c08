"""The first command that needs the database creates it, if it is an embedded one; what was stored
by older releases is kept; and an update that needs a stop is known by its migrations.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from django.db.migrations import (
    AddField,
    AlterField,
    CreateModel,
    DeleteModel,
    Migration,
    RemoveField,
    RenameField,
    RenameModel,
    RunPython,
)
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import CharField

from games.management.updating import reasons
from games.people.names import skeleton
from tests.services import DATABASE, ROOT, Postgres, Site
from tests.web.long_matches import write_out_long_matches

pytestmark = pytest.mark.slow
LAST_OF_ADMIN = "0003_logentry_add_action_flag_choices"
RECORD = ROOT / "tests" / "matches" / "valid-draw.ratuki"


def test_the_first_command_makes_the_embedded_database(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.manage("import_records", str(RECORD))
        assert site.manage("export_record", "1") == RECORD.read_text()


def test_any_first_command_brings_an_older_database_up_to_date(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            # The last of its app: no other depends on it, and to apply it again changes nothing.
            database.execute("DELETE FROM django_migrations WHERE name = ?", (LAST_OF_ADMIN,))
            database.commit()
            assert site.manage("simulate").startswith("10 matches, ")
            ask = "SELECT count(*) FROM django_migrations WHERE name = ?"
            assert database.execute(ask, (LAST_OF_ADMIN,)).fetchone() == (1,)


def test_players_of_bots_get_the_bots_names_and_people_keep_theirs(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        site.manage("simulate", "--matches=1", "--bots=taker,builder,runner", "--seed=1")
        site.manage("migrate", "games", "0013", "--verbosity=0")
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            before = {"Ragna": "taker", "Bertil": "builder 2", "Tamsin": "runner"}
            for name, old in before.items():
                database.execute("UPDATE games_player SET name = ? WHERE name = ?", (old, name))
            database.execute("UPDATE games_seat SET kind = 'human' WHERE number = 2")
            database.commit()
            site.manage("migrate", "games", "--verbosity=0")
            players = dict(database.execute("SELECT name, skeleton FROM games_player"))
            assert set(players) == {"Ragna", "Bertil 2", "runner"}
            assert players["Bertil 2"] == skeleton("Bertil 2")
            aliases = database.execute(
                "SELECT alias.name, player.name FROM games_playeralias AS alias "
                "JOIN games_player AS player ON player.id = alias.player_id"
            ).fetchall()
            assert set(aliases) == {("taker", "Ragna"), ("builder 2", "Bertil 2")}


def test_bots_get_pages_of_their_own_where_people_had_their_names(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        site.manage("simulate", "--matches=2", "--bots=taker,builder,runner,first-fit", "--seed=1")
        site.manage("createsuperuser", "--noinput", "--username=Tamsin", "--email=t@ratuki.example")
        site.manage("migrate", "games", "0019", "--verbosity=0")
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            of = "SELECT group_concat(DISTINCT kind) FROM games_seat WHERE player_id = p.id"
            for change in (
                "UPDATE games_match SET origin = 'hosted' WHERE id = 1",
                "UPDATE games_match SET origin = 'uploaded' WHERE id = 2",
                "UPDATE games_seat SET kind = 'human' WHERE (match_id, number) IN ((1, 1), (2, 0))",
                "INSERT INTO games_player (name, skeleton) VALUES ('runner', 'runner')",
            ):
                database.execute(change)
            database.commit()
            site.manage("migrate", "games", "--verbosity=0")
            site.manage("simulate", "--matches=1", "--bots=taker,builder,runner", "--seed=2")
            players = dict(database.execute(f"SELECT name, ({of}) FROM games_player AS p"))
            assert players == {
                "Ragna": "bot,human",  # somebody only wrote it into a record
                "Bertil": "human",
                "Bertil (site bot)": "bot",
                "Tamsin": None,
                "Tamsin (site bot)": "bot",
                "Pim": "bot",
            }
            aliases = dict(
                database.execute(
                    "SELECT alias.name, player.name FROM games_playeralias AS alias "
                    "JOIN games_player AS player ON player.id = alias.player_id"
                )
            )
            for name, old in (("Bertil (site bot)", "builder"), ("Tamsin (site bot)", "runner")):
                assert aliases[name] == aliases[old] == name


def test_an_update_that_renames_something_needs_a_stop(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        assert site.manage("check_update").startswith("The database is up to date")
        site.manage("migrate", "games", "0001_initial", "--verbosity=0")
        said = site.manage("check_update")
    assert "games 0002_embargo_chapters: " in said
    assert "This update needs a stop" in said
    assert "games 0003_fair_play" not in said


BEFORE = CreateModel("match", [("name", CharField(max_length=9)), ("end", CharField(null=True))])


@pytest.mark.parametrize(
    ("step", "stops"),
    [
        (CreateModel("seat", [("name", CharField(max_length=9))]), False),
        (AddField("match", "note", CharField(null=True)), False),
        (AddField("match", "note", CharField(default="")), True),
        (AddField("match", "note", CharField(db_default="")), False),
        (AlterField("match", "name", CharField(max_length=9, help_text="Its name.")), False),
        (AlterField("match", "name", CharField(max_length=9, null=True)), False),
        (AlterField("match", "name", CharField(max_length=5)), True),
        (AlterField("match", "end", CharField()), True),
        (RemoveField("match", "name"), True),
        (RenameField("match", "name", "title"), True),
        (RenameModel("match", "game"), True),
        (DeleteModel("match"), True),
        (RunPython(RunPython.noop), True),
    ],
)
def test_what_a_running_process_cannot_bear_needs_a_stop(step: Operation, stops: bool) -> None:
    state = ProjectState()
    BEFORE.state_forwards("games", state)
    assert bool(list(reasons(_migration(step), state))) is stops


def test_what_is_added_to_a_new_table_needs_no_stop() -> None:
    new = _migration(CreateModel("round", []), AddField("round", "n", CharField()))
    assert not list(reasons(new, ProjectState()))


def test_a_migration_may_say_that_its_code_needs_no_stop() -> None:
    harmless = _migration(RunPython(RunPython.noop))
    harmless.old_processes_may_run = True  # type: ignore[attr-defined]
    assert not list(reasons(harmless, ProjectState()))


def _migration(*steps: Operation) -> Migration:
    kind = type("Next", (Migration,), {"operations": list(steps)})
    return kind("0002_next", "games")


def test_matches_beyond_the_bounds_become_files(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        write_out_long_matches(site)


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


OLD_HOMEWORK = """
INSERT INTO auth_user (id, username, password, is_superuser, is_staff, is_active, first_name,
  last_name, email, date_joined) VALUES (1, 'Kim', '', 0, 0, 1, '', '', '', '2026-11-22');
INSERT INTO replays_schoolclass (id, key, name, invitation, created)
  VALUES (1, 'k', '4b', '', '2026-11-22');
INSERT INTO replays_classmember (id, school_class_id, user_id, role, name, joined)
  VALUES (1, 1, 1, 'pupil', 'Kim', '2026-11-22');
INSERT INTO replays_homework (id, key, school_class_id, kind, title, words, race, count, level,
  due, everyone, given) VALUES
  (1, 'a', 1, 'matches', '2 matches', 'Slowly.', NULL, 2, 3, '2026-11-25', 1, '2026-11-22'),
  (2, 'b', 1, 'ghost', 'Beat the ghost of Bo', '', '[3, 0, 1, 1]', 0, 0, '2026-11-25', 1,
    '2026-11-22'),
  (3, 'c', 1, 'drill', 'Drill: Takes', '', NULL, 0, 0, '2026-11-25', 1, '2026-11-22');
INSERT INTO replays_assignment (homework_id, member_id, told) VALUES (1, 1, '2026-11-24');
"""


def test_homework_that_is_no_longer_given_is_closed_with_what_was_done(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        site.manage("migrate", "replays", "0019_patterns_as_fields", "--verbosity=0")
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            database.executescript(OLD_HOMEWORK)
            site.manage("migrate", "--verbosity=0")
            asked = "SELECT kind, title, words FROM replays_homework ORDER BY id"
            assert database.execute(asked).fetchall() == [
                ("closed", "2 matches", "Slowly."),
                ("closed", "Beat a ghost, round 3", ""),
                ("drill", "Practise: Takes", ""),
            ]
            done = database.execute("SELECT homework_id, told FROM replays_assignment").fetchall()
            assert done == [(1, "2026-11-24")]


OLD_CHATS = """
INSERT INTO replays_review (id, key, match_id, version, state, ended, people, said, created,
  changed) VALUES (7, 'r', 1, 1, '{}', 0, 1, 2, '2026-11-22', '2026-11-22');
INSERT INTO replays_reviewline (id, review_id, n, person, name, text, chapter, created, hidden,
  complaints) VALUES (3, 7, 1, 'guest:x', 'Eve', 'Hi', 0, '2026-11-22', 0, 0),
  (4, 7, 2, 'user:1', 'Kim', 'Rude', 5, '2026-11-23', 1, 1);
INSERT INTO replays_reviewlinecomplaint (line_id, person, name) VALUES (4, 'guest:x', 'Eve');
INSERT INTO games_livetable (id, record_id, plan, plan_version, host_state, state, state_version,
  over, created, epoch, lease_owner)
  VALUES (9, 'm', '{}', 0, '{}', '{}', 0, 0, '2026-11-22', 0, '');
INSERT INTO games_chatline (id, table_id, n, person, name, text, created, hidden)
  VALUES (1, 9, 1, 'guest:x', 'Eve', 'Hello', '2026-11-22', 0);
INSERT INTO games_chatcomplaint (line_id, person, name, created)
  VALUES (1, 'user:1', 'Kim', '2026-11-22');
INSERT INTO games_chatmute (person, name, table_id, created)
  VALUES ('guest:x', 'Eve', 9, '2026-11-22'), ('guest:y', 'Bo', NULL, '2026-11-22');
"""


def test_chats_of_matches_and_reviews_become_one(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.manage("import_records", str(RECORD))
        for app, name in (
            ("replays", "0027_news_of_people"),
            ("games", "0012_uploads_by_address"),
        ):
            site.manage("migrate", app, name, "--verbosity=0")
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            database.executescript(OLD_CHATS)
            site.manage("migrate", "--verbosity=0")
            lines = "SELECT room, n, person, text, about, hidden FROM games_chatline ORDER BY id"
            assert database.execute(lines).fetchall() == [
                ("m", 1, "guest:x", "Hello", 0, 0),
                ("r", 1, "guest:x", "Hi", 0, 0),
                ("r", 2, "user:1", "Rude", 5, 1),
            ]
            complaints = "SELECT text, c.person FROM games_chatcomplaint c JOIN games_chatline l"
            assert database.execute(f"{complaints} ON l.id = line_id ORDER BY c.id").fetchall() == [
                ("Hello", "user:1"),
                ("Rude", "guest:x"),
            ]
            mutes = database.execute("SELECT person, room FROM games_chatmute ORDER BY id")
            assert mutes.fetchall() == [("guest:x", "m"), ("guest:y", "")]


@pytest.mark.postgres
def test_a_database_server_is_left_alone(
    tmp_path: Path, postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        with pytest.raises(subprocess.CalledProcessError):
            site.manage("import_records", str(RECORD))
        told = "CommandError: the database is not up to date: python manage.py migrate\n"
        assert capfd.readouterr().err == told


VERSIONS = """
from datetime import UTC, datetime
from django.db import connection
from django.db.migrations.loader import MigrationLoader
apps = MigrationLoader(connection).project_state(("replays", "0015_drop_push_subscriptions")).apps
add = lambda model, **fields: apps.get_model("replays", model)._default_manager.create(**fields)
drill = add("Study", key="drill", owner="guest:kim", by="Kim", title="Drill: Feeding", drill=True)
add("Study", key="own", owner="guest:kim", by="Kim", title="Drill: as I like it")
chapter = add("Chapter", study=drill, number=1, place=0, title="Now", match_id=1, round=1, event=2)
then = {"revision": 1, "by": "Ada", "at": datetime(2026, 11, 1, tzinfo=UTC)}
add("ChapterVersion", chapter=chapter, fields={"title": "Zuerst"}, **then)
add("StudyVersion", study=drill, fields={"title": "Drill: F\u00fcttern"}, **then)
"""


def test_versions_of_studies_become_a_file_and_drills_are_named_practice(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        site.manage("import_records", str(RECORD))
        site.manage("migrate", "replays", "0015", "--verbosity=0")
        site.manage("shell", "-v0", "-c", VERSIONS)
        site.manage("migrate", "--verbosity=0")
        written = (site.var / "removed" / "study-versions.jsonl").read_text().splitlines()
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            titles = dict(database.execute("SELECT key, title FROM replays_study").fetchall())
    same = {"study": "drill", "owner": "Kim", "by": "Ada", "at": "2026-11-01T00:00:00+00:00"}
    fields = [{"title": "Zuerst"}, {"title": "Drill: F\u00fcttern"}]
    assert [json.loads(line) for line in written] == [{**same, "fields": said} for said in fields]
    assert titles == {"drill": "Practise: Feeding", "own": "Drill: as I like it"}
