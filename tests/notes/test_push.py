"""Web Push: what a browser gets, when, and until when; and where no message goes."""

from __future__ import annotations

import socket
from ast import literal_eval
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from datetime import time as day_time
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.models import Account
from replays import web_push
from replays.models import NewsSettings, PushSubscription, Study
from replays.pages import news_push
from replays.pages.push import MOST_BROWSERS
from replays.web_push import NO_ANSWER, Subscription
from tests.classes.making import user_of
from tests.notes.browsers import account, put
from tests.notes.push_service import BrowserKeys, PushService, push_service
from tests.notes.test_news_mail import share
from tests.services import Postgres, Site

pytestmark = pytest.mark.django_db
NOON = timezone.make_aware(datetime.combine(timezone.now() + timedelta(days=1), day_time(12)))
KEYS = BrowserKeys()


@pytest.fixture
def service(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PushService]:
    settings.PUSH_KEY = web_push.new_key()
    settings.PUSH_PRIVATELY = True
    settings.DEFAULT_FROM_EMAIL = "Ratuki <site@example.org>"
    with push_service(tmp_path) as (there, certificate):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        yield there


def subscribed(browser: Client, service: PushService, path: str = "/for/kim") -> Client:
    told = put(browser, "/api/v1/push", **KEYS.subscription(f"{service.url}{path}"))
    assert told.status_code == 200, told.content
    return browser


def came(service: PushService, now: datetime = NOON) -> list[str]:
    """What the browsers read after a look."""
    service.came.clear()
    news_push.push_due(now)
    return [KEYS.read(body) for _, _, body in service.came]


def test_a_browser_is_told_how_much_is_unread_once(service: PushService) -> None:
    kim = subscribed(account("Kim"), service)
    assert came(service) == []
    share(kim)
    share(kim, by="Bo")
    assert came(service) == ["2 pieces of unread news"]
    ((path, headers, body),) = service.came
    assert (path, headers["content-encoding"], headers["topic"]) == (
        "/for/kim",
        "aes128gcm",
        "news",
    )
    assert b"unread" not in body
    assert came(service) == []
    share(kim, by="Eve", day=2)
    kim.get("/news/")
    assert came(service) == [], "it has been read"


def test_the_site_signs_who_it_is(service: PushService) -> None:
    kim = subscribed(account("Kim"), service)
    share(kim)
    came(service)
    _, headers, _ = service.came[0]
    token, key = (part.partition("=")[2] for part in headers["authorization"][6:].split(", "))
    assert key == web_push.public_key()
    point = web_push._bytes(key)
    signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    said = jwt.decode(token, signer, ["ES256"], audience="https://localhost")
    assert said["sub"] == "mailto:site@example.org"


def test_nothing_is_pushed_in_quiet_hours_or_of_what_one_may_not_see(service: PushService) -> None:
    kim = subscribed(account("Kim"), service)
    shared = share(kim)
    assert came(service, NOON + timedelta(hours=10)) == []
    NewsSettings.objects.update(zone="Asia/Tokyo")
    assert came(service) == [], "it is nine in the evening there"
    Study.objects.filter(pk=shared.pk).update(visibility="self")
    assert came(service, NOON + timedelta(hours=12)) == []
    PushSubscription.objects.update(told=timezone.now() - timedelta(days=1))
    Study.objects.filter(pk=shared.pk).update(visibility="everyone")
    assert len(came(service, NOON + timedelta(hours=12))) == 1


@pytest.mark.parametrize("end", ["log out", "elsewhere", "expired", "stop", "gone", "unknown"])
def test_it_ends(service: PushService, end: str) -> None:
    kim = subscribed(account("Kim"), service)
    share(kim)
    if end == "log out":
        kim.post("/account/log-out/")
    elif end == "elsewhere":
        other = Client()
        other.force_login(user_of(kim))
        other.post("/account/browsers/")
    elif end == "expired":
        Session.objects.update(expire_date=timezone.now())
    elif end == "stop":
        assert kim.delete("/api/v1/push").json() == {"pushed": False}
    else:
        service.status = 410 if end == "gone" else 404
        assert len(came(service)) == 1
    assert PushSubscription.objects.exists() == (end == "expired")
    assert came(service) == []


def test_a_service_that_fails_loses_a_message_and_keeps_the_browser(service: PushService) -> None:
    kim = subscribed(account("Kim"), service)
    for day, status in enumerate((302, 500), 1):
        service.status = status
        share(kim, by=f"By {status}", day=day)
        came(service, NOON + timedelta(days=day - 1))
        assert [path for path, _, _ in service.came] == ["/for/kim"], "nothing is followed"
    assert PushSubscription.objects.exists()


def test_an_address_that_is_none_costs_nobody_else_a_message(service: PushService) -> None:
    kim, bo = subscribed(account("Kim"), service), account("Bo")
    put(bo, "/api/v1/push", **KEYS.subscription("https://1.2.3.4.5/"))
    share(kim, bo)
    assert len(came(service)) == 1


def test_a_browser_tells_one_account_and_an_account_few_browsers(service: PushService) -> None:
    kim = account("Kim")
    subscribed(subscribed(kim, service), service, "/for/kim/anew")
    subscribed(account("Bo"), service, "/for/kim/anew")
    assert PushSubscription.objects.get().log_in.user.get_username() == "Bo"
    for number in range(MOST_BROWSERS + 2):
        other = Client()
        other.force_login(user_of(kim))
        subscribed(other, service, f"/{number}")
    left = PushSubscription.objects.filter(log_in__user=user_of(kim))
    assert left.count() == MOST_BROWSERS
    assert left.filter(endpoint__endswith=f"/{MOST_BROWSERS + 1}").exists()


def test_who_may_ask(service: PushService, settings: Any) -> None:
    kim = account("Kim")
    said = KEYS.subscription(f"{service.url}/x")
    assert put(Client(), "/api/v1/push", **said).status_code == 403
    assert web_push.public_key() in kim.get("/news/").text
    Account.objects.update_or_create(user=user_of(kim), defaults={"supervised": True})
    assert put(kim, "/api/v1/push", **said).status_code == 403
    Account.objects.update(supervised=False)
    settings.PUSH_KEY = ""
    assert put(kim, "/api/v1/push", **said).status_code == 403
    assert 'id="push"' not in kim.get("/news/").text
    news_push.look_round()


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example/x"},
        {"endpoint": "https://push.example:8443/x"},
        {"endpoint": "https://push.example/x y"},
        {"endpoint": "https://push.example/\r\nX-More: 1"},
        {"endpoint": "https://kim@push.example/x"},
        {"endpoint": "https://[::1]/x"},
        {"endpoint": "https://push.example:99999/x"},
        {"endpoint": f"https://push.example/{'x' * 500}"},
        {"endpoint": ""},
        {"auth": "c2hvcnQ"},
        {"auth": "é"},
        {"auth": f"{KEYS.subscription('')['auth']}{'!' * 40}"},
        {"p256dh": "AAAA"},
        {"p256dh": f"{KEYS.subscription('')['p256dh']}\0\0\0\0"},
        {"zone": "Mars/Olympus"},
    ],
)
def test_what_is_no_subscription_is_refused(settings: Any, wrong: dict[str, str]) -> None:
    settings.PUSH_KEY = web_push.new_key()
    said = {**KEYS.subscription("https://push.example/x"), **wrong}
    assert put(account("Kim"), "/api/v1/push", **said).status_code == 422
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.8", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"),
        *("2002:7f00:1::1", "2001:0:7f00:1::1"),
    ],
)
def test_no_message_goes_inside(
    service: PushService, settings: Any, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    settings.PUSH_PRIVATELY = False
    port = int(service.url.rpartition(":")[2])
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (at, port)) for at in ("8.8.8.8", address)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)
    asked: list[object] = []

    def connect(where: object, *_: object) -> None:
        asked.append(where)
        raise OSError

    monkeypatch.setattr(socket, "create_connection", connect)
    assert web_push.push(a_subscription(f"{service.url}/x"), "1") == NO_ANSWER
    assert asked == []


def a_subscription(endpoint: str) -> Subscription:
    said = KEYS.subscription(endpoint)
    return Subscription(said["endpoint"], said["p256dh"], said["auth"])


def test_a_service_that_never_ends_is_left(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_push, "LONGEST_S", 0.3)
    service.dripping = True
    assert web_push.push(a_subscription(f"{service.url}/x"), "1") == NO_ANSWER
    assert len(service.came) == 1


def test_a_service_that_says_nothing_is_left(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUSH_KEY, settings.PUSH_PRIVATELY = web_push.new_key(), True
    monkeypatch.setattr(web_push, "TIMEOUT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        to = a_subscription(f"https://localhost:{silent.getsockname()[1]}/x")
        assert web_push.push(to, "1") == NO_ANSWER


def test_the_worker_and_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    there = Client().get("/news/push.js")
    assert (there.status_code, there["Content-Type"]) == (200, "text/javascript")
    assert "showNotification" in there.content.decode()
    call_command("push_key")
    key = capsys.readouterr().out.strip().removeprefix("PUSH_KEY=")
    assert len(web_push._bytes(key)) == 32


def at_once(rounds: int) -> tuple[list[int], int]:
    """What two accounts are told that ask for one browser while the first of them logs out; and
    how often that one would be told there after all."""
    endpoint = "https://push.example/x"
    said = KEYS.subscription(endpoint)
    codes, left = set[int](), 0
    for number in range(rounds):
        kim, bo = account(f"Kim {number}"), account(f"Bo {number}")
        together, leaving = Barrier(3), user_of(kim)

        def act(do: Callable[[], Any], together: Barrier = together) -> int:
            try:
                together.wait(timeout=60)
                return int(do().status_code)
            finally:
                connection.close()

        with ThreadPoolExecutor(3) as pool:
            out = pool.submit(act, partial(kim.post, "/account/log-out/"))
            asked = [
                pool.submit(act, partial(put, browser, "/api/v1/push", **said))
                for browser in (kim, bo)
            ]
            assert out.result() == 302
            codes |= {future.result() for future in asked}
        left += PushSubscription.objects.filter(log_in__user=leaving).count()
        assert put(bo, "/api/v1/push", **said).status_code == 200
        assert PushSubscription.objects.get().log_in.user == user_of(bo)
    return sorted(codes), left


def run(tmp_path: Path, call: str, database: str = "") -> Any:
    """What one of these functions returns on a site of its own."""
    settings = {"PUSH_KEY": web_push.new_key(), "SITE_ORIGINS": "http://testserver"}
    settings |= {"DATABASE_URL": database} if database else {}
    with Site(tmp_path, settings) as site:
        site.migrate()
        asked = f"from tests.notes import test_push; print(test_push.{call})"
        return literal_eval(site.manage("shell", "-v0", "-c", asked))


@pytest.mark.postgres
def test_who_logs_out_at_that_moment_is_told_no_more(postgres: Postgres, tmp_path: Path) -> None:
    codes, left = run(tmp_path, "at_once(20)", postgres.url())
    assert set(codes) <= {200, 403}
    assert left == 0


def many_at_once(rounds: int) -> list[tuple[int, int]]:
    """What five log-ins of two accounts are told that ask for one browser; how often it is told."""
    said = KEYS.subscription("https://push.example/x")
    outcomes = set[tuple[int, int]]()
    for number in range(rounds):
        kim, bo = account(f"Kim {number}"), account(f"Bo {number}")
        browsers = [kim, bo, *(Client() for _ in range(3))]
        for other in browsers[2:]:
            other.force_login(user_of(kim))
        together = Barrier(len(browsers))

        def ask(browser: Client, together: Barrier = together) -> int:
            try:
                together.wait(timeout=60)
                return put(browser, "/api/v1/push", **said).status_code
            finally:
                connection.close()

        with ThreadPoolExecutor(len(browsers)) as pool:
            codes = list(pool.map(ask, browsers))
        outcomes |= {(code, PushSubscription.objects.count()) for code in codes}
        owner = PushSubscription.objects.get().log_in.user
        assert owner in (user_of(kim), user_of(bo))
    return sorted(outcomes)


@pytest.mark.slow
def test_one_browser_of_many_log_ins_is_told_once(tmp_path: Path) -> None:
    assert run(tmp_path, "many_at_once(5)") == [(200, 1)]


@pytest.mark.postgres
def test_the_same_on_a_database_server(postgres: Postgres, tmp_path: Path) -> None:
    assert run(tmp_path, "many_at_once(20)", postgres.url()) == [(200, 1)]
