"""Tokens: what a program may do with one, and accounts that are bots."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone

from games.models import Account, Token
from games.people import tokens
from games.people.accounts import looks_like_an_account
from tests.classes.making import user_of
from tests.notes.browsers import account, guest, post
from tests.notes.making import fresh
from tests.people.class_addresses import ClassWorld
from tests.people.programs import program
from tests.web.records import store

pytestmark = pytest.mark.django_db
PASSWORD = "four blue stacks"
PAGE = "/account/programs/"


def asked(**said: Any) -> dict[str, Any]:
    return {"name": "A script", "scopes": ["read"], "days": "30", "password": PASSWORD, **said}


def owner(name: str = "Kim") -> Client:
    """The browser of an account with a password."""
    browser = account(name)
    user = user_of(browser)
    user.set_password(PASSWORD)
    user.save()
    browser.force_login(user)
    return browser


def test_a_token_is_shown_until_its_page_is_closed_and_stored_as_a_digest() -> None:
    browser = owner()
    page = browser.post(PAGE, asked(scopes=["read", "write"]), follow=True)
    (secret,) = re.findall(r"ratuki_[A-Za-z0-9_-]{43}", page.text)
    assert page["Cache-Control"] == "no-store"
    assert secret in browser.get(PAGE).text, "in another language, or loaded again"
    browser.post(PAGE, {"close": ""})
    assert secret not in browser.get(PAGE).text
    row = Token.objects.get()
    assert (row.name, row.scopes, row.used) == ("A script", "read write", None)
    assert secret not in str(Token.objects.values_list())
    jobs = Client(headers={"Authorization": f"Bearer {secret}"}).get("/api/v1/jobs")
    assert jobs.status_code == 200
    assert Token.objects.get().used == timezone.now().date()


@pytest.mark.parametrize("fault", [{"password": "wrong"}, {"scopes": ["play"]}, {"days": "9"}])
def test_a_token_needs_the_password_and_what_is_offered(fault: dict[str, Any]) -> None:
    assert owner().post(PAGE, asked(**fault)).status_code == 422
    assert not Token.objects.exists()


def test_a_token_stands_for_its_account_without_session_and_csrf() -> None:
    kim, match = user_of(account("Kim")), store("Ada", "Bo")
    notes = f"/api/v1/matches/{match.pk}/notes"
    said = {"key": fresh(), "round": 1, "event": 3, "text": "Look."}
    script = program(kim)
    assert post(script, notes, **said).status_code == 201
    assert [note["text"] for note in script.get(notes).json()["notes"]] == ["Look."]
    script.cookies["sessionid"] = guest("Eve").cookies["sessionid"].value
    script.cookies["spoilers"] = "off"
    assert [note["by"] for note in script.get(notes).json()["notes"]] == ["Kim"]
    assert "sessionid" not in script.get(notes).cookies


def test_to_ask_for_headers_alone_needs_the_same_scope() -> None:
    kim = user_of(account("Kim"))
    for scope, status in (("play", 200), ("read", 200), ("write", 403)):
        assert program(kim, scope).head("/api/v1/challenges").status_code == status


def test_a_token_that_is_over_or_revoked_is_unknown() -> None:
    browser = owner()
    script = program(user_of(browser))
    assert script.get("/api/v1/jobs").status_code == 200
    Token.objects.update(until=timezone.now() - timedelta(seconds=1))
    refused = script.get("/api/v1/jobs")
    assert (refused.status_code, refused.json()["status"]) == (401, 401)
    assert refused["WWW-Authenticate"].startswith("Bearer")
    again = program(user_of(browser))
    assert owner("Bo").post(f"{PAGE}{Token.objects.latest('pk').pk}/revoke").status_code == 302
    assert again.get("/api/v1/jobs").status_code == 200
    browser.post(f"{PAGE}{Token.objects.latest('pk').pk}/revoke")
    assert again.get("/api/v1/tables").status_code == 401
    assert again.get("/play/").status_code == 200, "a page knows no tokens"


def test_a_token_ends_with_the_password_whoever_sets_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the admin does, and `changepassword`. The same password stored anew ends none."""
    kim = User.objects.create_user("Kim")
    kim.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=10)
    kim.save()
    script = program(kim)
    told = Client().post("/account/log-in/", {"username": "Kim", "password": PASSWORD})
    assert told.status_code == 302
    kim.refresh_from_db()
    assert kim.password.startswith("argon2")
    assert script.get("/api/v1/jobs").status_code == 200
    monkeypatch.setattr("getpass.getpass", lambda prompt: f"five blue stacks{prompt[:0]}")
    call_command("changepassword", "Kim")
    assert script.get("/api/v1/jobs").status_code == 401
    kim.refresh_from_db()
    assert not tokens.of(kim)
    program(kim)
    assert Token.objects.count() == 1, "the dead one has gone"


@pytest.mark.parametrize(("said", "status"), [({}, 200), ({"tokens": "on"}, 401)])
def test_logging_out_everywhere_else_asks_about_tokens(said: dict[str, str], status: int) -> None:
    browser = owner()
    script = program(user_of(browser))
    assert "End my token as well" in browser.get("/account/browsers/").text
    browser.post("/account/browsers/", said)
    assert script.get("/api/v1/jobs").status_code == status


def test_a_token_of_a_locked_account_is_unknown() -> None:
    kim = user_of(account("Kim"))
    script = program(kim)
    User.objects.filter(pk=kim.pk).update(is_active=False)
    assert script.get("/api/v1/jobs").status_code == 401


def test_a_childs_account_has_no_tokens() -> None:
    child = ClassWorld().browser("child")
    assert child is not None
    assert child.get(PAGE).status_code == child.post(PAGE, asked()).status_code == 403
    assert program(user_of(child)).get("/api/v1/jobs").status_code == 401


def test_a_token_does_not_moderate() -> None:
    moderator = user_of(account("Mo"))
    User.objects.filter(pk=moderator.pk).update(is_staff=True)
    moderator.user_permissions.add(Permission.objects.get(codename="add_chatmute"))
    match = store("Ada", "Bo")
    said = {"key": fresh(), "round": 1, "event": 3, "text": "x", "visibility": "everyone"}
    note = post(account("Kim"), f"/api/v1/matches/{match.pk}/notes", **said).json()["key"]
    hide = f"/api/v1/notes/{note}/hide"
    assert post(program(moderator), hide, hidden=True, reason="x").status_code == 403
    browser = Client()
    browser.force_login(User.objects.get(pk=moderator.pk))
    assert post(browser, hide, hidden=True, reason="x").status_code == 200


def test_what_is_too_often_names_the_limit() -> None:
    script = program(user_of(account("Kim")))
    with override_settings(POST_LIMITS={"": (1, 600)}, ADDRESS_TIMES={"": 9}):
        answers = [post(script, "/api/v1/notes/preview", text="x") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert answers[1].json()["limit"] == {"key": "|person", "most": 1, "seconds": 600}
    assert 0 < int(answers[1]["Retry-After"]) <= 600


def test_an_account_becomes_a_bot_once_and_for_good() -> None:
    browser = owner("Deep")
    assert "scope" not in browser.get(PAGE).context["form"].errors
    assert browser.post(f"{PAGE}bot", follow=True).status_code == 200
    assert Account.objects.get(user=user_of(browser)).bot
    assert browser.post(PAGE, asked(scopes=["play"])).status_code == 302
    assert Token.objects.get().scopes == "play"
    assert "this account is a bot" in browser.get("/account/").text


def test_an_account_that_has_played_or_looks_after_the_site_is_no_bot() -> None:
    played, sits, staff = owner("Ada"), owner("Bo"), owner("Mo")
    store("Ada", "Cy").seats.filter(number=0).update(user=user_of(played))
    sits.post("/play/new/", {"edition": "usaopoly-2009", "seats": 2})
    sits.post("/play/quick/")
    User.objects.filter(username="Mo").update(is_staff=True)
    for browser in (played, sits, staff):
        page = browser.post(f"{PAGE}bot", follow=True).text
        assert re.search("needs a new one|be a bot", page)
    looks_like_an_account("x")
    assert not Account.objects.filter(bot=True).exists()
