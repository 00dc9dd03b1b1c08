"""While the database is away: say so at once, instead of letting everybody wait for it.

A proxy that is told 503 asks another process, so sockets are refused before they are accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from games.live.fanout.close_codes import BUSY, RESTART, TOO_SLOW
from games.live.host.leases import Reach
from games.pages.problems import for_program, problem
from ratuki_site.origins import App, Receive, Scope, Send
from ratuki_site.status_pages import AWAY, RETRY_S, unavailable_page, wants_page

SERVICE_CODES: Final = (RESTART.code, BUSY.code)


class Outage:
    """An ASGI application that answers 503 in place of `app` while `reach` says so.

    Pages can still be read where the database cannot be written to; sockets need both.
    """

    def __init__(self, app: App, reach: Callable[[], Reach]) -> None:
        self.app = app
        self._reach = reach

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reach = self._reach()
        if reach is Reach.WHOLE or (scope["type"] == "http" and reach is Reach.READING):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await respond(scope, send, "http.response")
        else:
            await receive()
            await respond(scope, send, "websocket.http.response")


async def respond(scope: Scope, send: Send, kind: str) -> None:
    """Answer 503: with a page for a browser, otherwise in plain text."""
    accept = dict(scope["headers"]).get(b"accept", b"").decode("latin-1")
    page = scope["type"] == "http" and wants_page(accept)
    again = scope.get("method") in {"GET", "HEAD"}
    if for_program(scope["path"]):
        said = problem(HTTPStatus.SERVICE_UNAVAILABLE, AWAY)
        kind_of_body, body = said["Content-Type"], said.content
    elif page:
        kind_of_body, body = "text/html; charset=utf-8", unavailable_page(again=again).encode()
    else:
        kind_of_body, body = "text/plain; charset=utf-8", f"{AWAY}\n".encode()
    headers: list[tuple[bytes, bytes]] = [
        (b"content-type", kind_of_body.encode()),
        (b"retry-after", str(RETRY_S).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    start: dict[str, Any] = {"type": f"{kind}.start", "status": 503, "headers": headers}
    await send(start)
    await send({"type": f"{kind}.body", "body": b"" if scope.get("method") == "HEAD" else body})


def remap_close_codes(sockets: App) -> App:
    """The same sockets, closed for service with a code that lets clients come back as well.

    What is refused with another status is refused with 403.
    """

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        async def say(message: dict[str, Any]) -> None:
            kind = message["type"]
            if kind == "websocket.close" and message.get("code") in SERVICE_CODES:
                await send({**message, "code": TOO_SLOW.code})
            elif kind == "websocket.http.response.start":
                await send({"type": "websocket.close"})
            elif kind != "websocket.http.response.body":
                await send(message)

        await sockets(scope, receive, say)

    return application
