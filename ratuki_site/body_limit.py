"""Refuse request bodies over a limit: the server itself would accept any size."""

from __future__ import annotations

from typing import Any, Final

from ratuki_site.origins import App, Receive, Scope, Send
from ratuki_site.status_pages import wants_page

PAGE: Final = "/too-large/"


class BodyLimit:
    """An ASGI application that answers 413 if a body is over `limit` bytes."""

    def __init__(self, app: App, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif declared_length(scope) > self.limit:
            await self.refuse(scope, send)
        else:
            await self.app(scope, self.counted(receive), send)

    async def refuse(self, scope: Scope, send: Send) -> None:
        """Answer 413: with the site's page for a browser, otherwise in plain text."""
        headers = dict(scope["headers"])
        if not wants_page(headers.get(b"accept", b"").decode("latin-1")):
            await send_text(send)
            return
        kept = [pair for pair in scope["headers"] if not pair[0].startswith(b"content-")]
        page = {"method": "GET", "path": PAGE, "raw_path": PAGE.encode(), "query_string": b""}
        await self.app({**scope, **page, "headers": kept}, no_body, send)

    def counted(self, receive: Receive) -> Receive:
        """A `receive` that disconnects once a body is longer than declared."""
        room = self.limit

        async def receive_some() -> dict[str, Any]:
            nonlocal room
            message = await receive()
            if message["type"] == "http.request":
                room -= len(message.get("body", b""))
            return message if room >= 0 else {"type": "http.disconnect"}

        return receive_some


def declared_length(scope: Scope) -> int:
    """The value of Content-Length; 0 if absent or not a number."""
    value = dict(scope["headers"]).get(b"content-length", b"")
    return int(value) if value.isdigit() and len(value) < 20 else 0


async def no_body() -> dict[str, Any]:
    """Receive nothing: the body is left unread."""
    return {"type": "http.request", "body": b"", "more_body": False}


async def send_text(send: Send) -> None:
    """Answer 413 in plain text."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    body = b"That is more than this site takes in one go.\n"
    await send({"type": "http.response.body", "body": body})
