"""Daphne's private parts: frames, goodbyes, and how the site serves with another release."""

import os
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets
from autobahn.twisted.websocket import WebSocketServerProtocol
from daphne.ws_protocol import WebSocketFactory
from twisted.internet.task import Clock

from ratuki_site.daphne_server import GOODBYE_S, close_patiently, framed, unknown
from tests.live.serving import PATIENCE_S
from tests.services import ROOT
from tests.wires import GOODBYE, UPGRADE, Wire

SIZES = (1, 125, 126, 127, 8_193, 65_535, 65_536, 70_000, 2_000_000)
APPLICATION = f"""
from games.live.fanout.transport import DIRECT
from ratuki_site.daphne_server import offer_quick_frames

offer_quick_frames()

async def application(scope, receive, send):
    at_once = scope["extensions"][DIRECT]
    await receive()
    await send({{"type": "websocket.accept"}})
    await receive()
    for round in range(5):
        for size in {SIZES}:
            assert at_once(["ü" + str(round) * size])
        await send({{"type": "websocket.send", "bytes": bytes(200)}})
    await receive()
    await send({{"type": "websocket.close", "code": 4001}})
    assert not at_once(["too late"])
"""
DAPHNE = "import daphne.server\n"
LIMITS = ("--websocket-max-message-size", "8192", "--websocket-max-frame-size", "8192")


@contextmanager
def serving(folder: Path, application: str = APPLICATION) -> Iterator[int]:
    """A server with nothing but that application; its port."""
    (folder / "sender.py").write_text(DAPHNE + application)
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{ROOT}"}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        descriptor = listening.fileno()
        command = (
            sys.executable,
            "-m",
            "daphne",
            "--fd",
            str(descriptor),
            *LIMITS,
            "sender:application",
        )
        process = subprocess.Popen(command, env=environment, cwd=folder, pass_fds=(descriptor,))
        try:
            yield listening.getsockname()[1]
        finally:
            process.kill()
            process.wait()


async def connected(port: int) -> websockets.ClientConnection:
    """A connection, as soon as the server takes it."""
    return await websockets.connect(
        f"ws://127.0.0.1:{port}/", max_size=None, open_timeout=PATIENCE_S
    )


async def test_frames_of_all_sizes_arrive_whole_and_in_order(tmp_path: Path) -> None:
    expected: list[str | bytes] = []
    for number in range(5):
        expected += ["ü" + str(number) * size for size in SIZES]
        expected.append(bytes(200))
    with serving(tmp_path) as port:
        client = await connected(port)
        await client.send("go")
        heard = [await client.recv() for _ in expected]
        await client.send("that is all")
        with pytest.raises(websockets.ConnectionClosed):
            await client.recv()
    assert client.close_code == 4001
    assert heard == expected


def test_a_frame_is_made_as_the_standard_says() -> None:
    assert framed("ab") == b"\x81\x02ab"
    assert framed("a" * 126)[:4] == b"\x81\x7e\x00\x7e"
    assert framed("a" * 65_536)[:10] == b"\x81\x7f" + (65_536).to_bytes(8, "big")
    assert framed("ü") == b"\x81\x02" + "ü".encode()


@pytest.fixture
def closing(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Wire, Clock]:
    """A connection on which the server has said goodbye, its wire, and its clock."""
    monkeypatch.setattr(WebSocketFactory, "__init__", WebSocketFactory.__init__)
    close_patiently()
    clock, wire = Clock(), Wire()
    monkeypatch.setattr("txaio.config.loop", clock)
    factory: Any = WebSocketFactory(None)
    factory.protocol = WebSocketServerProtocol
    connection = factory.buildProtocol(None)
    connection.makeConnection(wire)
    connection.dataReceived(UPGRADE)
    connection.sendClose(4001)
    return connection, wire, clock


def test_a_slow_client_hears_the_end(closing: tuple[Any, Wire, Clock]) -> None:
    connection, wire, clock = closing
    clock.advance(GOODBYE_S - 1)
    assert not wire.disconnecting
    connection.dataReceived(GOODBYE)
    assert wire.disconnecting
    assert connection.wasClean


def test_who_never_answers_is_let_go(closing: tuple[Any, Wire, Clock]) -> None:
    _connection, wire, clock = closing
    clock.advance(GOODBYE_S + 1)
    assert wire.disconnecting


UNKNOWN = """
from ratuki_site import daphne_server

daphne_server.KNOWN["daphne"] = "0."

async def closes(scope, receive, send):
    await receive()
    if scope["path"] == "/refused":
        await send({"type": "websocket.http.response.start", "status": 503, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b""})
    else:
        await send({"type": "websocket.accept"})
        await receive()
        await send({"type": "websocket.close", "code": 1012})

application = daphne_server.tell_clients_why(closes)
"""


def test_what_is_installed_is_known() -> None:
    """If not: look at what `daphne_server` reaches into, then name it."""
    assert unknown() == ""


async def test_another_release_lets_clients_come_back(tmp_path: Path) -> None:
    with serving(tmp_path, UNKNOWN) as port:
        client = await connected(port)
        await client.send("go")
        with pytest.raises(websockets.ConnectionClosed):
            await client.recv()
        assert client.close_code == 4408
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(f"ws://127.0.0.1:{port}/refused")
        assert refused.value.response.status_code == 403


BODY = 20_000_000
UNREAD = """
from ratuki_site.unread import bound_unread

bound_unread({seconds}, {most}, lambda scope: scope["headers"][0][1].decode())

async def application(scope, receive, send):
    await send({{"type": "http.response.start", "status": 200, "headers": []}})
    await send({{"type": "http.response.body", "body": bytes({body})}})
"""
ASKED = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: %s\r\n\r\n"


@contextmanager
def asking(port: int, address: bytes = b"192.0.2.1") -> Iterator[socket.socket]:
    """A client that has asked, and whose response has begun to come. It reads nothing of it."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as client:
        client.sendall(ASKED % address)
        assert client.recv(1, socket.MSG_PEEK)
        yield client


def closes(client: socket.socket) -> bool:
    """Whether the server closes the connection, without anything being read."""
    poll = select.poll()
    poll.register(client, select.POLLERR)
    return bool(poll.poll(PATIENCE_S * 1_000))


def test_a_connection_that_takes_nothing_is_closed(tmp_path: Path) -> None:
    application = UNREAD.format(seconds=0.2, most=2**40, body=BODY)
    with serving(tmp_path, application) as port, asking(port) as client:
        assert closes(client)


def test_what_waits_for_an_address_is_bounded_and_the_oldest_goes_first(tmp_path: Path) -> None:
    application = UNREAD.format(seconds=3_600, most=2 * BODY, body=BODY)
    with serving(tmp_path, application) as port, ExitStack() as open_now:
        elsewhere = open_now.enter_context(asking(port, b"192.0.2.2"))
        first, *_, last = [open_now.enter_context(asking(port)) for _ in range(4)]
        assert closes(first)
        for reader in (last, elsewhere):
            with reader.makefile("rb") as response:
                assert response.readline() == b"HTTP/1.1 200 OK\r\n"
                assert len(response.read().partition(b"\r\n\r\n")[2]) >= BODY
