"""Connections of the library under Daphne without a network, and what browsers say on them."""

from twisted.internet.testing import StringTransport

UPGRADE = (
    b"GET /ws/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
GOODBYE = b"\x88\x82\0\0\0\0\x03\xe8"


class Wire(StringTransport):
    """A connection as Twisted's, which is not surprised when nobody streams on it."""

    def unregisterProducer(self) -> None:  # noqa: N802 - Twisted's name
        """Nothing is streamed here."""
