"""Clients that read nothing or say too much cost bounded memory, and nobody else's time."""

import asyncio
import contextlib
import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest
import websockets

from tests.live.serving import connect, plan_of, served, token, ws
from tests.processes.clients import met
from tests.processes.conftest import figure, off_loop
from tests.services import Site

pytestmark = pytest.mark.slow
HELLO = json.dumps({"type": "hello", "v": 1})
DEAF = 40


def deaf(site: Site, path: str) -> socket.socket:
    """A spectator with a tiny buffer that has said hello and a thousand pings, and never reads."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.connect(("127.0.0.1", site.port))
    head = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.url}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    line.sendall(head.encode())
    assert line.recv(64).startswith(b"HTTP/1.1 101")
    line.sendall(masked(HELLO))
    return line


def masked(text: str) -> bytes:
    """A client's text frame with a mask of zeros."""
    data = text.encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + data


async def test_readers_that_read_nothing_cost_bounded_memory(tmp_path: Path) -> None:
    plan = plan_of("bots", 0, 4, stall_ms=120_000)
    with served(tmp_path, plan) as site:
        path = "/ws/watch/bots/"
        async with connect(ws(site, path), origin=site.url) as listener:
            await listener.send(HELLO)
            asyncio.get_running_loop().create_task(read(listener))
            await met(lambda: figure(site, "ratuki_lines_total") > 20)
            before = figure(site, "process_resident_memory_bytes")
            lines = [await off_loop(deaf, site, path) for _ in range(DEAF)]
            await met(lambda: figure(site, "ratuki_sockets") == DEAF + 1)
            ping = json.dumps({"type": "ping", "n": 1})
            for line in lines:
                line.sendall(masked(ping) * 500)
            await met(lambda: figure(site, "ratuki_closed_total") >= DEAF)
            assert figure(site, "process_resident_memory_bytes") - before < DEAF * 200_000
            async with connect(ws(site, path), origin=site.url) as another:
                await another.send(HELLO)
                assert json.loads(await another.recv())["type"] == "welcome"
            await met(lambda: figure(site, "ratuki_sockets") == 1)
            for line in lines:
                line.close()


async def read(listener: websockets.ClientConnection) -> None:
    """Acknowledge what comes."""
    async for text in listener:
        frame = json.loads(text)
        if frame["type"] == "lines":
            seq = frame["seq"] + len(frame["lines"])
            await listener.send(json.dumps({"type": "got", "seq": seq}))


async def test_a_flood_is_closed_with_4429(tmp_path: Path) -> None:
    with served(tmp_path, plan_of("two", 2)) as site:
        headers = {"Authorization": f"Bearer {token(0)}"}
        url = ws(site, "/ws/bots/two/")
        async with connect(url, additional_headers=headers) as flood:
            await flood.send(HELLO)
            for _ in range(400):
                await flood.send(json.dumps({"type": "ping", "n": 1}))
            last: dict[str, Any] = {}
            with contextlib.suppress(websockets.ConnectionClosed):
                while True:
                    last = json.loads(await flood.recv())
            assert (last["type"], last["code"]) == ("bye", 4429)
            assert flood.close_code == 4429


async def test_half_open_lines_are_let_go(tmp_path: Path) -> None:
    """Who says no hello within ten seconds is turned away."""
    with served(tmp_path, plan_of("two", 2)) as site:
        since = time.monotonic()
        async with connect(ws(site, "/ws/watch/two/"), origin=site.url) as line:
            bye = json.loads(await line.recv())
            await line.wait_closed()
    assert (bye["code"], line.close_code) == (4401, 4401)
    assert time.monotonic() - since > 9
