"""Refuse request bodies over a limit: the server itself would take any size."""

from __future__ import annotations

from typing import Any

from ratuki_site.origins import App, Receive, Scope, Send


class BodyLimit:
    """An ASGI application that answers 413 where a body is over `limit` bytes."""

    def __init__(self, app: App, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif declared_length(scope) > self.limit:
            await refuse(send)
        else:
            await self.app(scope, self.counted(receive), send)

    def counted(self, receive: Receive) -> Receive:
        """`receive` that hangs up on a body longer than it was declared to be."""
        room = self.limit

        async def receive_some() -> dict[str, Any]:
            nonlocal room
            message = await receive()
            if message["type"] == "http.request":
                room -= len(message.get("body", b""))
            return message if room >= 0 else {"type": "http.disconnect"}

        return receive_some


def declared_length(scope: Scope) -> int:
    """What Content-Length says; 0 where it is absent or no number."""
    value = dict(scope["headers"]).get(b"content-length", b"")
    return int(value) if value.isdigit() and len(value) < 20 else 0


async def refuse(send: Send) -> None:
    """Answer 413 in plain text."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    body = b"That is more than this site takes in one go.\n"
    await send({"type": "http.response.body", "body": body})
