"""How far a page of the archive looks: never beyond its reach, and what is rare it finds anyway."""

import re
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client

from games.archive import queries
from games.archive.packing import pack
from games.archive.players import players_like
from games.archive.queries import ORDERS, Filter, Page, page_of
from games.archive.store import insert
from games.models import Match
from tests.web.listing import link, listed
from tests.web.records import record, store

pytestmark = pytest.mark.django_db

FOURS = Filter({"seats": 4})


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reach of five matches; two of a kind are many."""
    monkeypatch.setattr(queries, "REACH", 5)
    monkeypatch.setattr(queries, "REACH_SEATED", 4)
    monkeypatch.setattr(queries, "_FEW", 2)


def fill(names: str, count: int, **how: Any) -> list[int]:
    """So many matches of players with these initials; their numbers."""
    return [match.pk for match in insert([pack(record(*names, **how)) for _ in range(count)])]


def pages(wanted: Filter) -> list[Page]:
    """All pages of a list."""
    reached = [page_of(wanted)]
    while reached[-1].after:
        reached.append(page_of(wanted, reached[-1].after))
    return reached


@pytest.mark.usefixtures("short")
def test_every_match_is_shown_once_however_short_the_reach() -> None:
    wanted = fill("ABCD", 3) + fill("ABEF", 3)
    fill("XY", 9)
    player = {name: pk for pk, name in players_like("A") + players_like("C")}
    winner = Match.objects.get(pk=wanted[0]).seats.get(won=True).player_id
    few = Filter({"seats": 4}, [[player["A"]]])
    many = FOURS, Filter(players=[list(player.values())]), Filter(winners=[winner])
    for asked, order in product((few, *many), ORDERS):
        reached = pages(asked._replace(order=order))
        assert sorted(row.id for page in reached for row in page.rows) == wanted
        assert all(page.after for page in reached[:-1])
        assert len(reached) > 1 or asked == few


@pytest.mark.usefixtures("short")
def test_what_is_rare_is_found_at_once() -> None:
    rare = store("A", "B", "C", started_at="2019-05-03T12:00:00Z")
    fill("XY", 12)
    (player,) = (pk for pk, _ in players_like("C"))
    for asked, order in product(
        (Filter({"seats": 3}), Filter(players=[[player]]), Filter(until=rare.started_at.date())),
        ORDERS,
    ):
        page = page_of(asked._replace(order=order))
        assert [row.id for row in page.rows] == [rare.pk]
        assert page.after is None
        assert not page.cut


@pytest.mark.usefixtures("short")
def test_what_no_match_is_like_is_known_without_looking_at_any(django_assert_num_queries) -> None:
    fill("XY", 12)
    with django_assert_num_queries(2):
        assert page_of(Filter({"notes": 1})) == Page([], None)


@pytest.mark.usefixtures("short")
def test_a_page_that_was_cut_says_so_and_leads_on(client: Client) -> None:
    wanted = fill("ABCD", 3)
    fill("XY", 9, started_at="2031-01-01T00:00:00Z")
    query = "?seats=4"
    assert listed(client, query) == []
    assert "No matches so far" in client.get(f"/matches/{query}").text
    assert "No matches so far" not in client.get("/matches/?seats=5").text
    seen = []
    while further := link(client, query, "Find more"):
        query = further
        seen += listed(client, query)
    assert seen == wanted[::-1]


@pytest.mark.usefixtures("short")
def test_a_page_that_was_cut_tells_of_no_match_by_link() -> None:
    numbers = fill("XY", 20) + fill("ABCD", 12)
    by_link = set(numbers) - set(numbers[3::4])
    hidden = Match.objects.filter(pk__in=by_link)
    hidden.update(filter_bits=F("filter_bits").bitand(~1), visibility="link")
    for players, order in product(("", "X", "XY"), ORDERS):
        who = [pk for name in players for pk, _ in players_like(name)]
        reached = pages(Filter({"seats": 4}, [who] if who else [], order=order))
        told = {page.after.id for page in reached if page.after}
        assert told
        assert not told & by_link


def test_a_filtered_page_does_not_look_at_all_matches() -> None:
    plan = queries._marks(FOURS, None, queries.Mark(5, 5)).explain()
    assert re.search(r"SEARCH games_match USING COVERING INDEX match_newest \(started_at>", plan)


def test_the_kinds_of_matches_are_found_in_their_index() -> None:
    fill("XY", 2)
    fill("ABCD", 2)
    assert queries.kinds() == sorted(set(Match.objects.values_list("filter_bits", flat=True)))
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries._KINDS}")
        plan = " ".join(row[-1] for row in cursor.fetchall())
    assert plan.count("COVERING INDEX match_filter_bits") == 2


def test_no_kinds_of_no_matches() -> None:
    assert queries.kinds() == []
