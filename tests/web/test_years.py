"""What a page reads does not grow with a player's matches, on the database that many need."""

import json
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from games.archive.moderation import show
from games.models import Match, Seat
from replays.models import RatingChange
from replays.ratings.ledger import outdated, settle_all
from tests.services import Postgres, Site
from tests.web.records import store, store_hosted, store_played

READ = """
import json
from urllib.parse import quote
from django.contrib.auth import get_user_model
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from games.archive import own, queries as lists
from games.people import person
from replays.news import tell_followers
from replays.notes import missed_takes
from replays.patterns import searching
from replays.players import counting, queries
from replays.ratings import against_bots, ledger, tables
from replays.pages.players import pages, rivals
from tests.bench import filling
from tests.bench.filling import HOUSE, MOST, fill
filling._TEMPLATES = 3
for room in (queries, against_bots, rivals, pages, missed_takes):
    room.LATEST = 20
tables.HISTORY = searching.MOST_MATCHES = 20
lists.REACH = lists.REACH_SEATED = own.REACH = 20
counting.RECENT, own.latest_seats.__defaults__ = 20, (20,)
ROWS = '''SELECT sum(pg_stat_get_xact_tuples_returned(oid)) FROM pg_class
WHERE relkind IN ('r', 'i') AND relname !~ '^pg_' '''
def rows(ask):
    counted = []
    with transaction.atomic(), connection.cursor() as cursor:
        for act in (lambda: None, ask):
            act()
            cursor.execute(ROWS)
            counted.append(int(cursor.fetchone()[0]))
    return counted[1] - counted[0]
def look():
    own, stranger = Client(), Client()
    own.force_login(get_user_model().objects.get(username=MOST))
    def page(client, path):
        response = client.get(path)
        assert response.status_code == 200, (path, response)
    most, house, two = (quote(name) for name in (MOST, HOUSE, f"{MOST}, {HOUSE}"))
    asked = {
        path: lambda client=client, path=path: page(client, path)
        for client, path in (
            *((stranger, f"/players/{name}/{query}") for name in (most, house)
              for query in ("", "?played=simulated")),
            (own, f"/players/{most}/?own"), (own, f"/players/{house}/?other"),
            (stranger, f"/matches/?player={two}"), (stranger, f"/matches/?player={most}"),
            (own, "/"), (own, "/practise/"), (own, "/matches/mine/"), (own, "/patterns/"),
            (own, "/matches/mine/?page=3"), (stranger, "/players/"),
            (stranger, "/players/?name=ada"),
        )
    }
    asked |= {"ledger": ledger.look_round, "followers": tell_followers}
    return {name: rows(ask) for name, ask in asked.items()}
found = []
for count in (100, 9_900):
    fill(count, every=2)
    found.append(look())
print(json.dumps(found))
"""


@pytest.mark.postgres
def test_pages_read_as_much_of_10000_matches_as_of_100(postgres: Postgres, tmp_path: Path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url(), "SITE_ORIGINS": "http://testserver"}) as s:
        s.migrate()
        said = s.manage("shell", "-v0", "-c", READ)
    few, many = json.loads(said.splitlines()[-1])
    # With few rows, to read a whole table is the quickest way.
    grown = {name: (few[name], many[name]) for name in few if many[name] > 3_500}
    assert grown == {}


@pytest.mark.django_db
def test_an_update_gives_each_seat_what_a_new_one_has(monkeypatch: pytest.MonkeyPatch) -> None:
    rated, other, private = store_played("Ada", "Bo"), store("Cy", "Di"), store_hosted("Ed", "Flo")
    show(private, Match.Visibility.LINK)
    assert settle_all() == 1
    names = "match", "number", "origin", "shown", "rated"
    new = list(Seat.objects.order_by("pk").values_list(*names))
    assert {(row[0], *row[2:]) for row in new} == {
        (rated.pk, "hosted", Seat.Shown.RESULT, True),
        (other.pk, "simulated", Seat.Shown.RESULT, False),
        (private.pk, "hosted", Seat.Shown.NOTHING, False),
    }
    Seat.objects.update(origin="", shown=0, rated=False)
    for name, act in (("games.migrations.0016_release_2_2_seats", "fill"), (MARK, "mark")):
        migration = import_module(name)
        monkeypatch.setattr(migration, "BATCH", 2)
        getattr(migration, act)(apps, None)
        getattr(migration, act)(apps, None)
    assert list(Seat.objects.order_by("pk").values_list(*names)) == new


MARK = "replays.migrations.0030_release_2_2_rated_seats"


@pytest.mark.django_db
def test_an_unlisted_match_is_rated_no_longer() -> None:
    match = store_played("Ada", "Bo")
    settle_all()
    assert not outdated().exists()
    show(match, Match.Visibility.LINK)
    assert settle_all(recent=True) == 0
    assert not RatingChange.objects.exists()
    assert not outdated().exists()
