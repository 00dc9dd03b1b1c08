"""A player's page: results, by edition, against whom, of late."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from django.test import Client

from games.models import Match, Player
from replays.pages import player_profile
from replays.pages.player_profile import profile_of
from tests.web.records import store

pytestmark = pytest.mark.django_db


def test_results_are_counted() -> None:
    matches = [
        *(store("Ada", "Bo", seed=seed) for seed in range(1, 5)),
        store("Bo", "Cy", "Ada", edition="gamerules"),
    ]
    won = sum(match.seats.get(player__name="Ada").won for match in matches)
    profile = profile_of(Player.objects.get(name="Ada"))
    overall = profile.overall
    assert (overall.played, overall.won + overall.drawn) == (5, won)
    assert overall.played == overall.won + overall.drawn + overall.lost
    assert [(row.name, row.played) for row in profile.editions] == [
        ("Game rules", 1),
        ("USAopoly 2009", 4),
    ]
    assert [(row.name, row.met) for row in profile.opponents] == [("Bo", 5), ("Cy", 1)]
    assert [match.match for match in profile.form] == [match.pk for match in matches]
    assert profile.whole


def test_ahead_and_behind_are_by_total() -> None:
    match = store("Ada", "Bo", "Cy")
    totals = {seat.name: seat.total for seat in match.seats.in_order()}
    for name, total in totals.items():
        for row in profile_of(Player.objects.get(name=name)).opponents:
            assert row.ahead == (total > totals[row.name])
            assert row.behind == (total < totals[row.name])
            assert row.level == (total == totals[row.name])


def test_a_shared_first_place_is_a_draw() -> None:
    match = store("Ada", "Bo")
    Match.objects.filter(pk=match.pk).update(winners=3)
    match.seats.update(won=True)
    overall = profile_of(Player.objects.get(name="Ada")).overall
    assert (overall.won, overall.drawn, overall.lost, overall.percent) == (0, 1, 0, 0)


def test_only_the_latest_matches_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_profile, "LATEST", 2)
    for seed in range(1, 4):
        store(seed=seed)
    profile = profile_of(Player.objects.get(name="Ada"))
    assert profile.overall.played == 2
    assert not profile.whole


def test_the_page_shows_it(client: Client) -> None:
    match = store("Ada", "Bo")
    text = client.get("/players/Ada/").text
    assert "Recent form" in text
    assert f'href="/matches/{match.pk}/"' in text
    assert re.search(r'class="form-[WL]"', text)


def test_matches_by_link_do_not_count(client: Client) -> None:
    match = store("Ada", "Bo")
    Match.objects.filter(pk=match.pk).update(visibility="link", filter_bits=match.filter_bits & ~1)
    shown = store("Ada", "Cy")
    text = client.get("/players/Ada/").text
    assert f"/matches/{shown.pk}/" in text
    assert f"/matches/{match.pk}/" not in text
    assert "/players/Bo/" not in text


def test_a_match_by_link_tells_nobody_s_name(client: Client) -> None:
    match = store("Ada", "Bo")
    Match.objects.filter(pk=match.pk).update(visibility="link", filter_bits=match.filter_bits & ~1)
    assert client.get("/players/Bo/").status_code == 404
    assert "No such player" in client.get("/players/?name=bo").text


@pytest.mark.parametrize(
    "name", ["a/b", "a b", "Ада", "50 %", "?x=1#y", "W" * 64, "<b>", "name/", "/name", "漢字 " * 8]
)
def test_any_name_has_a_page(client: Client, name: str) -> None:
    store(name, "Bo")
    text = client.get("/matches/").text
    address = re.search(r'<a href="(/players/[^"]+)"', text)
    assert address
    response = client.get(address[1])
    assert response.status_code == 200
    assert client.get(f"/players/{quote(name)}/").status_code == 200


def test_nobody_has_no_page(client: Client) -> None:
    store()
    for name in ("Zoë", "ada", "%00", "x" * 3_000):
        assert client.get(f"/players/{name}/").status_code == 404


def test_a_page_asks_as_often_for_three_matches_as_for_one(
    client: Client, django_assert_num_queries
) -> None:
    for stored in (1, 2):
        for _ in range(stored):
            store()
        with django_assert_num_queries(8):
            client.get("/players/Ada/")


def test_players_are_found_by_a_part_of_their_name(client: Client) -> None:
    store("Kimberley", "Bo")
    assert "/players/Kimberley/" in client.get("/players/?name=BERL").text
    assert "No such player" in client.get("/players/?name=zz").text
    assert client.get("/players/").status_code == 200
