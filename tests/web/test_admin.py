"""The admin: it shows logs and changes none of them."""

import pytest
from django.contrib.admin import site
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from deploy.words import admin_names, read
from games.models import ChatComplaint, ChatLine, ChatMute, LiveTable, Match
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


def test_a_german_moderator_reads_german_names(admin_client: Client) -> None:
    catalogue = read("de")
    with override(None):
        untold = [name for name in admin_names() if not getattr(catalogue.get(name), "string", "")]
    assert untold == []
    match = store("Ada", "Bo")
    german = {"accept-language": "de"}
    listed = admin_client.get("/admin/games/match/", headers=german).text
    assert "Begonnen" in listed
    assert "Started at" not in listed
    text = admin_client.get(f"/admin/games/match/{match.pk}/change/", headers=german).text
    assert "Verzögerung (ms)" in text
    assert "Lag ms" not in text


def line_of(name: str) -> ChatLine:
    LiveTable.objects.get_or_create(record_id="m", defaults={"plan": {}})
    n = ChatLine.objects.count() + 1
    return ChatLine.objects.create(
        room="m", n=n, person=f"guest:{name}", name=name, text=f"{name} says <i>"
    )


def said(client: Client, model: str, action: str, *pks: int) -> list[str]:
    """What the admin says after an action."""
    chosen = {"action": action, "_selected_action": pks}
    response = client.post(f"/admin/games/{model}/", chosen, follow=True)
    return [str(message) for message in response.context["messages"]]


def test_a_moderator_reads_hides_and_mutes(admin_client: Client) -> None:
    eve, bo = line_of("Eve"), line_of("Bo")
    complaint = ChatComplaint.objects.create(line=eve, person="guest:x", name="Kim")
    assert "Eve says &lt;i&gt;" in admin_client.get("/admin/games/chatline/").text
    assert "Eve says &lt;i&gt;" in admin_client.get("/admin/games/chatcomplaint/").text
    said(admin_client, "chatcomplaint", "hide", complaint.pk)
    said(admin_client, "chatcomplaint", "mute_here", complaint.pk)
    said(admin_client, "chatline", "mute_everywhere", bo.pk)
    said(admin_client, "chatline", "mute_everywhere", bo.pk)
    assert list(ChatLine.objects.values_list("name", "hidden")) == [("Eve", True), ("Bo", False)]
    muted = set(ChatMute.objects.values_list("person", "room"))
    assert muted == {("guest:Eve", "m"), ("guest:Bo", "")}
    mute = ChatMute.objects.get(name="Bo")
    admin_client.post(f"/admin/games/chatmute/{mute.pk}/delete/", {"post": "yes"})
    assert not ChatMute.objects.filter(name="Bo").exists()
    for model, pk in (("chatline", eve.pk), ("chatcomplaint", complaint.pk)):
        assert admin_client.post(f"/admin/games/{model}/{pk}/delete/").status_code == 403
        assert admin_client.post(f"/admin/games/{model}/{pk}/change/").status_code == 403


@pytest.mark.parametrize(
    "model", [model for model, shown in site._registry.items() if shown.search_fields], ids=str
)
def test_every_list_can_be_searched(admin_client: Client, model: type[Model]) -> None:
    meta = model._meta
    address = f"/admin/{meta.app_label}/{meta.model_name}/"
    assert admin_client.get(address, {"q": "Ada"}).status_code == 200


def test_nothing_can_be_changed(admin_client: Client) -> None:
    home, pk = "/admin/games/match/", store().pk
    before = Match.objects.values().get()
    for way in ("add/", f"{pk}/delete/"):
        assert admin_client.get(f"{home}{way}").status_code == 403
        assert admin_client.post(f"{home}{way}", {"post": "yes"}).status_code == 403
    assert admin_client.post(f"{home}{pk}/change/", {}).status_code == 403
    action = {"action": "delete_selected", "_selected_action": [pk], "post": "yes"}
    admin_client.post(home, action)
    assert Match.objects.values().get() == before


def test_a_complaint_names_the_match_the_reporter_and_the_line(admin_client: Client) -> None:
    line = line_of("Eve")
    ChatLine.objects.filter(pk=line.pk).update(person="guest:a-secret")
    ChatComplaint.objects.create(line=line, person="guest:a-secret", name="Kim")
    ChatComplaint.objects.create(line=line, person="user:7", name="Ada")
    page = admin_client.get("/admin/games/chatcomplaint/").text
    for part in ('href="/play/m/"', "Kim (guest)", "Ada (account)", "1: Eve says &lt;i&gt;"):
        assert part in page
    assert "a-secret" not in page
    mute = ChatMute.objects.create(person="guest:a-secret", name="Eve")
    for path in ("", f"{mute.pk}/change/"):
        assert "a-secret" not in admin_client.get(f"/admin/games/chatmute/{path}").text
    assert "a-secret" not in admin_client.get(f"/admin/games/chatline/{line.pk}/change/").text


def test_a_page_of_complaints_costs_the_same_for_one_and_for_three(admin_client: Client) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            admin_client.get("/admin/games/chatcomplaint/")
        return len(queries)

    ChatComplaint.objects.create(line=line_of("Eve"), person="guest:x", name="Kim")
    before = cost()
    for name in ("Bo", "Cy"):
        ChatComplaint.objects.create(line=line_of(name), person="guest:x", name="Kim")
    assert cost() == before


def test_actions_say_what_they_did(admin_client: Client) -> None:
    eve, bo = line_of("Eve"), line_of("Bo")
    assert said(admin_client, "chatline", "hide", eve.pk, bo.pk) == ["2 messages removed."]
    assert said(admin_client, "chatline", "hide", eve.pk) == ["0 messages removed."]
    assert said(admin_client, "chatline", "show", bo.pk) == ["1 message shown again."]
    assert said(admin_client, "chatline", "mute_here", eve.pk, bo.pk) == [
        "Muted in that chat: Bo, Eve."
    ]
    assert said(admin_client, "chatline", "mute_everywhere", eve.pk) == ["Muted everywhere: Eve."]
    assert said(admin_client, "chatline", "mute_everywhere", eve.pk) == [
        "Muted everywhere: no one new."
    ]
