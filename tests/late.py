"""The site on a slow network: what is asked at once is handled and answered in any order.

`LATE_MS=400 make browser-test` serves this application instead of the site's own. A request waits
before it is handled and again before its answer begins; half of these waits are none, the others
last up to `LATE_MS`. One static file in `FILES_SHARE` waits too. A WebSocket is opened late, its
frames keep their order in each direction, and those of different sockets pass each other; half of
the connections last up to `CLOSING_S` longer than their goodbye. `LATE_SEED` repeats the waits: the
third request for a page, of whatever match, waits as long again. `LATE_CPU=4` makes the browser's
processor that many times slower. tests/slow.py has more ways to be slow.

A page that is left hides what was wrong on it: short waits (40) and long ones (1500) find different
races.
"""

import asyncio
import os
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final, cast

from games.live.fanout.transport import DIRECT, DirectSend

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

FILES_SHARE: Final = 6
END: Final[Message] = {}
KEYS: Final = re.compile(r"[\w-]{16,}|\d+")
"""What names one match or study among many."""
CLOSING_S: Final = 2
"""How long Chromium, too, waits after the close frames for the end of the connection."""
APART_S: Final = 1e-6
"""Between two messages that come due at once, so that their timers keep the order."""


class Waits:
    """How long each thing waits, in seconds."""

    def __init__(self, most_ms: float, seed: str) -> None:
        self._most = most_ms / 1000
        self._seed = seed
        self._met: Counter[str] = Counter()

    def of(self, what: str) -> Random:
        """The chances of the next thing of that name, apart from the keys in it."""
        what = KEYS.sub("*", what)
        self._met[what] += 1
        return Random(f"{self._seed} {what} {self._met[what]}")

    def next(self, chances: Random) -> float:
        """The next wait: none in half of the cases."""
        return _wait(chances, self._most)

    def closing(self, path: str) -> float:
        """How long the next connection of that path lasts after its close frames."""
        return _wait(self.of(f"close {path}"), CLOSING_S)


def _wait(chances: Random, most: float) -> float:
    return chances.uniform(0, most) if chances.random() < 0.5 else 0.0


class Line:
    """Messages that arrive late and in their order."""

    def __init__(self, wait: Callable[[], float]) -> None:
        self._wait = wait
        self._loop = asyncio.get_running_loop()
        self._due = 0.0
        self._arrived: asyncio.Queue[Message] = asyncio.Queue()
        self.get = self._arrived.get

    def put(self, message: Message) -> None:
        """Send `message` on its way."""
        self._due = max(self._due + APART_S, self._loop.time() + self._wait())
        self._loop.call_at(self._due, self._arrived.put_nowait, message)


class Late:
    """An application whose requests, answers and frames are late."""

    def __init__(self, app: Application, waits: Waits) -> None:
        self._app = app
        self._waits = waits

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request or socket."""
        late = {"http": self._request, "websocket": self._socket}.get(scope["type"], self._app)
        await late(scope, receive, send)

    async def _request(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        chances = self._waits.of(f"{scope['method']} {scope['path']}")
        if scope["path"].startswith("/static/") and chances.randrange(FILES_SHARE):
            await self._app(scope, receive, send)
            return
        before, after = self._waits.next(chances), self._waits.next(chances)

        async def send_late(message: Message) -> None:
            if message["type"] == "http.response.start":
                await asyncio.sleep(after)
            await send(message)

        await asyncio.sleep(before)
        await self._app(scope, receive, send_late)

    async def _socket(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        chances = self._waits.of(scope["path"])
        coming, going = (Line(partial(self._waits.next, chances)) for _ in range(2))

        async def put(message: Message) -> None:
            going.put(message)

        def direct(texts: Sequence[str]) -> bool:
            for text in texts:
                going.put({"type": "websocket.send", "text": text})
            return True

        quick = scope.get("extensions", {}).get(DIRECT, _no_shortcut)
        extensions = {**scope.get("extensions", {}), DIRECT: direct}
        taking = asyncio.create_task(_take(receive, coming))
        giving = asyncio.create_task(_give(going, send, quick))
        try:
            await self._app({**scope, "extensions": extensions}, coming.get, put)
        finally:
            taking.cancel()
            going.put(END)
            await giving


async def _take(receive: Receive, coming: Line) -> None:
    while True:
        coming.put(await receive())


async def _give(going: Line, send: Send, quick: DirectSend) -> None:
    while (message := await going.get()) is not END:
        # A long text fits through the shortcut only. Whoever has gone gets nothing any more.
        if not (message.get("text") and quick([message["text"]])):
            with suppress(Exception):
                await send(message)


def _no_shortcut(_texts: Sequence[str]) -> bool:
    return False


def end_late(protocol: type[Any], wait: Callable[[str], float], later: Callable[..., Any]) -> None:
    """Let connections of that class in Daphne's library last so long after their close frames.

    The browser's socket is closing all that time: it takes no more frames, and has not said so.
    """
    usual = protocol._closeConnection

    def close(connection: Any, abort: bool = False) -> None:
        if connection.wasClean:
            later(wait(connection.http_request_path), usual, connection, abort)
        else:
            usual(connection, abort)

    protocol._closeConnection = close


def served() -> Any:
    """The site, late as the environment says."""
    from daphne.ws_protocol import WebSocketProtocol
    from twisted.internet import reactor

    from ratuki_site.asgi import application

    waits = Waits(float(os.environ["LATE_MS"]), os.environ["LATE_SEED"])
    end_late(WebSocketProtocol, waits.closing, cast("Any", reactor).callLater)
    return Late(application, waits)


if "LATE_MS" in os.environ:
    application = served()
