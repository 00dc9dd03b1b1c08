"""What a guest wrote becomes an account's; what an account wrote goes with it, copies included."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import ChatMute, Embargo, Match, MatchComplaint
from replays.models import Note, NoteComplaint
from tests.guests import guest
from tests.notes.browsers import account, post, put
from tests.notes.making import ADA, EVERYONE, fresh, note
from tests.web.records import store

pytestmark = pytest.mark.django_db
PASSWORD = "four blue stacks"
versions: Any = Note.history.model  # type: ignore[attr-defined]


@pytest.fixture
def match() -> Match:
    return store("Ada", "Bo", "Cy")


def sign_up(browser: Client) -> Any:
    form = {"username": "Kim", "password1": PASSWORD, "password2": PASSWORD}
    return browser.post(reverse("accounts:sign_up"), form, follow=True)


def written(browser: Client, match: Match) -> list[str]:
    """The addresses of one of each that can be written or made, and is its owner's alone."""
    place = {"round": 1, "event": 0}
    said = post(
        browser, f"/api/v1/matches/{match.pk}/notes", key=fresh(), text="Mine.", **place
    ).json()
    item = {"match": match.pk, **place, "until": 3}
    made = {"key": fresh(), "title": "Mine"}
    assert post(browser, "/api/v1/playlists", **made, items=[item]).status_code == 201
    study = {"key": fresh(), "title": "Mine"}
    assert post(browser, "/api/v1/studies", **study).status_code == 201
    return [
        f"/api/v1/notes/{said['key']}",
        f"/api/v1/playlists/{made['key']}",
        f"/api/v1/studies/{study['key']}",
    ]


@pytest.mark.parametrize("how", ["sign up", "claim"])
def test_what_a_guest_wrote_is_the_accounts(match: Match, how: str) -> None:
    browser = guest("kim")
    addresses = written(browser, match)
    if how == "sign up":
        page = sign_up(browser).text
    else:
        sign_up(elsewhere := Client())
        elsewhere.logout()
        browser.force_login(get_user_model().objects.get(username="Kim"))
        kept = "1 note, 1 playlist, 1 study"
        assert f"you have: {kept}." in browser.get(reverse("accounts:profile")).text
        page = browser.post(reverse("accounts:claim"), follow=True).text
    assert "Added to your account: 1 note, 1 playlist, 1 study." in page
    assert "As a guest" not in browser.get(reverse("accounts:profile")).text
    browser.post(reverse("accounts:log_out"))
    assert [browser.get(address).status_code for address in addresses] == [404] * 3
    browser.post(reverse("accounts:log_in"), {"username": "Kim", "password": PASSWORD})
    assert [browser.get(address).status_code for address in addresses] == [200] * 3
    changed = put(browser, addresses[0], revision=1, round=1, event=0, text="Still mine.")
    assert changed.status_code == 200
    browser.post(reverse("accounts:delete"), {"password": PASSWORD})
    assert not versions.objects.exists()


def test_what_only_one_may_have_does_not_keep_the_rest(match: Match) -> None:
    browser = account("Kim")
    user = get_user_model().objects.get()
    session = browser.session
    session.update({"guest": "kim", "guest_name": "Kim"})
    session.save()
    said = note(match, ADA, EVERYONE)
    for person, of in (("guest:kim", None), (f"user:{user.pk}", user)):
        NoteComplaint.objects.create(note=said, reporter=person, user=of)
        MatchComplaint.objects.create(match=match, person=person, name="Kim", text="Odd.")
        Embargo.objects.create(match=match, person=person, chapter=1)
        ChatMute.objects.create(person=person, name="Kim")
    browser.post(reverse("accounts:claim"))
    for kind, field in (
        (NoteComplaint, "reporter"),
        (MatchComplaint, "person"),
        (Embargo, "person"),
        (ChatMute, "person"),
    ):
        assert [getattr(row, field) for row in kind.objects.all()] == [f"user:{user.pk}"]


def test_a_guests_embargo_and_mute_go_with_them(match: Match) -> None:
    browser = guest("kim")
    Embargo.objects.create(match=match, person="guest:kim", chapter=1)
    ChatMute.objects.create(person="guest:kim", name="Kim")
    sign_up(browser)
    user = get_user_model().objects.get()
    assert Embargo.objects.get().person == ChatMute.objects.get().person == f"user:{user.pk}"


@pytest.mark.parametrize("where", ["page", "admin"])
def test_no_copy_of_a_deleted_accounts_words_remains(match: Match, where: str) -> None:
    sign_up(browser := Client())
    said = post(
        browser, f"/api/v1/matches/{match.pk}/notes", key=fresh(), round=1, event=0, text="Secret."
    ).json()
    put(browser, f"/api/v1/notes/{said['key']}", revision=1, round=1, event=0, text="Secret, too.")
    other = note(match, ADA, EVERYONE)
    user = get_user_model().objects.get()
    post(browser, f"/api/v1/notes/{other.key}/complaint", reason="Secret.")
    person = f"user:{user.pk}"
    MatchComplaint.objects.get_or_create(match=match, person=person, name="Kim", text="Secret.")
    assert versions.objects.filter(text__contains="Secret").count() == 2
    if where == "page":
        browser.post(reverse("accounts:delete"), {"password": PASSWORD})
    else:
        user.delete()
    assert not get_user_model().objects.exists()
    assert [version.text for version in versions.objects.all()] == [other.text]
    assert not MatchComplaint.objects.exists()
    assert not NoteComplaint.objects.exists()


def test_tidying_purges_what_deleted_notes_said_before(match: Match) -> None:
    kept, fresh_one, old, gone = (note(match, text=text) for text in ("a", "b", "c", "d"))
    Note.objects.filter(pk=fresh_one.pk).update(deleted=timezone.now() - timedelta(days=29))
    Note.objects.filter(pk=old.pk).update(deleted=timezone.now() - timedelta(days=31))
    gone.delete()
    call_command("tidy", stdout=StringIO(), stderr=StringIO())
    assert {version.text for version in versions.objects.all()} == {kept.text, fresh_one.text}
