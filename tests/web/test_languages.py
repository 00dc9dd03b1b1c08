"""Which language a reader gets: the browser's, or the chosen one; and no cache mixes them up."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.engine.message import Message, lasting, plural
from games.models import Account, SiteSettings
from games.pages.words import clock, words
from games.people import door, languages
from games.people.mail import settle

pytestmark = pytest.mark.django_db
GERMAN = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}
HOME, SWITCH, LOG_IN = "/", reverse("accounts:language"), reverse("accounts:log_in")
PASSWORD = "four blue stacks"


def language_of(client: Client, page: str = HOME, **headers: Any) -> str:
    response = client.get(page, **headers)
    (language,) = [code for code in ("en", "de") if f'<html lang="{code}"' in response.text]
    assert response["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= {*response["Vary"].split(", ")}
    return language


def test_a_browser_says_which_language_its_reader_has(client: Client) -> None:
    assert language_of(client) == "en"
    assert language_of(client, headers=GERMAN) == "de"
    assert language_of(client, headers={"accept-language": "xx, en;q=0.5"}) == "en"


def test_a_time_has_the_mark_of_the_language() -> None:
    assert [clock(ms) for ms in (31_049, 65_300)] == ["0:31.0", "1:05.3"]
    with override("de"):
        assert [clock(ms) for ms in (31_049, 65_300)] == ["0:31,0", "1:05,3"]


def test_the_switch_in_the_foot_is_remembered_by_the_browser(client: Client) -> None:
    back = client.post(SWITCH, {"language": "de"}, headers={"referer": "/rules/?x=1"})
    assert back["Location"] == "/rules/?x=1"
    assert language_of(client) == "de"
    client.post(SWITCH, {"language": "xx"})
    assert language_of(client) == "de"
    assert "English</button>" in client.get("/rules/").text
    assert client.get(SWITCH).status_code == 405


def test_an_account_has_its_language_in_every_browser_that_logs_in(client: Client) -> None:
    user = get_user_model().objects.create_user("Ada", password=PASSWORD)
    client.force_login(user)
    client.post(SWITCH, {"language": "de"})
    assert languages.of_account(user.pk) == "de"
    elsewhere = Client()
    assert language_of(elsewhere) == "en"
    elsewhere.post(LOG_IN, {"username": "ada", "password": PASSWORD})
    assert language_of(elsewhere) == "de"
    client.post(SWITCH, {"language": "xx"})
    assert Account.objects.get(user=user).language == "de"


def test_mail_is_in_the_chosen_language_else_in_the_sites(client: Client) -> None:
    """Never in that of another person's request."""
    users = get_user_model().objects
    none, english = (
        users.create_superuser("Mo", "mo@ratuki.example", PASSWORD),
        users.create_user("Ada"),
    )
    languages.choose(english.pk, "en")
    SiteSettings.objects.create(language="de")
    door.forget()
    assert [languages.of_account(user.pk) for user in (none, english)] == ["de", "en"]
    client.post(reverse("accounts:reset"), {"email": "mo@ratuki.example"})
    settle()
    assert "Passwort" in str(mail.outbox[-1].subject)


def test_the_wall_is_kept_for_each_language(client: Client) -> None:
    """What is kept for three seconds is the same for everyone who reads one language."""
    for headers, language in (({}, "en"), (GERMAN, "de"), ({}, "en")):
        assert client.get("/watch/wall/", headers=headers)["Content-Language"] == language


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ([], "en"),
        ([(b"accept-language", b"de")], "de"),
        ([(b"accept-language", b"de"), (b"cookie", b"a=b; language=en")], "en"),
        ([(b"cookie", b"language=\xff")], "en"),
    ],
)
def test_a_socket_says_its_language_as_a_page_does(
    headers: list[tuple[bytes, bytes]], language: str
) -> None:
    assert languages.of_scope({"headers": headers}) == language


def test_missing_texts_are_counted(
    settings: Any, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text(
        'msgid ""\nmsgstr ""\n"Language: de\\n"\n\nmsgid "Play"\nmsgstr "Spielen"\n\n'
        'msgid "Watch"\nmsgstr ""\n\nmsgid ""\n"a\\n"\n"b"\nmsgstr ""\n"c\\n"\n"d"\n\n'
        'msgid "card"\nmsgid_plural "cards"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    )
    settings.LOCALE_PATHS = [tmp_path]
    call_command("check", "--tag", "translation")
    assert "Deutsch lacks 2 texts" in capsys.readouterr().err


def test_no_line_ends_between_a_number_and_its_word_or_unit() -> None:
    said = Message("{ms} ms on stack {stack}, {time}", ms=3, stack=2, time=lasting(1_200))
    assert words(said) == "3\u00a0ms on stack\u00a02, 1.2\u00a0s"
    behind = plural(
        "{count} card on stack {stack}", "{count} cards on stack {stack}", count=2, stack=3
    )
    assert words(behind) == "2 cards on stack\u00a03"
