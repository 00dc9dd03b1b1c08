"""Text frames built once for all followers and sent at once, through Daphne and uvicorn.

Daphne's WebSocket library builds each frame again for each connection, formats a debug line
that nobody reads, and has the reactor send it later: three quarters of a frame's cost. It also
refuses to send messages over the size that clients may send. Under uvicorn, rebuilding frames
is half of the cost. So an application finds another way to send in its scope, as an extension:
`scope["extensions"][DIRECT]` sends a text, or returns False if the usual way must be taken, as
in anything but the plain case.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Final

from games.live.fanout.transport import DIRECT, DirectSend

KEPT: Final = 128
"""How many frames are kept; all followers get one within a short time."""


log: Final = logging.getLogger(__name__)


@lru_cache(KEPT)
def framed(text: str) -> bytes:
    """A complete text frame as a server sends it, unmasked (RFC 6455, 5.2)."""
    data = text.encode()
    size = len(data)
    if size < 126:
        head = bytes((0x81, size))
    elif size < 1 << 16:
        head = b"\x81\x7e" + size.to_bytes(2, "big")
    else:
        head = b"\x81\x7f" + size.to_bytes(8, "big")
    return head + data


def write(transport: Any, data: bytes) -> None:
    """Send at once what the socket accepts; leave the rest to the reactor.

    Requires the plain socket with nothing queued.
    """
    sent = 0
    if transport.connected and not (transport.dataBuffer or transport._tempDataBuffer):  # noqa: SLF001
        try:
            sent = transport.socket.send(data)
        except OSError:
            sent = 0  # full, or broken; the reactor will find out
    if sent < len(data):
        transport.write(data[sent:])


def through(write: Callable[[Any, bytes], None], plain: Callable[[], Any]) -> DirectSend:
    """Send texts to the transport that `plain` returns, or return False if there is none now.

    Both use private parts of a server. With a release that renames them, the usual way still
    works.
    """

    def send(text: str) -> bool:
        try:
            transport = plain()
            if transport is not None:
                write(transport, framed(text))
        except AttributeError as error:
            warn(str(error))
            return False
        return transport is not None

    return send


@cache
def warn(what: str) -> None:
    """Warn the operator once."""
    log.warning("frames take the usual way, since this server is another than expected: %s", what)


def through_daphne(protocol: Any) -> DirectSend:
    """Sends a text on one of Daphne's connections."""
    from twisted.internet.tcp import Connection

    def plain() -> Any:
        transport = protocol.transport
        fits = (
            protocol.state == protocol.STATE_OPEN
            and protocol._perMessageCompress is None  # noqa: SLF001
            and not protocol.send_queue
            and isinstance(transport, Connection)
            and not transport.TLS
        )
        return transport if fits else None

    return through(write, plain)


def through_uvicorn(protocol: Any) -> DirectSend:
    """Sends a text on one of uvicorn's connections."""
    from websockets.protocol import OPEN

    def plain() -> Any:
        fits = (
            protocol.conn.state is OPEN
            and not protocol.close_sent
            and not protocol.conn.extensions  # such as compression
            and protocol.writable.is_set()
        )
        return protocol.transport if fits else None

    return through(lambda transport, data: transport.write(data), plain)


def offer_in_daphne() -> None:
    """Make Daphne offer `DIRECT` to WebSocket applications. Call only if Daphne is installed."""
    from daphne.server import Server

    usual = Server.create_application

    def create_application(server: Any, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] == "websocket":
            scope.setdefault("extensions", {})[DIRECT] = through_daphne(protocol)
        return usual(server, protocol, scope)

    setattr(Server, "create_application", create_application)  # noqa: B010 - mypy forbids the plain way


def offer_in_uvicorn() -> None:
    """The same for uvicorn with `--ws websockets-sansio`."""
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    usual = WebSocketsSansIOProtocol.run_asgi

    async def run_asgi(protocol: Any) -> None:
        protocol.scope.setdefault("extensions", {})[DIRECT] = through_uvicorn(protocol)
        await usual(protocol)

    setattr(WebSocketsSansIOProtocol, "run_asgi", run_asgi)  # noqa: B010


def offer_quick_frames() -> None:
    """Make the server that runs this process offer `DIRECT`, if it is one of the two."""
    if "daphne.server" in sys.modules:
        offer_in_daphne()
    if "uvicorn" in sys.modules:
        offer_in_uvicorn()
