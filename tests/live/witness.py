"""Players and spectators at real sockets, every frame of theirs held against the document."""

from __future__ import annotations

import asyncio
import json
from io import BytesIO
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from games.records.check import CheckedRecord, check
from tests.live.asyncapi import hold
from tests.live.example_client import Client
from tests.live.serving import PATIENCE_S, token
from tests.services import Site

SHORT = {"deck": [4, 3, 3, 2, 2, 1], "speedy": True, "stall_ms": 5_000}


class Witness(Client):
    """The example client, with every frame held against docs/asyncapi.yaml."""

    def __init__(self, url: str, seat: int) -> None:
        super().__init__(url, token(seat))
        self.kinds: set[str] = set()
        self.heard = asyncio.Event()
        self.acked: dict[str, int] = {}

    async def send(self, frame: dict[str, Any]) -> None:
        hold(json.dumps(frame), "say")
        await super().send(frame)

    async def hear(self, frame: dict[str, Any]) -> None:
        hold(json.dumps(frame), "hear")
        self.kinds.add(frame["type"])
        if frame["type"] == "ack":
            assert self.acked.setdefault(frame["id"], frame["seq"]) == frame["seq"]
        await super().hear(frame)
        self.heard.set()


def record_of(site: Site, match: str) -> CheckedRecord:
    """The stored record, checked as a stranger would."""
    return check(BytesIO(site.manage("export_record", "--", match).encode()))


def stored_lines(site: Site, match: str) -> list[dict[str, Any]]:
    """The stored record, line by line."""
    return [json.loads(line) for line in site.manage("export_record", "--", match).splitlines()]


async def hello(url: str, origin: str, **more: Any) -> tuple[ClientConnection, dict[str, Any]]:
    """A spectator's connection and its welcome."""
    socket = await websockets.connect(url, origin=origin, open_timeout=PATIENCE_S)  # type: ignore[arg-type]
    await socket.send(json.dumps({"type": "hello", "v": 1, **more}))
    return socket, hold(str(await socket.recv()), "hear")


async def lines_until(socket: ClientConnection, seq: int) -> list[dict[str, Any]]:
    """The lines that come until the one before `seq`, acknowledged."""
    lines: list[dict[str, Any]] = []
    async for text in socket:
        frame = hold(str(text), "hear")
        if frame["type"] == "lines":
            lines += frame["lines"]
            end = frame["seq"] + len(frame["lines"])
            await socket.send(json.dumps({"type": "got", "seq": end}))
            if end >= seq:
                break
    return lines


async def grown(players: list[Witness], count: int) -> None:
    """Wait until every player has been shown so many lines."""
    for player in players:
        while len(player.lines) < count:
            await player.heard.wait()
            player.heard.clear()
