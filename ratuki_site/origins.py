"""Which WebSockets are accepted."""

from collections.abc import Awaitable, Callable, Collection
from typing import Any

# ASGI in the loose types of Django and Channels.
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class SameOrigin:
    """An ASGI application that admits only pages whose Origin is exactly one of ours.

    Channels' own validator compares host names, and takes ``http://evil@our.host`` for ours.
    `sandboxed`: pages in a sandbox, which have no origin, are admitted as strangers.
    """

    def __init__(self, app: App, origins: Collection[str], *, sandboxed: bool = False) -> None:
        self.app = app
        self.origins = frozenset(origin.encode() for origin in origins)
        self.sandboxed = sandboxed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sent = [value for name, value in scope["headers"] if name == b"origin"]
        if len(sent) == 1 and sent[0] in self.origins:
            await self.app(scope, receive, send)
        elif self.sandboxed and sent == [b"null"]:
            headers = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
            await self.app({**scope, "headers": headers}, receive, send)
        else:
            await refuse(scope, receive, send)


async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Reject a WebSocket before it is accepted. The browser sees HTTP status 403."""
    await receive()
    await send({"type": "websocket.close", "code": 4403})
