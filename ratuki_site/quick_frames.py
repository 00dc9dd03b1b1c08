"""Text frames through Daphne, made once for all followers and sent at once.

Daphne's WebSocket library makes each frame anew for each connection, words a debug line that
nobody reads, and has the reactor send it later: three quarters of what a frame costs. It also
refuses to send a message over the size that clients may send. Whatever is not the plain case
goes its way all the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

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


def send_quickly() -> None:
    """Let Daphne send text so. Without Daphne this must not be called."""
    from daphne.ws_protocol import WebSocketProtocol
    from twisted.internet.tcp import Connection

    usual = WebSocketProtocol.serverSend

    def server_send(protocol: Any, content: Any, binary: bool = False) -> None:
        transport = protocol.transport
        plain = (
            not binary
            and protocol.state == protocol.STATE_OPEN
            and protocol._perMessageCompress is None  # noqa: SLF001
            and not protocol.send_queue
            and isinstance(transport, Connection)
            and not transport.TLS
        )
        if plain:
            write(transport, framed(content))
        else:
            usual(protocol, content, binary)

    setattr(WebSocketProtocol, "serverSend", server_send)  # noqa: B010 - mypy forbids the plain way
