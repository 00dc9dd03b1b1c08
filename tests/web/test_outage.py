"""What people and programs are told while the database is away or full, and what is logged."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import sys
from threading import Event
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from games.live.host.leases import Reach
from ratuki_site.health import DatabaseThread
from ratuki_site.layers import Outage
from ratuki_site.logs import ExpectedFilter
from tests.live.serving import PATIENCE_S

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
    assert told.json()["detail"].startswith("The database is away. Nothing was changed")


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
