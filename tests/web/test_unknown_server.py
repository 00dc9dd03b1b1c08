"""The releases whose private parts we know, and how the site serves with another one."""

from __future__ import annotations

from pathlib import Path

import pytest
import websockets

from ratuki_site.daphne_server import unknown
from tests.web.test_quick_frames import connected, serving

APPLICATION = """
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
    with serving(tmp_path, APPLICATION) as port:
        client = await connected(port)
        await client.send("go")
        with pytest.raises(websockets.ConnectionClosed):
            await client.recv()
        assert client.close_code == 4408
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(f"ws://127.0.0.1:{port}/refused")
        assert refused.value.response.status_code == 403
