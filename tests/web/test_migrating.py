"""The first command that needs an embedded database brings it up to date; what was stored by older
releases is kept; and an update that needs a stop is known by its migrations.
"""

import json
import sqlite3
import subprocess
from contextlib import closing
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
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

from games.archive.packing import pack
from games.archive.store import insert
from games.bots.roster import BotSpec
from games.bots.simulate import lines
from games.management.commands.check_update import STOP
from games.management.updating import reasons
from games.models import Match, Player, PlayerAlias, Seat
from games.people.names import skeleton
from tests.bots.tables import setting
from tests.services import DATABASE, ROOT, Postgres, Site

pytestmark = pytest.mark.release
LAST_OF_ADMIN = "0003_logentry_add_action_flag_choices"
RECORD = ROOT / "tests" / "matches" / "valid-draw.ratuki"


HOST_MIGRATES = "CommandError: the database is not up to date, so no worker can be alive\n"


def refused(site: Site, capfd: pytest.CaptureFixture[str], *command: str) -> str:
    with pytest.raises(subprocess.CalledProcessError):
        site.manage(*command)
    return capfd.readouterr().err


def test_any_first_command_brings_an_older_database_up_to_date(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            # The last of its app: no other depends on it, and to apply it again changes nothing.
            database.execute("DELETE FROM django_migrations WHERE name = ?", (LAST_OF_ADMIN,))
            database.commit()
            assert refused(site, capfd, "jobs", "health") == HOST_MIGRATES
            assert site.manage("simulate").startswith("10 matches, ")
            ask = "SELECT count(*) FROM django_migrations WHERE name = ?"
            assert database.execute(ask, (LAST_OF_ADMIN,)).fetchone() == (1,)
        assert site.manage("check_update").startswith("The database is up to date")


_numbers = count()


def bots(*tempers: str) -> Match:
    """A match of the site's bots, stored as `simulate` does."""
    record = lines(setting(specs=[BotSpec(temper) for temper in tempers]), next(_numbers))
    return insert([pack(list(record))], Match.Origin.SIMULATED)[0]


def name_bots() -> None:
    """What 2.1.0 does with the players of bots."""
    migration = import_module("games.migrations.0014_release_2_1_bots")
    migration.name_bots(apps, None)
    migration.part(apps, None)


@pytest.mark.django_db
def test_players_of_bots_get_the_bots_names_and_people_keep_theirs() -> None:
    match = bots("taker", "builder", "runner")
    before = {"Ragna": "taker", "Bertil": "builder 2", "Tamsin": "runner"}
    for name, old in before.items():
        Player.objects.filter(name=name).update(name=old)
    match.seats.filter(number=2).update(kind="human")
    name_bots()
    players = dict(Player.objects.values_list("name", "skeleton"))
    assert set(players) == {"Ragna", "Bertil 2", "runner"}
    assert players["Bertil 2"] == skeleton("Bertil 2")
    aliases = PlayerAlias.objects.values_list("name", "player__name")
    assert set(aliases) == {("taker", "Ragna"), ("builder 2", "Bertil 2")}


@pytest.mark.django_db
def test_bots_get_pages_of_their_own_where_people_had_their_names() -> None:
    hosted, uploaded = (bots("taker", "builder", "runner", "first-fit") for _ in "ab")
    User.objects.create_user("Tamsin")
    for match, origin, human in ((hosted, "hosted", 1), (uploaded, "uploaded", 0)):
        Match.objects.filter(pk=match.pk).update(origin=origin)
        match.seats.filter(number=human).update(kind="human")
    Player.objects.create(name="runner", skeleton="runner")
    name_bots()
    bots("taker", "builder", "runner")
    seated: dict[str, set[str]] = {
        name: set() for name in Player.objects.values_list("name", flat=True)
    }
    for name, kind in Seat.objects.values_list("player__name", "kind"):
        seated[name].add(kind)
    assert seated == {
        "Ragna": {"bot", "human"},  # somebody only wrote it into a record
        "Bertil": {"human"},
        "Bertil (site bot)": {"bot"},
        "Tamsin": set(),
        "Tamsin (site bot)": {"bot"},
        "Pim": {"bot"},
    }
    aliases = dict(PlayerAlias.objects.values_list("name", "player__name"))
    for name, old in (("Bertil (site bot)", "builder"), ("Tamsin (site bot)", "runner")):
        assert aliases[name] == aliases[old] == name


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


def test_a_database_from_between_two_releases_is_told_what_it_lacks(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path) as site:
        site.migrate()
        with closing(sqlite3.connect(site.var / DATABASE)) as database:
            database.execute(
                "DELETE FROM django_migrations WHERE name IN (?, ?)",
                ("0012_uploads_by_address", "0006_release_2"),
            )
            database.commit()
        said = "from between two releases: it lacks games 0012_uploads_by_address."
        for command in ("migrate", "check_update", "simulate"):
            assert said in refused(site, capfd, command)


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


def put(database: sqlite3.Connection, table: str, **values: object) -> None:
    """Insert a row; whatever else it must have is a date or a zero."""
    for _, name, kind, needed, default, key in database.execute(f"PRAGMA table_info({table})"):
        if needed and default is None and not key:
            values.setdefault(name, DAY if kind.startswith("date") else "0")
    marks = ", ".join("?" * len(values))
    columns = ", ".join(f'"{name}"' for name in values)
    database.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", [*values.values()])


DAY = "2026-11-22"
EMBARGOES = [(match, who, 9 * match) for match in (1, 2) for who in ("guest:x", "user:1")]


def store_pages(database: sqlite3.Connection) -> None:
    put(database, "auth_user", id=1, username="Kim", password="")
    for match in (1, 2):
        put(database, "games_match", id=match, record_id=f"m{match}")
    study = {"owner": "guest:kim", "by": "Kim"}
    put(database, "replays_study", id=1, key="drill", title="Drill: Feeding", drill=1, **study)
    put(database, "replays_study", id=2, key="own", title="Drill: as I like it", **study)
    put(database, "replays_chapter", id=1, study_id=1, number=1, match_id=1, title="Now")
    put(database, "replays_study", id=3, key="puzzles", owner="guest:daily", title="Puzzles")
    day = "24 November 2026: 4 players, round 3"
    put(database, "replays_chapter", id=3, study_id=3, number=1, match_id=1, title=day)
    then = {"revision": 1, "by": "Ada", "at": "2026-11-01"}
    for kind, title in (("chapter", "Zuerst"), ("study", "Drill: F\u00fcttern")):
        of = {f"{kind}_id": 1, "fields": json.dumps({"title": title})}
        put(database, f"replays_{kind}version", **of, **then)
    store_homework(database)


def store_embargoes(database: sqlite3.Connection) -> None:
    for match, person, chapter in EMBARGOES:
        put(database, "games_embargo", match_id=match, person=person, chapter=chapter)


def store_homework(database: sqlite3.Connection) -> None:
    put(database, "replays_schoolclass", id=1, key="k")
    put(database, "replays_classmember", id=1, school_class_id=1, user_id=1, role="pupil")
    for kind, title, words in (("matches", "2 matches", "Slowly."), ("drill", "Drill: Takes", "")):
        said = {"kind": kind, "title": title, "words": words}
        put(database, "replays_homework", key=kind, school_class_id=1, **said)
    put(database, "replays_assignment", homework_id=1, member_id=1)


def store_chats(database: sqlite3.Connection) -> None:
    put(database, "replays_review", id=7, key="r", match_id=1)
    for n, person, text, about in ((1, "guest:x", "Hi", 0), (2, "user:1", "Rude", 5)):
        said = {"person": person, "text": text, "chapter": about, "hidden": n - 1}
        put(database, "replays_reviewline", id=n + 2, review_id=7, n=n, **said)
    put(database, "replays_reviewlinecomplaint", line_id=4, person="guest:x")
    put(database, "games_livetable", id=9, record_id="m")
    put(database, "games_chatline", id=1, table_id=9, n=1, person="guest:x", text="Hello")
    put(database, "games_chatcomplaint", line_id=1, person="user:1")
    for person, table in (("guest:x", 9), ("guest:y", None)):
        put(database, "games_chatmute", person=person, table_id=table)


def store_halves(database: sqlite3.Connection) -> None:
    """A study that is still being imported, with a match of its own."""
    half = "unfinished:user:1"
    put(database, "games_match", id=8, record_id="half", seat_count=2)
    put(database, "games_player", id=8, name="Imported")
    put(database, "games_seat", match_id=8, player_id=8)
    put(database, "games_chunk", match_id=8)
    put(database, "games_upload", person=half, match_id=8)
    put(database, "replays_study", id=8, key="half", owner=half)
    put(database, "replays_job", key="import", kind="study", asked="{}")


def store_tags(database: sqlite3.Connection) -> None:
    """A tag panel, and a note and a playlist that were made with it."""
    put(database, "replays_tagbutton", id=1, owner="user:1", user_id=1, **BUTTON)
    note = {"key": "tagged", "owner": "user:1", "by": "Kim", "text": "Why?", "tags": '["slow"]'}
    put(database, "replays_note", id=1, match_id=1, round=1, event=3, until=9, **note)
    put(database, "replays_playlist", id=1, key="slow", owner="user:1", title="Slow ones")
    put(database, "replays_playlistitem", playlist_id=1, match_id=1, note_id=1, event=3, until=9)


BUTTON = {"name": "slow", "shortcut": "s", "colour": 2, "before_ms": 4_000, "after_ms": 1_000}
RENAMED_LATER = ("games", "0002_release_1")
OLDER = (
    (("replays", "0002_classes"), store_pages),
    (RENAMED_LATER, store_embargoes),
    (("replays", "0024_write_out_long_matches"), store_chats),
    (("replays", "0027_release_2_1"), store_halves),
    (("replays", "0028_release_2_1_facts"), store_tags),
)
"""What 1.0.0 stored, then 2.0.0, after the migrations that they had."""


def test_what_older_releases_stored_is_kept(tmp_path: Path) -> None:
    """Embargoes, studies' versions, homework, tags, and both chats, but no half import. A drill is
    named as what it is of. An update that renames something needs a stop.
    """
    with Site(tmp_path) as site, closing(sqlite3.connect(site.var / DATABASE)) as database:
        for migration, fill in OLDER:
            site.manage("migrate", *migration, "--verbosity=0")
            fill(database)
            database.commit()
            if migration == RENAMED_LATER:
                with pytest.raises(subprocess.CalledProcessError) as stop:
                    site.manage("check_update")
                assert stop.value.returncode == STOP
                assert "games 0006_release_2: " in stop.value.output
                assert "This update needs a stop" in stop.value.output
                assert "replays 0002_classes" not in stop.value.output
        site.manage("migrate", "--verbosity=0")

        def rows(query: str) -> list[Any]:
            return database.execute(query).fetchall()

        columns = "match_id, person, chapter"
        embargoes = rows(f"SELECT {columns} FROM games_embargo ORDER BY id")
        assert embargoes == EMBARGOES
        put(database, "games_embargo", match_id=1, person="user:1", chapter=10)
        with pytest.raises(sqlite3.IntegrityError):
            put(database, "games_embargo", match_id=1, person="user:1", chapter=10)

        titles = dict(rows("SELECT key, title FROM replays_study"))
        assert (titles["drill"], titles["own"]) == ("Feeding", "Drill: as I like it")
        assert rows("SELECT title FROM replays_chapter WHERE id = 3") == [("2026-11-24",)]
        written = (site.var / "removed" / "study-versions.jsonl").read_text().splitlines()
        same = {"study": "drill", "owner": "Kim", "by": "Ada", "at": "2026-11-01T00:00:00+00:00"}
        fields = [{"title": "Zuerst"}, {"title": "Drill: F\u00fcttern"}]
        assert [json.loads(line) for line in written] == [{**same, "fields": f} for f in fields]

        assert rows("SELECT kind, title, words FROM replays_homework ORDER BY id") == [
            ("closed", "2 matches", "Slowly."),
            ("drill", "Takes", ""),
        ]
        assert rows("SELECT homework_id FROM replays_assignment") == [(1,)]

        buttons = (site.var / "removed" / "tag-buttons.jsonl").read_text().splitlines()
        assert list(map(json.loads, buttons)) == [{"owner": "user:1", "place": 0, **BUTTON}]
        assert rows("SELECT text, tags, until FROM replays_note") == [("Why?", '["slow"]', 9)]
        assert rows("SELECT note_id, event, until FROM replays_playlistitem") == [(1, 3, 9)]

        kept = rows("SELECT name FROM games_player"), rows("SELECT id FROM games_match")
        assert kept == ([], [(1,), (2,)])
        assert "half" not in titles
        assert rows("SELECT kind FROM replays_job") == []

        lines = "SELECT room, n, person, text, about, hidden FROM games_chatline ORDER BY id"
        assert rows(lines) == [
            ("m", 1, "guest:x", "Hello", 0, 0),
            ("r", 1, "guest:x", "Hi", 0, 0),
            ("r", 2, "user:1", "Rude", 5, 1),
        ]
        complaints = "SELECT text, c.person FROM games_chatcomplaint c JOIN games_chatline l"
        assert rows(f"{complaints} ON l.id = line_id ORDER BY c.id") == [
            ("Hello", "user:1"),
            ("Rude", "guest:x"),
        ]
        mutes = rows("SELECT person, room FROM games_chatmute ORDER BY id")
        assert mutes == [("guest:x", "m"), ("guest:y", "")]


@pytest.mark.postgres
def test_a_database_server_is_left_alone(
    tmp_path: Path, postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        told = "CommandError: the database is not up to date: python manage.py migrate\n"
        assert refused(site, capfd, "import_records", str(RECORD)) == told
