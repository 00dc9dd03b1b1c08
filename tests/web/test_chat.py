"""What stands beside a live match: the chat, who is offered it under which name, the lag."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.models import Match
from tests.notes.browsers import put
from tests.web.records import store

pytestmark = pytest.mark.django_db
NAME = "/api/v1/name"


def running(**spectators: Any) -> Match:
    match = store("Ada", "Bo")
    fields = {"state": Match.State.OPEN, "source": "live", "spectators": spectators}
    Match.objects.filter(pk=match.pk).update(**fields)
    return match


def offered(client: Client, match: Match) -> bool:
    """Whether the page offers the chat, by its script's data as by its tab."""
    text = client.get(f"/matches/{match.pk}/").text
    script = re.search(r'<script id="live" type="application/json">(.*?)</script>', text)
    assert script
    live = json.loads(script[1])
    assert live["chat"] == ('id="tab-chat"' in text)
    return bool(live["chat"])


def test_spectators_are_offered_it_where_the_match_allows_it() -> None:
    assert offered(Client(), running())
    assert offered(Client(), running(chat=True))
    assert not offered(Client(), running(chat=False))


def test_who_plays_is_not() -> None:
    match = running()
    client, other = Client(), Client()
    put(client, NAME, name="Ada")
    put(other, NAME, name="Eve")
    key = client.session["guest"]
    match.seats.filter(number=0).update(guest=key)
    assert not offered(client, match)
    assert offered(other, match)
    user = get_user_model().objects.create_user("bo")
    match.seats.filter(number=1).update(user=user)
    other.force_login(user)
    assert not offered(other, match)


def test_a_match_that_is_over_has_none() -> None:
    assert 'id="tab-chat"' not in Client().get(f"/matches/{store().pk}/").text


def test_a_guest_takes_a_name() -> None:
    client = Client()
    assert client.get(NAME).status_code == 405
    assert put(client, NAME, name="Eve").json() == {"name": "Eve"}
    assert client.session["guest"]
    assert 'data-name="Eve"' in client.get(f"/matches/{running().pk}/").text
    assert put(client, NAME, name=" ").json() == {"name": "Eve"}
    assert re.fullmatch(r"Guest \d{4}", put(Client(), NAME).json()["name"])


def test_an_account_keeps_its_name() -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada"))
    assert put(client, NAME, name="Eve").json() == {"name": "ada"}


def test_the_replay_tells_the_lag_of_a_live_match() -> None:
    match = store("Ada", "Bo")
    Match.objects.filter(pk=match.pk).update(source="live")
    match.seats.filter(number=1).update(lag_ms=42)
    page = f"/matches/{match.pk}/"
    assert "Median delay: <bdi>Bo</bdi> 42&nbsp;ms" in Client().get(page).text
    assert "Median delay" not in Client(headers={"Cookie": "spoilers=off"}).get(page).text
    match.seats.update(lag_ms=None)
    assert "Median delay" not in Client().get(page).text
