"""What holds for every answer of the site, and what keeps it so in production."""

import asyncio
import gzip
import http.client
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import StreamingHttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from ratuki_site.bundling import minified_style
from ratuki_site.environment import database, release_name, secret_key
from ratuki_site.layers import BodyLimit, CompressMiddleware
from tests.live.serving import PATIENCE_S
from tests.services import ROOT, Postgres, Redis, Site, tried
from tests.web.records import store


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("var")) as site:
        site.prepare()
        yield site.start()


def get(site: Site, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=names)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def knock(site: Site, path: str, origin: str) -> int:
    """The HTTP status that answers a WebSocket's opening handshake."""
    handshake = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    key = {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    return get(site, path, Origin=origin, **handshake, **key)[0].status


def test_pages_carry_a_strict_policy(client: Client, db: None) -> None:
    headers = client.get("/").headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy + ";"
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]


@pytest.mark.parametrize("path", ["/account/log-in/", "/account/new/", "/admin/login/"])
def test_account_pages_are_kept_by_nobody(client: Client, db: None, path: str) -> None:
    assert client.get(path).headers["Cache-Control"] == "no-store"
    assert "no-store" not in client.get("/matches/").headers.get("Cache-Control", "")


def test_a_host_with_a_foreign_port_is_refused(client: Client, db: None) -> None:
    with override_settings(
        SITE_ORIGINS=["https://r.example", "http://r.example:8000"], ALLOWED_HOSTS=["r.example"]
    ):
        said = {
            ("http", host): client.get("/", headers={"host": host}).status_code
            for host in ("r.example:8000", "r.example:8001", "r.example", "evil.example")
        }
        assert list(said.values()) == [200, 400, 400, 400]
        secure = client.get("/", secure=True, headers={"host": "r.example"})
        assert secure.status_code == 200


def test_search_engines_are_kept_from_tables_and_accounts(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response["Content-Type"].startswith("text/plain")
    lines = response.text.splitlines()
    assert {"Disallow: /account/", "Disallow: /play/", "Disallow: /admin/"} <= set(lines)
    assert "Disallow: /" not in lines


def test_browsers_and_phones_find_an_icon(client: Client) -> None:
    ico = client.get("/favicon.ico").content
    size, start = struct.unpack("<II", ico[14:22])
    assert ico[:6] == b"\0\0\1\0\1\0"
    assert ico[start:].startswith(b"\x89PNG")
    assert len(ico) == start + size
    touch = client.get("/apple-touch-icon.png")
    assert struct.unpack(">II", touch.content[16:24]) == (180, 180)
    assert "public" in touch["Cache-Control"]


def test_looking_at_the_lobby_writes_no_session(client: Client, db: None) -> None:
    for path in ("/play/", "/", "/watch/", "/matches/", "/play/new/"):
        assert "sessionid" not in client.get(path).cookies
    assert not Session.objects.exists()


def test_what_the_site_writes_is_its_owners_only(site: Site) -> None:
    get(site, "/play/")
    files = [path for path in site.var.iterdir() if path.suffix != ".log"]
    assert any(path.name.startswith("ratuki.sqlite3") for path in files)
    for path in files:
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name


def test_a_missing_page_is_a_designed_404(client: Client, db: None) -> None:
    response = client.get("/nowhere")
    assert response.status_code == 404
    assert "Page not found" in response.text
    assert f'href="{reverse("accounts:log_in")}?next=/nowhere"' in response.text


def test_static_files_of_a_release_are_compressed_and_kept_for_ever(site: Site) -> None:
    path = "/static/test/games/style/hand.css"
    response, body = get(site, path, Accept_Encoding="gzip")
    assert response.status == 200
    assert "immutable" in response.headers["Cache-Control"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    sheet = (ROOT / "games/static/games/style/hand.css").read_text()
    assert gzip.decompress(body).decode() == minified_style(sheet)
    assert get(site, "/static/games/style/hand.css")[0].status == 404
    assert get(site, "/static/test/../../secret_key")[0].status == 404


def test_pages_are_compressed_and_pictures_are_not(client: Client, db: None) -> None:
    accepting = {"accept-encoding": "gzip"}
    plain, packed = (client.get("/matches/", headers=headers) for headers in ({}, accepting))
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]
    assert gzip.decompress(packed.content).startswith(b"<!doctype html>")
    assert 3 * len(packed.content) < len(plain.content)
    match = store()
    picture = client.get(f"/matches/{match.pk}/picture.png?round=1&event=9", headers=accepting)
    assert (picture.status_code, "Content-Encoding" in picture) == (200, False)


def test_a_stream_is_not_held_back_to_be_compressed(rf: RequestFactory) -> None:
    request = rf.get("/", headers={"accept-encoding": "gzip"})
    told = StreamingHttpResponse(iter(["{}\n"] * 500), content_type="application/x-ndjson")
    CompressMiddleware(lambda _: told).process_response(request, told)
    assert "Content-Encoding" not in told
    assert next(iter(told)) == b"{}\n"


def test_sockets_from_elsewhere_and_to_nowhere_are_refused_without_a_traceback(site: Site) -> None:
    here = f"127.0.0.1:{site.port}"
    for origin in ("http://evil.example", f"http://evil.example@{here}", f"ftp://{here}", "null"):
        assert knock(site, "/ws/", origin) == 403
    assert knock(site, "/nowhere/", site.url) == 403
    assert "Traceback" not in site.log.read_text()


@pytest.mark.parametrize(
    ("accept", "said"), [("*/*", "more than this site takes"), ("text/html", "That is too large")]
)
def test_a_body_over_the_limit_is_refused_unread(site: Site, accept: str, said: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    connection.putrequest("POST", "/")
    connection.putheader("Accept", accept)
    connection.putheader("Content-Length", str(settings.MAX_BODY_BYTES + 1))
    connection.endheaders()
    sent = 0
    try:
        while sent <= settings.MAX_BODY_BYTES:
            connection.send(bytes(2**20))
            sent += 2**20
    except (BrokenPipeError, ConnectionResetError):
        pass
    answer = connection.getresponse()
    assert answer.status == 413
    assert said in answer.read().decode()
    connection.close()
    assert (accept == "text/html") == ("content-security-policy" in answer.headers)


async def test_a_body_longer_than_declared_is_cut_off() -> None:
    heard = []

    async def app(scope, receive, send) -> None:
        heard.extend([await receive(), await receive()])

    async def receive() -> dict:
        return {"type": "http.request", "body": b"123456", "more_body": True}

    async def send(_message: Any) -> None:
        raise AssertionError("nothing is answered")

    await BodyLimit(app, 10)({"type": "http", "headers": []}, receive, send)
    assert [message["type"] for message in heard] == ["http.request", "http.disconnect"]


def test_production_settings_pass_djangos_own_check(tmp_path: Path) -> None:
    secret = "kept-elsewhere-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2
    production = {"SITE_ORIGINS": "https://ratuki.example", "SECRET_KEY": secret}
    with Site(tmp_path, production) as site:
        site.manage("check", "--deploy", "--fail-level", "WARNING")
    assert not (tmp_path / "secret_key").exists()


def test_production_without_a_secret_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    without = Site(
        tmp_path, {"SITE_ORIGINS": "https://r.example", "DATABASE_URL": "postgres://db/r"}
    )
    with without as site, pytest.raises(subprocess.CalledProcessError):
        site.manage("check")
    assert "SECRET_KEY" in capfd.readouterr().err


def test_processes_that_begin_at_once_have_one_secret_key(tmp_path: Path) -> None:
    for number in range(40):
        folder = tmp_path / str(number)
        folder.mkdir()
        with ThreadPoolExecutor(8) as pool:
            keys = {
                future.result()
                for future in [pool.submit(secret_key, folder, False) for _ in "." * 8]
            }
        assert keys == {(folder / "secret_key").read_text()}
        assert [path.name for path in folder.iterdir()] == ["secret_key"]


def test_the_demo_makes_a_secret_once_for_its_owner_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    first = secret_key(tmp_path, required=False)
    assert len(first) > 50
    assert secret_key(tmp_path, required=False) == first
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_release_changes_with_any_static_file(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    before = release_name("1.0", [tmp_path])
    assert release_name("1.0", [tmp_path]) == before
    assert release_name("1.0", [tmp_path, tmp_path / "a.js"]) != before
    (tmp_path / "a.js").write_text("2")
    assert release_name("1.0", [tmp_path]) != before


def test_the_database_comes_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    config = database(tmp_path)
    assert config["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:secret@db.example/ratuki")
    config = database(tmp_path)
    assert (config["HOST"], config["NAME"]) == ("db.example", "ratuki")
    assert config["OPTIONS"]["pool"]
    assert "idle_in_transaction_session_timeout" in config["OPTIONS"]["options"]
    assert config["CONN_HEALTH_CHECKS"] is True
    assert config["CONN_MAX_AGE"] == 0


MIGRATE = """
from django.core.management import call_command
from django.db import connection
def limit():
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        return cursor.fetchone()[0]
print(limit())
call_command("migrate", verbosity=0)
print(limit())
"""
"""Prints for how long a transaction may be idle: usually, and in a migration."""


@pytest.mark.postgres
@pytest.mark.redis
def test_the_site_runs_on_postgresql_and_redis(
    postgres: Postgres, redis: Redis, tmp_path: Path
) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url(), "REDIS_URL": redis.url}) as site:
        site.prepare()
        assert site.manage("shell", "-v0", "-c", MIGRATE).split() == ["5s", "0"]
        site.start()
        assert get(site, "/")[0].status == 200
        postgres.restart("immediate")
        assert get(site, "/admin/login/")[0].status == 200


@pytest.mark.redis
def test_the_doorbell_rings_through_redis(redis: Redis) -> None:
    from channels_redis.pubsub import RedisPubSubChannelLayer

    async def ring() -> dict:
        here, there = (RedisPubSubChannelLayer(hosts=[redis.url]) for _ in range(2))
        channel = await here.new_channel()
        await here.group_add("match", channel)
        await there.group_send("match", {"type": "bell", "seq": 7})
        heard = await asyncio.wait_for(here.receive(channel), PATIENCE_S)
        await here.flush()
        await there.flush()
        return heard

    assert asyncio.run(ring())["seq"] == 7


@pytest.mark.parametrize("where", ["file/var", "/sys/kernel"])
def test_a_folder_that_cannot_be_written_to_is_told_without_a_traceback(
    tmp_path: Path, where: str
) -> None:
    (tmp_path / "file").touch()
    with Site(tmp_path, {"RATUKI_VAR": str(tmp_path / where)}) as site:
        done = tried((sys.executable, "manage.py", "check"), **site.environment)
    assert done.returncode == 1
    assert "set RATUKI_VAR to another folder" in done.stderr
    assert "Traceback" not in done.stderr
