"""The same storage and the same pages on PostgreSQL."""

import re
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest

from replays.jobs.starting import MOST_EACH
from tests.services import Postgres, Site
from tests.web.long_matches import write_out_long_matches
from tests.web.records import MATCHES

CHANGE = (
    "from django.db import connection\n"
    "connection.cursor().execute('UPDATE games_chunk SET lines = 1')"
)

LOOK = """
from games.archive import queries
from games.archive.queries import ORDERS, Filter, page_of
queries.REACH, queries.REACH_SEATED, queries._FEW = 2, 2, 1
for order in ORDERS:
    for wanted in (Filter({"edition": 0}), Filter(winners=[1, 2]), Filter(players=[[1]])):
        wanted, after, seen = wanted._replace(order=order), None, set()
        while True:
            page = page_of(wanted, after)
            seen |= {row.id for row in page.rows}
            if (after := page.after) is None:
                break
        queries.REACH = queries.REACH_SEATED = 99
        assert seen == {row.id for row in page_of(wanted).rows}, wanted
        queries.REACH = queries.REACH_SEATED = 2
print(*queries.kinds())
"""

SEARCH = """
from games.models import Match
from replays.models import Note, Study
from tests.notes.making import note
note(Match.objects.first(), text="Étude", tags=["müde"])
for field, text in (("text", "étude"), ("tags", "MÜDE"), ("text", "ÉTUDE")):
    assert Note.objects.filter(**{f"{field}__says": text}).count() == 1, text
assert not Study.objects.filter(title__says="x").exists()
"""

JOBS = """
from tests.jobs.counting import begun_at_once
print(begun_at_once(8))
"""

RATE = """
from threading import Thread
from django.db import connection
from django.contrib.auth import get_user_model
from games.models import Match, Player, Seat
from replays.models import RatingChange, SeatFigures
from replays.players.counting import count_missing
from replays.ratings.ledger import rebuild, settle_all
Match.objects.update(origin="hosted", filter_bits=1)
Seat.objects.update(origin="hosted")
for player in Player.objects.all():
    user = get_user_model().objects.create_user(f"Of {player.pk}")
    Seat.objects.filter(player=player).update(user=user)
for _ in range(2):
    matches = sum(1 for _ in count_missing())
    SeatFigures.objects.update(version=0)
matches = sum(1 for _ in count_missing())
finished = Match.objects.filter(state=Match.State.FINISHED).count()
found = []
def settle():
    found.append(settle_all())
    connection.close()
threads = [Thread(target=settle) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
lines = list(RatingChange.objects.order_by("match", "player").values_list("mu", "sigma"))
assert sum(found) == rebuild() == finished < matches, (found, finished, matches)
assert lines == list(RatingChange.objects.order_by("match", "player").values_list("mu", "sigma"))
print(matches)
"""
"""Counts and rates the stored matches as if they had been played here, three times at once."""


@pytest.mark.postgres
def test_matches_are_stored_listed_and_exported(postgres: Postgres, tmp_path: Path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        paths = [str(path) for path in MATCHES[:4]]
        site.manage("import_records", *paths)
        assert site.manage("import_records", *paths).count("left alone") == len(paths)
        record_id = re.search(r'"id":"([^"]+)"', MATCHES[0].read_text())
        assert record_id
        assert site.manage("export_record", record_id[1]) == MATCHES[0].read_text()
        with pytest.raises(subprocess.CalledProcessError):
            site.manage("shell", "-v0", "-c", CHANGE)
        said = site.manage("shell", "-v0", "-c", SEARCH + LOOK + JOBS)
        assert int(said.split()[-1]) == MOST_EACH, "requests at the same moment pass no limit"
        site.start()
        for query in (
            "",
            "?sort=closest",
            "?sort=ties&after=0.999",
            "?after=4102444800.1&player=P0&winner=P0&seats=2",
            "?player=p&sort=longest&winner=p&since=2020-01-01&ties=yes",
        ):
            with urlopen(f"{site.url}/matches/{query}") as page:
                assert page.status == 200
        with urlopen(f"{site.url}/players/P0/") as page:
            assert "<dt>imported match</dt>" in page.read().decode()
        with urlopen(f"{site.url}/api/v1/matches/1/log?from=1") as page:
            assert b'"packed":' in page.read()
        assert int(site.manage("shell", "-v0", "-c", RATE)) > 1
        with urlopen(f"{site.url}/players/P0/") as page:
            assert 'id="rating"' in page.read().decode()


@pytest.mark.postgres
def test_matches_beyond_the_bounds_become_files(postgres: Postgres, tmp_path: Path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        write_out_long_matches(site)
