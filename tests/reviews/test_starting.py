"""Starting a review: who leads it under which name."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from replays.models import Review, ReviewMember
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
