"""For the site's operator: `/health/live`, `/health/ready` and `/metrics`.

They are answered before anything else, so host names, redirects to https and sessions do not
matter. `/metrics` is only for requests from the machine itself, not through a proxy, and for
those that send METRICS_TOKEN as a bearer token.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from hmac import compare_digest
from typing import Final, Generic, TypeVar

from django.core.management import CommandError
from django.db import connection

from games.live.host.leases import StoreUnavailableError
from games.live.storage.availability import guarded
from games.live.storage.store import writes
from games.management.schema import is_current
from ratuki_site.origins import App, Receive, Scope, Send

READY_S: Final = 3.0
"""How long the database may take to answer."""
NO_DATABASE: Final = "no database"
T = TypeVar("T")

PLAIN: Final = "text/plain; charset=utf-8"
FORWARDED: Final = frozenset((b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"via"))
LOOPBACK: Final = frozenset(("127.0.0.1", "::1", "::ffff:127.0.0.1"))
Reply = tuple[int, str, str]  # status, content type, body
log: Final = logging.getLogger(__name__)


class Health:
    """An ASGI application that answers the operator's URLs, and passes the rest to `app`.

    `metrics` returns a content type and the text of the metrics. `serving` says whether this
    process accepts connections or is about to stop.
    """

    def __init__(
        self,
        app: App,
        *,
        metrics: Callable[[], Awaitable[tuple[str, str]]],
        serving: Callable[[], bool],
        token: str = "",
    ) -> None:
        self.app = app
        self.token = token
        self._exposition = metrics
        self._serving = serving
        self._database = DatabaseThread(fault, late=NO_DATABASE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if path == "/health/live":
            await answer(scope, send, (200, PLAIN, "alive\n"))
        elif path == "/health/ready":
            await answer(scope, send, await self._ready())
        elif path == "/metrics":
            await answer(scope, send, await self._metrics(scope))
        else:
            await self.app(scope, receive, send)

    async def _ready(self) -> Reply:
        if not self._serving():
            return 503, PLAIN, "stopping\n"
        found = await self._database.result()
        return (503, PLAIN, f"{found}\n") if found else (200, PLAIN, "ready\n")

    async def _metrics(self, scope: Scope) -> Reply:
        if not (from_here(scope) or has_token(scope, self.token)):
            return 403, PLAIN, "For this machine, or with the bearer token METRICS_TOKEN.\n"
        kind, text = await self._exposition()
        return 200, kind, text


def fault() -> str:
    """Why the database can't serve the site. Empty if it can."""
    try:
        if not _migrated():
            return "the database is not up to date"
        return "" if writes() else NO_DATABASE
    except StoreUnavailableError as error:
        log.warning("the database is away: %s", error)
        return NO_DATABASE
    finally:
        connection.close()


_current: Final[list[bool]] = []


def _migrated() -> bool:
    """Whether the database has this release's tables. Looked up until it has."""
    if not _current:
        try:
            _current.extend([True] * guarded(is_current))
        except CommandError as error:  # it is from between two releases
            log.warning("%s", error)
    return bool(_current)


def from_here(scope: Scope) -> bool:
    """Whether the request is from a program on this machine, not by way of a proxy."""
    client = scope.get("client") or ("",)
    proxied = any(name in FORWARDED for name, _ in scope["headers"])
    return client[0] in LOOPBACK and not proxied


def has_token(scope: Scope, token: str) -> bool:
    """Whether the request carries the token, if one is set."""
    values = [value for name, value in scope["headers"] if name == b"authorization"]
    scheme, _, sent = (values[0] if len(values) == 1 else b"").partition(b" ")
    return bool(token) and scheme.lower() == b"bearer" and compare_digest(sent, token.encode())


async def answer(scope: Scope, send: Send, reply: Reply) -> None:
    """Send a complete response, not to be cached."""
    status, kind, body = reply
    allowed = scope["method"] in {"GET", "HEAD"}
    headers = {
        "content-type": kind,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        **({} if allowed else {"allow": "GET, HEAD"}),
    }
    start = {"status": status if allowed else 405, "headers": encoded(headers)}
    await send({"type": "http.response.start", **start})
    whole = body.encode() if scope["method"] == "GET" else b""
    await send({"type": "http.response.body", "body": whole})


def encoded(headers: Mapping[str, str]) -> Collection[tuple[bytes, bytes]]:
    """Headers in ASGI's form."""
    return [(name.encode(), value.encode()) for name, value in headers.items()]


class DatabaseThread(Generic[T]):
    """Asks the database something, one query at a time, in a thread of its own.

    `late`: the result if it takes longer than `READY_S` seconds.
    """

    def __init__(self, ask: Callable[[], T], *, late: T) -> None:
        self._ask = ask
        self._late = late
        self._thread = ThreadPoolExecutor(1, "database")
        self._asked: asyncio.Future[T] | None = None

    async def result(self) -> T:
        """The result. Concurrent callers share one query."""
        asked = self._asked
        if asked is None or asked.done():
            loop = asyncio.get_running_loop()
            asked = self._asked = loop.run_in_executor(self._thread, self._ask)
        done, _ = await asyncio.wait((asked,), timeout=READY_S)
        return asked.result() if done else self._late
