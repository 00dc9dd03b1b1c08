"""Viewers who hide how matches ended learn nothing of it, wherever they look."""

import json
import re

import pytest
from django.test import Client

from games.archive.queries import ORDERS
from games.models import Match
from tests.narrowing import present
from tests.web.listing import numbers
from tests.web.records import store

pytestmark = pytest.mark.django_db


@pytest.fixture
def wary(client: Client) -> Client:
    client.cookies["spoilers"] = "off"
    return client


def test_the_switch_is_kept_and_taken_back(client: Client) -> None:
    response = client.post("/spoilers/", {"show": "off", "next": "/matches/?seats=2"})
    assert response["Location"] == "/matches/?seats=2"
    cookie = response.cookies["spoilers"]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("off", True, "Lax")
    assert "Show results" in client.get("/matches/").text
    client.post("/spoilers/", {"show": "on", "next": "/matches/"})
    assert "Hide results" in client.get("/matches/").text


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "", "javascript:x"])
def test_the_switch_leads_nowhere_else(client: Client, target: str) -> None:
    response = client.post("/spoilers/", {"show": "off", "next": target})
    assert response["Location"] == "/matches/"


@pytest.mark.parametrize("address", ["/matches/", "/players/Ada/"])
def test_lists_are_the_same_however_the_matches_ended(wary: Client, address: str) -> None:
    match = store("Ada", "Bo", seed=1)
    shown: list[str] = []
    for changes in (
        {},
        {
            "winners": 3,
            "margin": 0,
            "duration_ms": 1,
            "rounds": 9,
            "lead_history": "",
            "state": "abandoned",
        },
        {"winners": None, "margin": None, "ties": 77, "events": 1, "state": "unfinished"},
    ):
        Match.objects.filter(pk=match.pk).update(**changes)
        match.seats.update(total=len(shown), won=bool(shown))
        text = wary.get(address).text
        shown.append(re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text))
    assert shown[0] == shown[1] == shown[2]


def test_an_abandoned_match_says_that_its_last_round_does_not_count(client: Client) -> None:
    match = store("Ada", "Bo", seed=1)
    Match.objects.filter(pk=match.pk).update(state="abandoned", rounds=2)
    page = client.get("/matches/").text
    assert "abandoned, the last round does not count" in page
    assert 'class="course"' in page
    Match.objects.filter(pk=match.pk).update(rounds=1)
    match.seats.update(total=0)
    page = client.get("/matches/").text
    assert "does not count" not in page, "there was no other"
    assert 'class="course"' not in page, "no one led"
    assert "points:" not in page, "no round counts"


def test_orders_and_filters_that_would_reveal_results_do_nothing(wary: Client) -> None:
    newest = [store(seed=seed).pk for seed in range(1, 6)][::-1]
    for name in (name for name, order in ORDERS.items() if order.spoils):
        assert numbers(wary.get(f"/matches/?sort={name}").text) == newest, name
    for query in ("winner=Ada", "length=long", "close=close", "outcome=bot", "winner=Nobody"):
        text = wary.get(f"/matches/?{query}").text
        assert numbers(text) == newest, query
        assert f'name="{query.partition("=")[0]}"' not in text
        assert "Longest first" not in text


def test_a_players_page_lists_matches_only(wary: Client) -> None:
    store("Ada", "Bo")
    text = wary.get("/players/Ada/").text
    assert "Results are hidden" in text
    assert len(numbers(text)) == 1
    for word in ("Recent form", "Opponents", "points per round", "won"):
        assert word not in text


def test_a_replay_page_reveals_no_end(wary: Client) -> None:
    match = store("Ada", "Bo", target=100)
    text = wary.get(f"/matches/{match.pk}/?round=2").text
    script = present(re.search(r'id="match" type="application/json">(.*?)</script>', text))
    page = json.loads(script[1])
    assert page["spoilers"] is False
    assert not {"rounds", "seq", "result", "finished"} & set(page)
    assert re.search(r'id="first-round" type="application/json">null</script>', text)


def test_charts_are_drawn_up_to_the_viewers_line_only(wary: Client) -> None:
    match = store("Ada", "Bo", target=100)
    address = f"/api/v1/matches/{match.pk}/charts/scores?round=1"
    assert wary.get(f"{address}&until=20").status_code == 200
    assert wary.get(f"/api/v1/matches/{match.pk}/charts/scores?round=2&until=20").status_code == 404
