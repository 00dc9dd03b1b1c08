"""What people, programs and operators are told: in an outage, of the site's health, of scripts."""

import asyncio
import http.client
import logging
import re
import sqlite3
import sys
from collections.abc import Iterator
from threading import Event
from typing import Any

import psycopg
import pytest
from django.core.exceptions import PermissionDenied, RequestAborted
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from prometheus_client.parser import text_string_to_metric_families

from games.live.host.leases import Reach
from ratuki_site.health import DatabaseThread, from_here, has_token
from ratuki_site.layers import Outage
from ratuki_site.logs import ExpectedFilter
from ratuki_site.metrics import faults
from tests.live.serving import PATIENCE_S
from tests.services import Postgres, Site

PAGE = {"Accept": "text/html"}


def fault(code: int) -> OperationalError:
    """What Django raises for an error of SQLite."""
    cause = sqlite3.OperationalError("database or disk is full")
    cause.sqlite_errorcode = code
    error = OperationalError("database or disk is full")
    error.__cause__ = cause
    return error


def full(_request: HttpRequest) -> HttpResponse:
    raise fault(sqlite3.SQLITE_FULL)


def faulty(_request: HttpRequest) -> HttpResponse:
    raise fault(sqlite3.SQLITE_ERROR)  # such as an unknown column


urlpatterns = [path("full", full), path("faulty", faulty), path("", include("ratuki_site.urls"))]
handler500 = "ratuki_site.status_pages.failed"


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False, headers=PAGE)


@pytest.mark.urls(__name__)
@pytest.mark.django_db
def test_a_full_disk_is_503_with_a_page_that_comes_back(client: Client) -> None:
    got = client.get("/full")
    assert (got.status_code, got["Retry-After"], got["Cache-Control"]) == (503, "5", "no-store")
    assert '<meta http-equiv="refresh" content="5">' in got.content.decode()
    posted = client.post("/full")
    assert posted.status_code == 503
    assert "refresh" not in posted.content.decode()
    told = client.get("/full", headers={"Accept": "application/json"})
    assert (told.status_code, told["Retry-After"]) == (503, "5")
    assert told.json()["detail"].startswith("The database can’t be reached. Nothing was changed")


@pytest.mark.urls(__name__)
@pytest.mark.django_db
def test_a_fault_of_the_program_is_500(client: Client) -> None:
    assert client.get("/faulty").status_code == 500


@pytest.mark.parametrize(
    ("code", "traced"), [(sqlite3.SQLITE_FULL, False), (sqlite3.SQLITE_ERROR, True)]
)
def test_only_faults_of_the_program_are_logged_with_their_way(code: int, traced: bool) -> None:
    try:
        raise fault(code)
    except OperationalError:
        record = logging.LogRecord("x", 40, __file__, 1, "at %s", ("/",), sys.exc_info())
    assert ExpectedFilter().filter(record)
    assert (record.exc_info is not None) is traced
    assert record.getMessage().startswith("at /")
    assert traced or "database or disk is full" in record.getMessage()


def test_what_somebody_may_not_do_is_logged_as_a_line() -> None:
    error = PermissionDenied, PermissionDenied("not yours"), None
    record = logging.LogRecord("x", 30, __file__, 1, "Forbidden: %s", ("/",), error)
    assert ExpectedFilter().filter(record)
    assert record.exc_info is None


async def told(kind: str, reach: Reach) -> list[Any]:
    """What an application sends while the database is that far away."""
    sent: list[Any] = []

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        sent.append("served")

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": kind, "method": "GET", "path": "/", "headers": [(b"accept", b"text/html")]}
    await Outage(app, lambda: reach)(scope, receive, send)
    return sent


async def test_nobody_waits_for_a_database_that_is_known_to_be_away() -> None:
    for kind in ("http", "websocket"):
        assert await told(kind, Reach.WHOLE) == ["served"]
    assert await told("http", Reach.READING) == ["served"]
    start, body = await told("http", Reach.NONE)
    assert (start["type"], start["status"]) == ("http.response.start", 503)
    assert (b"retry-after", b"5") in start["headers"]
    assert b'http-equiv="refresh"' in body["body"]
    for reach in (Reach.READING, Reach.NONE):
        start, _ = await told("websocket", reach)
        assert (start["type"], start["status"]) == ("websocket.http.response.start", 503)


async def test_callers_who_ask_at_once_all_get_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a process wakes up: some have their answer and ask again before others look."""
    monkeypatch.setattr("ratuki_site.health.READY_S", PATIENCE_S)
    go = Event()
    thread = DatabaseThread(lambda: go.wait(60), late=False)
    first = asyncio.create_task(thread.result())
    await asyncio.sleep(0)
    asked = thread._asked
    assert asked is not None
    again: list[asyncio.Task[bool]] = []
    asked.add_done_callback(lambda _: again.append(asyncio.create_task(thread.result())))
    asked.add_done_callback(lambda _: go.clear())
    go.set()
    try:
        assert await first
    finally:
        go.set()
    assert await again[0]


TOKEN = "a-token-of-this-test"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("var"), {"METRICS_TOKEN": TOKEN}) as site:
        site.migrate()
        yield site.start()


def test_a_browser_that_leaves_is_no_fault_and_a_queue_that_is_away_is_one_line() -> None:
    expected = ExpectedFilter()

    def logged(error: Exception, name: str, at: float = 0) -> bool:
        exc_info = (type(error), error, None)
        record = logging.makeLogRecord({"name": name, "exc_info": exc_info, "created": at})
        return expected.filter(record)

    assert not logged(RequestAborted(), "django.request")
    away, times = psycopg.OperationalError("it is gone"), (1_000, 1_001, 1_059, 1_118, 1_179)
    found = [logged(away, "huey.consumer.Worker", at) for at in times]
    assert found == [True, False, False, False, True]
    assert logged(ValueError(), "huey.consumer.Worker", 1_180)


def get(site: Site, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=names)
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response.status, body


def test_a_running_process_is_live_and_ready(site: Site) -> None:
    assert get(site, "/health/live") == (200, "alive\n")
    assert get(site, "/health/ready") == (200, "ready\n")
    assert get(site, "/health/ready", "HEAD") == (200, "")
    assert get(site, "/health/ready", "POST")[0] == 405


@pytest.mark.postgres
def test_a_process_is_ready_once_its_database_is_up_to_date(postgres: Postgres, tmp_path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        site.start()
        assert get(site, "/health/ready") == (503, "the database is not up to date\n")
        site.manage("migrate", "games", "--verbosity=0")
        assert get(site, "/health/ready")[0] == 503
        site.manage("migrate", "--verbosity=0")
        assert get(site, "/health/ready") == (200, "ready\n")


def test_health_is_told_whatever_the_host_is_called(site: Site) -> None:
    assert get(site, "/health/ready", Host="10.0.0.7:8001")[0] == 200
    assert get(site, "/", Host="10.0.0.7:8001")[0] == 400


def test_health_is_not_redirected_to_https(tmp_path) -> None:
    secret = {"SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz" * 2}
    with Site(tmp_path, {"SITE_ORIGINS": "https://ratuki.example", **secret}) as site:
        site.migrate()
        site.start()
        assert get(site, "/health/live")[0] == 200
        assert get(site, "/health/ready")[0] == 200
        assert get(site, "/", Host="ratuki.example")[0] == 301


@pytest.mark.postgres
def test_without_its_database_a_process_is_live_and_not_ready(postgres: Postgres, tmp_path) -> None:
    with Site(tmp_path, {"DATABASE_URL": postgres.url()}) as site:
        site.migrate()
        site.start()
        assert get(site, "/health/ready")[0] == 200
        postgres.stop("immediate")
        try:
            assert get(site, "/health/ready") == (503, "no database\n")
            assert get(site, "/health/live")[0] == 200
        finally:
            postgres.start()


def test_metrics_are_told_here_and_by_token(site: Site) -> None:
    status, text = get(site, "/metrics")
    assert status == 200
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert {
        "ratuki_live_matches",
        "ratuki_sockets",
        "ratuki_lines",
        "ratuki_commit_seconds",
        "ratuki_players_seconds",
        "ratuki_spectators_seconds",
        "ratuki_resyncs",
        "ratuki_refused",
        "process_resident_memory_bytes",
    } <= families.keys()
    assert {name: families[name].samples[0].value for name in families if "_job_" in name} == {
        "ratuki_job_oldest_waiting_seconds": 0,
        "ratuki_job_still_seconds": 0,
        "ratuki_job_workers": 0,
    }
    assert get(site, "/metrics", X_Forwarded_For="192.0.2.7")[0] == 403
    behind = {"X_Forwarded_For": "127.0.0.1"}
    assert get(site, "/metrics", **behind)[0] == 403
    assert get(site, "/metrics", **behind, Authorization=f"Bearer {TOKEN}")[0] == 200
    assert get(site, "/metrics", **behind, Authorization=f"Bearer {TOKEN}x")[0] == 403


def test_no_name_of_a_person_or_match_is_a_metric(site: Site) -> None:
    labels = set(re.findall(r"(\w+)=\"", get(site, "/metrics")[1]))
    assert labels <= {"le", "kind", "phase", "rule", "code", "generation", "state"} | {
        "implementation", "major", "minor", "patchlevel", "version",
    }  # fmt: skip


def test_only_the_machine_itself_needs_no_token() -> None:
    assert from_here({"client": ("127.0.0.1", 5), "headers": []})
    assert from_here({"client": ("::1", 5), "headers": []})
    assert not from_here({"client": ("192.0.2.7", 5), "headers": []})
    assert not from_here({"client": None, "headers": []})
    assert not from_here({"client": ("127.0.0.1", 5), "headers": [(b"forwarded", b"for=_x")]})


def test_no_token_opens_nothing() -> None:
    sent = {"headers": [(b"authorization", b"Bearer ")]}
    assert not has_token(sent, "")


def reported(body: str) -> int:
    """The status of the answer to a fault that is told so."""
    client = Client(enforce_csrf_checks=True)
    return client.post("/faults", body, content_type="text/plain").status_code


def counted() -> float:
    (metric,) = faults.collect()
    return next(sample.value for sample in metric.samples if sample.name.endswith("_total"))


@pytest.mark.django_db
def test_a_fault_is_counted_and_logged_by_kind_and_place(caplog: pytest.LogCaptureFixture) -> None:
    before = counted()
    assert reported("TypeError replays/notes/unbuilt.js:120:3") == 204
    assert reported("Error somewhere") == 204
    assert counted() == before + 2
    assert [record.getMessage() for record in caplog.records] == [
        "in a browser: TypeError at replays/notes/unbuilt.js:120",
        "in a browser: Error at somewhere",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        *("", "TypeError", "Error my secret note", "Error a.js:1:2\nERROR games: forged"),
        *("Error a.js:1", f"Error {'a/' * 9}b.js:1:2", f"{'E' * 41} a.js:1:2", "x" * 9_000),
    ],
)
def test_anything_else_is_refused(body: str, caplog: pytest.LogCaptureFixture) -> None:
    before = counted()
    assert reported(body) == 400
    assert counted() == before
    assert not [record for record in caplog.records if "browser" in record.getMessage()]
