"""What all WebSockets share: being accepted and counted, the hello, and frames heard one by one.

Whatever a client sends is answered by a frame of the protocol or a close, never by an error of
this program.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, Generic, Protocol, TypeVar

from django.db import DatabaseError

from games.live.fanout import frames
from games.live.fanout.close_codes import (
    BAD_FRAMES,
    BUSY,
    HELLO_EXPECTED,
    NOT_ALLOWED,
    TOO_MANY,
    VERSION,
    WRONG_VERSION,
    Close,
)
from games.live.fanout.connection import Connection
from games.live.host.client_frames import BadFrameError
from games.live.host.clock import Clock
from games.live.host.leases import StoreUnavailableError
from games.live.host.metrics import Metrics
from games.live.host.rate_limits import ConnectionLimit, FrameLimits
from games.people import door
from games.people.addresses import address_of_scope, network
from games.people.visit import Visit, in_session
from games.people.visitor import Visitor

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Raw = str | bytes | None
F = TypeVar("F")
HELLO_S: Final = 10


class Disconnected(Exception):  # noqa: N818 - the client has gone, which is no error
    """The client has closed the connection."""


class RejectedError(Exception):
    """This connection is refused. `args[0]` is the Close."""


async def receive_text(receive: Receive) -> Raw:
    """The next frame. Raises Disconnected."""
    message = await receive()
    if message["type"] != "websocket.receive":
        raise Disconnected
    text: str | bytes | None = message.get("text")
    return message.get("bytes") if text is None else text


async def put(send: Send, message: dict[str, Any]) -> None:
    """Send to a client that may have disconnected. Raises Disconnected."""
    try:
        await send(message)
    except Exception:  # noqa: BLE001 - whatever a server raises, this connection has gone
        raise Disconnected from None


class Greeting(Protocol):
    """A client's first frame."""

    @property
    def version(self) -> int:
        """Of the protocol."""


H = TypeVar("H", bound=Greeting)


class Entrance(Generic[H]):
    """An ASGI application for WebSockets: accepts as many as `limit` allows, and serves each.

    `greeting`: its clients' first frame, with its parser. A refused client gets the reason.
    """

    _seats = False
    """Whether players with a seat come in though the door is closed (`games.people.door`)."""

    def __init__(
        self,
        clock: Clock,
        limit: ConnectionLimit,
        metrics: Callable[[], Metrics],
        greeting: tuple[type[H], Callable[[Raw], object]],
    ) -> None:
        self._clock = clock
        self._limit = limit
        self._metrics = metrics
        self._greeting, self._parse = greeting

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection. Raises RejectedError, Disconnected."""
        raise NotImplementedError

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(Disconnected):
            await receive()  # websocket.connect
            await put(send, {"type": "websocket.accept"})
            address = network(address_of_scope(scope))
            if not self._limit.acquire(address):
                await self._reject(send, TOO_MANY)
                return
            try:
                await self._serve(scope, receive, send)
            except RejectedError as rejected:
                await self._reject(send, rejected.args[0])
            finally:
                self._limit.release(address)

    async def _reject(self, send: Send, close: Close) -> None:
        self._metrics().closed.labels(close.code).inc()
        await put(send, {"type": "websocket.send", "text": frames.bye(close)})
        reason = {"code": close.code, "reason": close.reason}
        await put(send, {"type": "websocket.close", **reason})

    async def _hello(self, scope: Scope, receive: Receive, send: Send, limits: FrameLimits) -> H:
        """The client's first frame. The scope has whether the door is `closed` to all but seats.

        Raises RejectedError, Disconnected.
        """
        try:
            async with asyncio.timeout(HELLO_S):
                frame = await self._first(receive, send, limits)
        except TimeoutError:
            raise RejectedError(HELLO_EXPECTED) from None
        if not isinstance(frame, self._greeting):
            raise RejectedError(HELLO_EXPECTED)
        if frame.version != VERSION:
            raise RejectedError(WRONG_VERSION)
        scope["closed"] = await closed_to(scope)
        if scope["closed"] and not self._seats:
            raise RejectedError(NOT_ALLOWED)
        return frame

    async def _first(self, receive: Receive, send: Send, limits: FrameLimits) -> object:
        """The first frame that is not a forgiven fault."""
        while True:
            try:
                return self._parse(await receive_text(receive))
            except BadFrameError as fault:
                error = frames.error("bad-frame", str(fault))
                await put(send, {"type": "websocket.send", "text": error})
                if not limits.fault(self._clock.now()):
                    raise RejectedError(BAD_FRAMES) from None


async def closed_to(scope: Scope) -> bool:
    """Whether the door is closed to the visitor behind a socket now. Raises RejectedError."""
    if door.seems_open():
        return False
    session = scope.get("session")
    try:
        return await in_session(session and session.session_key, Visit.closed)
    except DatabaseError:
        raise RejectedError(BUSY) from None


async def visitor_now(scope: Scope) -> Visitor:
    """The visitor behind a socket's session now. Raises StoreUnavailableError."""
    try:
        return await in_session(scope["session"].session_key, with_classes)
    except DatabaseError as error:
        raise StoreUnavailableError(str(error)) from error


def with_classes(visit: Visit) -> Visitor:
    """Looked up now: the event loop may not."""
    return visit.visitor._replace(classes=frozenset(visit.visitor.classes))


class Hearing(Generic[F]):
    """One client's frames after its hello: parsed strictly, counted, and passed to `_handle`."""

    _parse: Callable[[Raw], F]
    """Makes a frame a value. Raises BadFrameError."""

    def __init__(
        self, connection: Connection, clock: Clock, receive: Receive, limits: FrameLimits
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._receive = receive
        self._limits = limits

    def _handle(self, frame: F, now: int) -> None:
        raise NotImplementedError

    async def run(self) -> None:
        """Listen until the client disconnects. Raises Disconnected."""
        while True:
            raw = await receive_text(self._receive)
            now = self._clock.now()
            if self._connection.closed:
                continue  # it knows why, and the close is on its way
            if not self._limits.frame(now):
                self._connection.close(TOO_MANY)
            else:
                self._hear(raw, now)
            self._connection.pump(now)

    def _hear(self, raw: Raw, now: int) -> None:
        try:
            frame = self._parse(raw)
        except BadFrameError as fault:
            self._fault("bad-frame", str(fault), now)
        else:
            self._handle(frame, now)

    def _fault(self, code: str, message: str, now: int) -> None:
        self._connection.say(frames.error(code, message))
        if not self._limits.fault(now):
            self._connection.close(BAD_FRAMES)
