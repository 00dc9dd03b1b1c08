"""Starting a review: who leads it under which name."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Match
from replays.models import Review, ReviewMember
from tests.people import world
from tests.web.records import store

pytestmark = pytest.mark.django_db


def test_a_stranger_is_offered_to_choose_a_name_and_gets_one_otherwise() -> None:
    start = reverse("replays:start_review", args=[store("Ada", "Bo").pk])
    stranger = Client()
    assert 'name="name"' in stranger.post(start).content.decode()
    assert not Review.objects.exists()
    assert stranger.post(start, {"name": "taker"}).status_code == 422, "a bot's name"
    assert stranger.post(start, {"name": " "}).status_code == 302
    assert re.fullmatch(r"Guest \d{4}", ReviewMember.objects.get().name)
    other = Client()
    other.post(start, {"name": "Kim"})
    assert ReviewMember.objects.latest("pk").name == "Kim"


def test_a_place_that_is_no_address_starts_a_review_at_the_beginning() -> None:
    start = reverse("replays:start_review", args=[store("Ada", "Bo").pk])
    for place in ("http://[x", "?" + "&" * 5_000, "?round=1"):
        led = Client().post(start, {"name": "Kim", "place": place})
        assert led["Location"].endswith("/?round=1") == (place == "?round=1")
    assert Review.objects.count() == 3


def test_the_links_on_pages_about_a_private_match_open_them_for_others() -> None:
    users = world.people()
    _, number = world.build("link", "over", users["Ada"])
    match, ada, others = Match.objects.get(pk=number), Client(), Client()
    ada.force_login(users["Ada"])
    home = reverse("replays:replay", args=[number])
    invitation = f"{reverse('games:join')}#{match.record_id}.{match.token}"
    assert f'data-invitation="http://testserver{invitation}"' in ada.get(home).content.decode()
    review = ada.post(reverse("replays:start_review", args=[number]), {"name": "Ada"})["Location"]
    page = ada.get(review).content.decode()
    (link,) = re.findall('data-link="http://testserver([^"]*)"', page)
    place = review.split("?")[0]
    assert link == f"{invitation}.{place}"
    assert others.get(place).status_code == 404
    led = others.post(reverse("games:join"), {"invitation": link.split("#")[1]})
    assert led["Location"] == place
    assert others.get(place).status_code == 200
    assert invitation not in Client().get(reverse("replays:archive")).content.decode()
