"""My matches: by person and not by name, private ones included."""

from functools import partial

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.archive.queries import PAGE
from games.models import Match
from games.people.person import account
from games.tables import opening
from games.tables.plan import new_plan
from tests.guests import guest
from tests.web import listing
from tests.web.records import store

pytestmark = pytest.mark.django_db
PASSWORD = "four blue stacks"
MINE = "/matches/mine/"


def played(key: str = "", user: AbstractBaseUser | None = None, **fields: object) -> Match:
    """A match of Ada and Bo, whose first seat is that guest's or account's."""
    match = store("Ada", "Bo")
    match.seats.filter(number=0).update(guest=key, user=user)
    if "visibility" in fields:
        fields["filter_bits"] = match.filter_bits & ~1  # as its summary says of what is not listed
    Match.objects.filter(pk=match.pk).update(**fields)
    return match


listed = partial(listing.listed, page=MINE)


def test_a_guest_finds_what_this_browser_played_and_nothing_else() -> None:
    mine, _ = played("ada"), played("another Ada")
    mine.seats.update(guest="ada")
    private = played("ada", visibility="link", token="t" * 32)
    ada = guest("ada")
    assert listed(ada) == [private.pk, mine.pk], "in two seats, and there once"
    assert listed(guest("new")) == listed(Client()) == []
    ada.cookies["spoilers"] = "off"
    page = ada.get(MINE)
    assert "no-store" in page["Cache-Control"]
    assert "won" not in page.text.partition('<ol class="matches ')[2].partition("</main>")[0]


def test_a_replay_knows_who_played_it() -> None:
    match = played("ada")
    assert 'data-own="0"' in guest("ada").get(f"/matches/{match.pk}/").text
    for stranger in (guest("other"), Client()):
        assert "data-own" not in stranger.get(f"/matches/{match.pk}/").text


def test_an_account_finds_its_matches_whatever_it_was_called(client: Client) -> None:
    user = get_user_model().objects.create_user("Lovelace")
    match = played("ada", user)
    played()  # by somebody of the same name
    client.force_login(user)
    assert listed(client) == [match.pk]
    assert listed(guest("ada")) == [], "claimed, and no longer the next guest's"


def test_after_signing_up_the_guests_matches_are_found() -> None:
    match = played("ada", visibility="link", token="t" * 32)
    client = guest("ada")
    form = {"username": "Lovelace", "password1": PASSWORD, "password2": PASSWORD}
    welcome = client.post(reverse("accounts:sign_up"), form, follow=True).text
    assert f'href="{MINE}"' in welcome
    assert listed(client) == [match.pk]
    elsewhere = Client()
    elsewhere.post(reverse("accounts:log_in"), {"username": "lovelace", "password": PASSWORD})
    assert listed(elsewhere) == [match.pk]


def test_pages_hold_as_many_as_the_archive_s_and_cost_the_same() -> None:
    matches = [played("ada").pk for _ in range(PAGE + 2)]
    client = guest("ada")
    assert len(listed(client)) == PAGE
    assert listed(client, "?page=2") == matches[1::-1]
    assert listed(client, "?page=3") == []

    def cost(who: Client) -> int:
        with CaptureQueriesContext(connection) as queries:
            who.get(MINE)
        return len(queries)

    played("one")
    assert cost(client) == cost(guest("one"))


def test_the_own_tables_stand_there_too(client: Client) -> None:
    user = get_user_model().objects.create_user("Ada")
    opening.open_table(new_plan("mine", "usaopoly-2009", 2, {}).sit(account(user.pk), "Ada"))
    client.force_login(user)
    assert 'href="/play/mine/"' in client.get(MINE).text
    assert 'href="/play/mine/"' not in Client().get(MINE).text


def test_links_lead_there(client: Client) -> None:
    for path in ("/play/", "/matches/"):
        assert f'href="{MINE}"' in client.get(path).text
