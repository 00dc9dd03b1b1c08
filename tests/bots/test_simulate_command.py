"""``manage.py simulate``, as a person uses it."""

import os
import pty
import re
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.archive.store import record_of
from games.bots.roster import BotSpec, mixed
from games.bots.simulate import lines
from games.models import Match
from games.records.check import check_path
from tests.bots.tables import setting, text
from tests.services import ROOT

SUMMARY = re.compile(
    r"(\d+) match(?:es)?, (\d+) rounds?, (\d+) events in [\d.]+ s "
    r"\(\d+ rounds/s\), seed (\d+), (.*)\n"
)


def simulate(*args, **options):
    out = StringIO()
    call_command("simulate", *args, stdout=out, **{"jobs": 1, "matches": 2, **options})
    said = SUMMARY.fullmatch(out.getvalue())
    assert said, out.getvalue()
    return said.groups()


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_it_writes_valid_records_and_says_how_many(tmp_path):
    matches, rounds, events, seed, place = simulate(out=tmp_path / "new", matches=3, seed=7)
    reports = [check_path(path) for path in (tmp_path / "new").iterdir()]
    assert (matches, seed, place) == ("3", "7", f"written to {tmp_path / 'new'}")
    assert int(rounds) == sum(report.rounds for report in reports)
    assert int(events) == sum(report.events for report in reports)
    assert {report.header.source for report in reports} == {"simulated"}


def test_one_match_of_one_round_is_counted_so(tmp_path):
    out = StringIO()
    call_command("simulate", out=tmp_path, matches=1, house=["speedy=yes"], jobs=1, stdout=out)
    assert re.match(r"1 match, 1 round, \d+ events in ", out.getvalue())


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(tmp_path):
    for jobs in (1, 2):
        simulate(out=tmp_path / str(jobs), matches=5, seed=7, jobs=jobs)
    assert files(tmp_path / "1") == files(tmp_path / "2")


def test_without_a_seed_each_run_is_another(tmp_path):
    seeds = {simulate(out=tmp_path, matches=1)[3] for _ in range(3)}
    assert len(seeds) > 1


def test_options_say_what_is_played(tmp_path):
    simulate(
        out=tmp_path,
        matches=1,
        seed=3,
        players=3,
        edition="gamerules",
        bots="runner:5,taker",
        level=2,
        house=["speedy=yes", "deck=7,8,8,5,5,3", "out=shout", "tie_window_ms=0"],
    )
    (record,) = files(tmp_path).values()
    specs = [BotSpec("runner", 5), BotSpec("taker", 2), BotSpec("runner", 5)]
    house = {"speedy": True, "deck": [7, 8, 8, 5, 5, 3], "out": "shout", "tie_window_ms": 0}
    assert record == text(lines(setting("gamerules", specs, 3, **house), 0))


@pytest.mark.django_db(transaction=True)
def test_it_stores_what_it_would_write():
    assert simulate(seed=7)[4] == "stored in the database"
    expected = {text(lines(setting(specs=mixed(4), seed=7), index)) for index in range(2)}
    stored = {"".join(record_of(match)).encode() for match in Match.objects.all()}
    assert stored == expected


@pytest.mark.django_db(transaction=True)
def test_what_is_stored_already_is_left_alone():
    simulate(seed=7)
    place = simulate(seed=7, matches=3)[4]
    assert place == "stored in the database (2 were already stored and skipped)"
    assert Match.objects.count() == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": 1}, "--players must be 2 to 5, found 1"),
        ({"players": 6}, "--players must be 2 to 5, found 6"),
        ({"bots": "taker,taker,taker", "players": 2}, "--bots names 3 bots for 2 players"),
        ({"bots": ",".join(["taker"] * 6)}, "--bots: the number of bots must be 2 to 5, found 6"),
        ({"bots": "greedy"}, "unknown bot 'greedy'"),
        ({"bots": "taker:0"}, "level must be a whole number from 1 to 5"),
        ({"level": 6}, "level must be a whole number from 1 to 5"),
        ({"matches": 0}, "--matches must be at least 1, found 0"),
        ({"matches": 10**7}, "--matches must be at most 1000000"),
        ({"jobs": 0}, "--jobs must be at least 1, found 0"),
        ({"edition": "1999"}, "unknown edition '1999'"),
        ({"house": ["speedy"]}, "--set must be FIELD=VALUE, found 'speedy'"),
        ({"house": ["colour=red"]}, "unknown rule 'colour'"),
        ({"house": ["target=99"]}, "target must be a whole number from 100"),
        ({"house": ["deck=1,2"]}, "deck must be six counts"),
        ({"house": ["one_hand_ms=1"]}, "one_hand_ms must be at least tie_window_ms"),
    ],
)
def test_bad_options_are_explained(options, words, tmp_path):
    with pytest.raises(CommandError) as error:
        simulate(out=tmp_path, **options)
    assert words in str(error.value)


def test_a_folder_that_cannot_be_made_is_explained(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match=r"--out .*: File exists"):
        simulate(out=tmp_path / "file")


@pytest.mark.slow
def test_somebody_at_a_terminal_sees_how_far_it_is(tmp_path):
    terminal, screen = pty.openpty()
    command = ("simulate", "--matches=2", "--jobs=1", f"--out={tmp_path}")
    done = subprocess.run(
        (sys.executable, ROOT / "manage.py", *command),
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=screen,
        check=True,
    )
    shown = os.read(terminal, 100_000).decode()
    os.close(screen)
    os.close(terminal)
    assert "Matches" in shown
    assert "100%" in shown
    assert SUMMARY.fullmatch(done.stdout.decode())
