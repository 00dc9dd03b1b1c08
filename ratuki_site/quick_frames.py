"""Text frames through Daphne, made once for all followers and sent at once.

Daphne's WebSocket library makes each frame anew for each connection, words a debug line that
nobody reads, and has the reactor send it later: three quarters of what a frame costs. It also
refuses to send a message over the size that clients may send. So an application finds one
more way out in its scope, as an extension: `scope["extensions"][DIRECT]` sends a text, or
says that the usual way has to be taken, as it must where anything but the plain case holds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from games.live.outlet import DIRECT

KEPT: Final = 128
"""How many frames are remembered; all followers get one soon after another."""


@lru_cache(KEPT)
def framed(text: str) -> bytes:
    """A whole text frame as a server sends it, not masked (RFC 6455, 5.2)."""
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
    """Send at once what the socket takes; the rest is left to the reactor.

    That needs the plain socket, and nothing in line before.
    """
    sent = 0
    if transport.connected and not (transport.dataBuffer or transport._tempDataBuffer):  # noqa: SLF001
        try:
            sent = transport.socket.send(data)
        except OSError:
            sent = 0  # full, or broken, which the reactor will find out
    if sent < len(data):
        transport.write(data[sent:])


def sender(protocol: Any) -> Callable[[str], bool]:
    """What sends a text on one connection at once; it says False where Daphne has to do it."""
    from twisted.internet.tcp import Connection

    def send(text: str) -> bool:
        transport = protocol.transport
        plain = (
            protocol.state == protocol.STATE_OPEN
            and protocol._perMessageCompress is None  # noqa: SLF001
            and not protocol.send_queue
            and isinstance(transport, Connection)
            and not transport.TLS
        )
        if plain:
            write(transport, framed(text))
        return plain

    return send


def offer_quick_frames() -> None:
    """Let Daphne offer `DIRECT` to WebSocket applications. Without Daphne: not to be called."""
    from daphne.server import Server

    usual = Server.create_application

    def create_application(server: Any, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] == "websocket":
            scope.setdefault("extensions", {})[DIRECT] = sender(protocol)
        return usual(server, protocol, scope)

    setattr(Server, "create_application", create_application)  # noqa: B010 - mypy forbids the plain way
