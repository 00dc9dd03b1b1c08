"""The admin: it shows, and changes nothing."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Match
from tests.web.records import store

pytestmark = pytest.mark.django_db


def test_matches_and_logs_are_shown(admin_client: Client) -> None:
    match = store("Ada", "Bo")
    Match.objects.filter(pk=match.pk).update(token="never-shown")
    assert match.record_id in admin_client.get("/admin/games/match/").text
    text = admin_client.get(f"/admin/games/match/{match.pk}/change/").text
    assert "Ada" in text
    assert "lines 1 to" in text
    assert "never-shown" not in text
    assert "Ada" in admin_client.get("/admin/games/player/?q=ada").text


@pytest.mark.parametrize("model", ["match", "player"])
def test_nothing_can_be_changed(admin_client: Client, model: str) -> None:
    match = store()
    pk = match.pk if model == "match" else match.seats.first().player_id
    before = Match.objects.values().get()
    for way in ("add/", f"{pk}/delete/"):
        assert admin_client.get(f"/admin/games/{model}/{way}").status_code == 403
        assert admin_client.post(f"/admin/games/{model}/{way}", {"post": "yes"}).status_code == 403
    assert admin_client.post(f"/admin/games/{model}/{pk}/change/", {}).status_code == 403
    action = {"action": "delete_selected", "_selected_action": [pk], "post": "yes"}
    admin_client.post(f"/admin/games/{model}/", action)
    assert Match.objects.values().get() == before
