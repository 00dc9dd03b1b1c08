"""Spectators who chat at real sockets, and sessions of guests for them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from websockets.asyncio.client import ClientConnection

from tests.live.asyncapi import hold
from tests.live.serving import PATIENCE_S, connect, ws
from tests.services import Site

GUEST = """
from importlib import import_module
from django.conf import settings
session = import_module(settings.SESSION_ENGINE).SessionStore()
session["guest"], session["guest_name"] = {key!r}, {name!r}
session.save()
print(session.session_key)
"""


class Spectator:
    """A browser that watches with the chat; it answers lines and keeps what else comes."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []

    @classmethod
    async def come(cls, site: Site, path: str, session: str = "", **more: Any) -> Spectator:
        socket = await connect(
            ws(site, path),
            origin=site.url,
            additional_headers={"Cookie": f"sessionid={session}"} if session else {},
        )
        spectator = cls(socket)
        await spectator.send(type="hello", v=1, **more)
        await spectator.until("welcome")
        return spectator

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def until(self, kind: str, what: Any = lambda _frame: True) -> dict[str, Any]:
        """The next frame of that kind of which `what` is true."""
        async with asyncio.timeout(PATIENCE_S):
            async for text in self.socket:
                frame = hold(str(text), "hear")
                self.frames.append(frame)
                if frame["type"] == "lines":
                    await self.send(type="got", seq=frame["seq"] + len(frame["lines"]))
                if frame["type"] == kind and what(frame):
                    return frame
        raise AssertionError((kind, self.frames))

    async def error(self, **frame: Any) -> str:
        await self.send(**frame)
        return str((await self.until("error"))["code"])

    def heard(self) -> list[str]:
        """The texts of all lines so far."""
        chats = [frame for frame in self.frames if frame["type"] == "chats"]
        return [line["text"] for frame in chats for line in frame["lines"]]


def guest(site: Site, key: str, name: str) -> str:
    """The key of a session of that guest."""
    return site.manage("shell", "-v", "0", "-c", GUEST.format(key=key, name=name)).strip()
