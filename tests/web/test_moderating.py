"""What a moderator does to matches and names, and what stays of it."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model
from django.test import Client

from games.archive.packing import text_of
from games.archive.store import record_of
from games.chat.storage import report
from games.models import (
    ChatLine,
    ChatMute,
    Chunk,
    Match,
    MatchComplaint,
    Moderation,
    Player,
    Seat,
    Upload,
)
from games.people.person import guest
from games.people.visitor import Author, Visitor
from games.tables import opening
from replays.reviews import chat, storage
from tests.hostile_records import late_flood
from tests.web.records import record, store

pytestmark = pytest.mark.django_db


@pytest.fixture
def moderator(django_user_model) -> Client:
    user = django_user_model.objects.create_user("Mo", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_chatmute"))
    client = Client()
    client.force_login(user)
    return client


def uploaded(lines=None) -> Match:
    body = text_of(lines or record("Mallory", "Bo")).encode()
    client = Client()
    client.post("/matches/upload/", {"record": SimpleUploadedFile("a.ratuki", body)})
    return Match.objects.get(origin=Match.Origin.UPLOADED)


def act(client: Client, action: str, *rows: Model, reason: str = "An insult."):
    """Do that with rows of one model."""
    chosen = [row.pk for row in rows]
    asked = {"action": action, "_selected_action": chosen, "reason": reason}
    return client.post(f"/admin/games/{rows[0]._meta.model_name}/", asked)


def test_an_uploaded_match_is_purged_and_a_row_stays(moderator: Client) -> None:
    kept, match = store("Ada", "Bo"), uploaded(late_flood(2_000))
    sender = match.upload.name
    Client().post(f"/matches/{match.pk}/complaint/", {"text": "<b>Spam</b>"})
    assert "&lt;b&gt;Spam&lt;/b&gt;" in moderator.get("/admin/games/matchcomplaint/").text
    assert act(moderator, "purge", match).status_code == 302
    assert [left.pk for left in Match.objects.all()] == [kept.pk]
    assert set(Chunk.objects.values_list("match", flat=True)) == {kept.pk}
    assert set(Seat.objects.values_list("match", flat=True)) == {kept.pk}
    assert set(Player.objects.values_list("name", flat=True)) == {"Ada", "Bo"}
    assert not MatchComplaint.objects.exists()
    assert Upload.objects.get().match is None
    row = Moderation.objects.get()
    assert (row.action, row.subject, row.reason) == ("purge", match.record_id, "An insult.")
    assert (row.moderator_name, row.detail["sent_by"]) == ("Mo", sender)
    assert row.subject in moderator.get("/admin/games/moderation/").text


@pytest.mark.parametrize("of", [{"token": "k" * 22}, {"school_class": "4b"}], ids="".join)
@pytest.mark.parametrize("action", ["unlist", "relist"])
def test_an_invite_only_match_or_a_class_s_stays_so(
    moderator: Client, action: str, of: dict[str, str]
) -> None:
    match = store("Ada", "Bo")
    Match.objects.update(visibility="link", **of)
    told = moderator.get(act(moderator, action, match)["Location"]).text
    assert "is invite only and stays so" in told
    match.refresh_from_db()
    assert match.visibility == "link"
    assert Client().get(f"/matches/{match.pk}/").status_code == 404
    assert not Moderation.objects.exists()


def test_what_was_played_here_is_never_purged(moderator: Client) -> None:
    match = store("Ada", "Bo")
    answer = moderator.get(act(moderator, "purge", match)["Location"])
    assert "was played here: its log stays" in answer.text
    assert "".join(record_of(match))
    assert not Moderation.objects.exists()


def test_a_reason_is_asked_for_first(moderator: Client) -> None:
    match = uploaded()
    page = act(moderator, "purge", match, reason="")
    assert page.status_code == 200
    assert match.record_id in page.text
    assert 'name="reason"' in page.text
    assert Match.objects.exists()


def test_a_match_is_taken_off_the_lists_and_put_back(moderator: Client) -> None:
    match = store("Ada", "Bo")
    address = f"/matches/{match.pk}/"
    act(moderator, "unlist", match)
    assert Client().get(address).status_code == 404
    for page in ("/matches/", "/players/?name=Ada"):
        text = Client().get(page).text
        for asked in ('value="Ada"', "name%3DAda"):  # the search, and the way back from a log-in
            text = text.replace(asked, "")
        assert "Ada" not in text
    act(moderator, "relist", match)
    assert Client().get(address).status_code == 200
    assert address in Client().get("/matches/").text
    assert [row.action for row in Moderation.objects.order_by("pk")] == ["unlist", "list"]


def test_a_renamed_player_is_called_so_everywhere_and_later_too(moderator: Client) -> None:
    match = uploaded()
    eve = Player.objects.get(name="Mallory")
    moderator.post(f"/admin/games/player/{eve.pk}/change/", {"name": "Player 17"})
    for page in (f"/matches/{match.pk}/", "/matches/"):
        text = Client().get(page).text
        assert "Player 17" in text
        assert "Mallory" not in text
    charts = Client().get(f"/api/v1/matches/{match.pk}/charts/fed").text
    assert "Player 17" in charts
    assert "Mallory" not in charts
    again = store("Mallory", "Cy")
    assert again.seats.get(number=0).player == eve
    assert "Mallory" in "".join(record_of(again))
    assert Client().get("/players/Player 17/").status_code == 200
    row = Moderation.objects.get()
    assert (row.action, row.subject, row.detail) == ("rename", "Mallory", {"name": "Player 17"})


def test_a_name_that_somebody_has_is_not_given(moderator: Client) -> None:
    store("Mallory", "Bo")
    eve = Player.objects.get(name="Mallory")
    page = moderator.post(f"/admin/games/player/{eve.pk}/change/", {"name": "Bo"})
    assert page.status_code == 200
    assert Player.objects.get(pk=eve.pk).name == "Mallory"


def test_only_moderators_moderate(django_user_model) -> None:
    staff = Client()
    staff.force_login(django_user_model.objects.create_user("Sam", is_staff=True))
    match = uploaded()
    assert act(staff, "purge", match).status_code == 403
    eve = Player.objects.get(name="Mallory")
    assert staff.post(f"/admin/games/player/{eve.pk}/change/", {"name": "X"}).status_code == 403
    assert Match.objects.filter(pk=match.pk).exists()


def test_a_reported_line_of_a_review_is_removed_and_its_writer_muted(moderator: Client) -> None:
    match = store("Ada", "Bo")
    review = storage.start(match, Author("guest:eve", "Eve"))
    eve = Visitor((guest("eve"),), "Eve")
    for text in ("hello", "an insult"):
        assert chat.add(review.key, eve, text) == ""
    ada = Visitor((guest("ada"),), "Ada")
    for reporter in (ada, ada, eve):
        report(review.key, reporter, 2)
    line = ChatLine.objects.get(n=2)
    assert line.complaints.count() == 2, "one person counts once"
    listed = moderator.get("/admin/games/chatcomplaint/").text
    assert f"/reviews/{review.key}/" in listed
    assert "an insult" in listed
    assert "hello" not in listed
    for action in ("hide", "mute_here"):
        act(moderator, action, line.complaints.all()[0])
    assert [(said.n, said.text) for said in chat.news({review.key: 0})] == [(1, "hello"), (2, "")]
    assert chat.add(review.key, eve, "again") == "muted"


def test_what_is_done_about_a_chat_leaves_a_row(moderator: Client) -> None:
    get_user_model().objects.update(is_superuser=True)
    plan = opening.planned("usaopoly-2009", 2)
    opening.open_table(plan)
    lines = [
        ChatLine.objects.create(room=plan.id, n=n, person="guest:x", name="Eve", text="Rude")
        for n in (1, 2)
    ]
    for action in ("hide", "hide", "mute_here", "mute_everywhere"):
        act(moderator, action, *lines)
    mutes = {"action": "delete_selected", "_selected_action": ChatMute.objects.get(room="").pk}
    moderator.post("/admin/games/chatmute/", {**mutes, "post": "yes"})
    rows = [
        (row.action, row.subject, row.moderator_name) for row in Moderation.objects.order_by("pk")
    ]
    assert rows == [
        ("remove", plan.id, "Mo"),
        ("remove", plan.id, "Mo"),
        ("mute", plan.id, "Mo"),
        ("mute", "", "Mo"),
        ("unmute", "", "Mo"),
    ]
    assert "Rude" not in str(list(Moderation.objects.values()))
