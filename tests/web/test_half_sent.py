"""Requests that do not come to their end, and bodies that are too large, cost Daphne little."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel, HTTPFactory, Request

from ratuki_site.daphne_server import (
    HEADERS_S,
    PAUSE_S,
    drop_half_sent_requests,
    refuse_large_bodies,
)
from tests.services import Site

MOST = 16 * 2**20
HEADERS = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"


class Transport(StringTransport):
    """One that can also be closed one way."""

    loseWriteConnection = StringTransport.loseConnection  # noqa: N815 - as the library calls it


class Connection:
    """A client's connection to Daphne's HTTP library, by a clock that a test moves."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.transport = Transport()
        self.taken: list[Any] = []
        taken = self.taken

        class Taken(Request):
            def process(self) -> None:
                taken.append(self)

        channel, factory = cast("Any", HTTPChannel), cast("Any", HTTPFactory)
        self.channel = channel()
        self.channel.requestFactory = Taken
        self.channel.factory = factory(timeout=60, reactor=self.clock)
        self.channel.timeOut = 60
        self.channel.callLater = self.clock.callLater
        self.channel.makeConnection(self.transport)

    def open_after(self, seconds: float, data: bytes = b"") -> bool:
        """Whether it is open when so much time has passed and this was sent."""
        self.clock.advance(seconds)
        if data and not self.transport.disconnecting:
            self.channel.dataReceived(data)
        return not self.transport.disconnecting


@pytest.fixture
def connection(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    changed = ("connectionMade", "lineReceived", "allHeadersReceived", "allContentReceived")
    for name in (*changed, "connectionLost"):
        monkeypatch.setattr(HTTPChannel, name, getattr(HTTPChannel, name))
    monkeypatch.setattr(Request, "handleContentChunk", Request.handleContentChunk)
    refuse_large_bodies(20)
    drop_half_sent_requests()
    made = Connection()
    yield made
    made.channel.connectionLost(Failure(ConnectionDone()))


def test_headers_that_come_a_byte_at_a_time_are_waited_for_so_long(connection: Connection) -> None:
    assert connection.open_after(0, b"GET / HTTP/1.1\r\nHost: ")
    for _ in range(HEADERS_S - 1):
        assert connection.open_after(1, b"x")
    assert not connection.open_after(1)


def test_a_connection_that_says_nothing_is_closed(connection: Connection) -> None:
    assert connection.open_after(HEADERS_S - 1)
    assert not connection.open_after(1)


def test_a_body_that_pauses_is_not_waited_for(connection: Connection) -> None:
    assert connection.open_after(0, HEADERS)
    assert connection.open_after(PAUSE_S - 1, b"12345")
    assert connection.open_after(PAUSE_S - 1)
    assert not connection.open_after(1)


def test_whoever_sends_a_whole_request_is_answered_in_any_time(connection: Connection) -> None:
    assert connection.open_after(0, HEADERS)
    assert connection.open_after(PAUSE_S - 1, b"1234567890")
    assert connection.open_after(1_000)
    (first,) = connection.taken
    first.finish()
    assert connection.open_after(30), "the next request may come later"
    assert connection.open_after(0, b"GET / HTTP/1.1\r\n")
    assert not connection.open_after(HEADERS_S), "but it has to come to its end, too"


def test_a_body_of_unknown_length_is_refused_once_it_is_too_large(connection: Connection) -> None:
    connection.open_after(0, HEADERS.replace(b"Content-Length: 10", b"Transfer-Encoding: chunked"))
    assert connection.open_after(0, b"a\r\n1234567890\r\n" * 2)
    connection.open_after(0, b"1\r\n1\r\n")
    connection.channel.rawDataReceived(b"1\r\n1\r\n" * 2)
    said = connection.transport.value()
    assert said.startswith(b"HTTP/1.1 413 ")
    assert said.count(b"HTTP/1.1") == 1
    assert not connection.taken


def test_a_body_that_is_announced_as_too_large_is_not_read(tmp_path: Path) -> None:
    """The answer comes although nothing of the body does: nobody waits for it."""
    with Site(tmp_path) as site:
        site.prepare()
        site.start()
        for accept, said in ((b"*/*", b"more than this site takes"), (b"text/html", b"<h1>")):
            with socket.create_connection(("127.0.0.1", site.port), timeout=60) as raw:
                head = b"POST /matches/upload/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: %s\r\n"
                raw.sendall(head % (site.port, accept) + b"Content-Length: 3000000000\r\n\r\n")
                raw.sendall(b"GET /smuggled HTTP/1.1\r\n\r\n")
                answer = b"".join(iter(lambda: raw.recv(65_536), b""))
            assert answer.startswith(b"HTTP/1.1 413 ")
            assert answer.count(b"HTTP/1.1") == 1
            assert said in answer
