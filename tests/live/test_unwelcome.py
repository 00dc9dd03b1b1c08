"""What a server says to clients that begin wrong, and to those that vanish meanwhile."""

import asyncio
import json
import socket
import struct
from collections.abc import Iterator

import pytest
import websockets
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.live.asyncapi import hold
from tests.live.serving import PATIENCE_S, plan_of, served, token, ws
from tests.services import Site

pytestmark = pytest.mark.slow
HELLO = '{"type":"hello","v":1}'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a public table of two people and two bots."""
    plan = plan_of("m", 2, 2)
    with served(tmp_path_factory.mktemp("unwelcome"), plan) as site:
        yield site


def connect(site: Site, bearer: str | None = None) -> websockets.connect:
    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    return websockets.connect(
        ws(site, "/ws/bots/m/"), additional_headers=headers, open_timeout=PATIENCE_S
    )


async def last_words(it: ClientConnection) -> tuple[list[dict[str, object]], int | None, str]:
    """The frames that come until the close, its code and the reason that was told before it."""
    heard: list[dict[str, object]] = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                heard.append(hold(str(await it.recv()), "hear"))
    except ConnectionClosed as closed:
        reason = str(heard[-1]["reason"]) if heard and heard[-1]["type"] == "bye" else ""
        return heard, closed.rcvd.code if closed.rcvd else None, reason


async def test_a_faulty_first_frame_may_be_mended(site: Site) -> None:
    async with connect(site, token(0)) as it:
        for _ in range(4):
            await it.send("hello")
            assert hold(str(await it.recv()), "hear")["code"] == "bad-frame"
        await it.send(HELLO)
        assert hold(str(await it.recv()), "hear")["type"] == "welcome"


async def test_the_fifth_faulty_frame_closes_before_a_hello_too(site: Site) -> None:
    async with connect(site, token(0)) as it:
        for _ in range(5):
            await it.send("[]")
        heard, code, reason = await last_words(it)
    assert [frame["type"] for frame in heard] == ["error"] * 5 + ["bye"]
    assert (code, reason, heard[-1]["retry_ms"]) == (4400, "bad-frames", None)


async def test_a_player_who_leaves_gets_a_confirmation(site: Site) -> None:
    async with connect(site, token(1)) as it:
        await it.send(HELLO)
        await it.send('{"type":"leave"}')
        heard, code, reason = await last_words(it)
        assert (code, reason) == (1000, "left")
        assert heard[-1] == {"type": "bye", "code": 1000, "reason": "left", "retry_ms": None}
    async with connect(site, token(1)) as it:
        await it.send(HELLO)
        assert hold(str(await it.recv()), "hear")["seat"] == 1


@pytest.mark.parametrize(("data", "code"), [("x" * 9_000, 1009), (b"\xff", 1007)])
async def test_a_frame_that_no_server_takes_is_answered_by_a_close_frame(
    site: Site, data: str | bytes, code: int
) -> None:
    async with connect(site, token(0)) as it:
        await it.send(HELLO)
        await it.send(data, text=True)
        assert (await last_words(it))[1] == code


@pytest.mark.parametrize("last", [b"", b"\x88\x80\0\0\0\0"], ids=["reset", "close frame"])
def test_a_client_that_vanishes_in_a_faulty_first_frame_is_no_error(
    site: Site, last: bytes
) -> None:
    host, port = site.url.removeprefix("http://").split(":")
    before = len(site.log.read_text())
    for _ in range(20):
        with socket.create_connection((host, int(port))) as raw:
            raw.sendall(
                b"GET /ws/bots/m/ HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            assert b"101" in raw.recv(4096)
            raw.sendall(b"\x81\x82\0\0\0\0[]" * 5 + last)
            # A reset, not an orderly end.
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    asyncio.run(still_serves(site))
    assert "Traceback" not in site.log.read_text()[before:]


async def still_serves(site: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(site, token(0)) as it:
        await it.send(HELLO)
        assert json.loads(str(await it.recv()))["type"] == "welcome"
