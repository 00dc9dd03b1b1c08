"""Refuse request bodies over a limit: the server itself would accept any size."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from games.pages.problems import for_program, problem
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
        """Answer 413: with the site's page for a browser, without one otherwise."""
        headers = dict(scope["headers"])
        if not wants_page(headers.get(b"accept", b"").decode("latin-1")):
            await send_refusal(scope, send)
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


async def send_refusal(scope: Scope, send: Send) -> None:
    """Answer 413 as a problem if it is for the API, otherwise in plain text."""
    words, status = "That is more than this site takes in one go.", HTTPStatus(413)
    kind, body = "text/plain; charset=utf-8", f"{words}\n".encode()
    if for_program(scope["path"]):
        said = problem(status, words)
        kind, body = said["Content-Type"], said.content
    headers = [(b"content-type", kind.encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
