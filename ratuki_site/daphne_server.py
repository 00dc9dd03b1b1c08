"""Access to hidden parts of Daphne and its libraries: how a connection ends, and quick frames.

All of this reaches into private parts, so it is done only to releases that we know. With another
one the site serves as Daphne does, and closes sockets with the nearest code that Daphne allows.
docs/reference/dependencies.md explains each part.
"""

import logging
import sys
from collections.abc import Sequence
from functools import lru_cache
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final

from django.conf import settings

from games.live.fanout.close_codes import BUSY, RESTART, TOO_SLOW
from games.live.fanout.transport import DIRECT
from games.people.addresses import address_of_scope, network
from ratuki_site.origins import App, Receive, Scope, Send
from ratuki_site.unread import bound_unread

KNOWN: Final[dict[str, str]] = {"daphne": "4.2.", "autobahn": "26.10.", "twisted": "26.10."}
"""How the releases begin whose private parts we know."""
SERVICE_CODES: Final = (RESTART.code, BUSY.code)
GOODBYE_S: Final = 10
"""How long a client may take to answer a close frame. As long as for a ping."""
BEAT_S: Final = 0.5
"""A socket is silent for at most twice as long."""
_PONG: Final = b"\x8a\x00"
_KEPT: Final = 128
"""How many frames are kept. All followers get one within a short time."""
log: Final = logging.getLogger(__name__)


def unknown() -> str:
    """The first of the installed releases that we do not know, or nothing."""
    installed = ((name, version(name)) for name in KNOWN)
    return next((f"{name} {at}" for name, at in installed if not at.startswith(KNOWN[name])), "")


def tell_clients_why(sockets: App) -> App:
    """If this process runs Daphne, send close codes to clients. Returns the app to serve."""
    if "daphne.server" not in sys.modules:
        return sockets
    if stranger := unknown():
        log.warning(
            "%s is unknown: it is served as it is (docs/reference/dependencies.md)", stranger
        )
        return remap_close_codes(sockets)
    allow_service_codes()
    allow_denial_responses()
    beat()
    close_patiently()
    leave_no_cycles()
    offer_quick_frames()
    bound_unread(
        settings.UNREAD_SECONDS,
        settings.UNREAD_BYTES,
        lambda scope: network(address_of_scope(scope)),
    )
    return sockets


def remap_close_codes(sockets: App) -> App:
    """The same sockets, closed for service with a code that makes clients come back as well.

    Refusals with another status get 403.
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


def allow_service_codes() -> None:
    """Allow closing with 1012 and 1013 too."""
    from daphne.ws_protocol import WebSocketProtocol

    usual = WebSocketProtocol.serverClose

    def server_close(protocol: Any, code: int | None = None) -> None:
        if code in SERVICE_CODES:
            protocol.sendCloseFrame(code=code)
        else:
            usual(protocol, code)

    setattr(WebSocketProtocol, "serverClose", server_close)  # noqa: B010 - mypy forbids the plain way


def allow_denial_responses() -> None:
    """Allow refusing a socket with another status than 403. A body is not sent."""
    from autobahn.websocket.types import ConnectionDeny
    from daphne.ws_protocol import WebSocketProtocol

    usual = WebSocketProtocol.handle_reply

    def handle_reply(protocol: Any, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.http.response.start":
            deny = ConnectionDeny(message["status"], HTTPStatus(message["status"]).phrase)
            protocol.handshake_deferred.errback(deny)
            del protocol.handshake_deferred
            protocol.server.protocol_disconnected(protocol)
        elif message["type"] != "websocket.http.response.body":
            usual(protocol, message)

    setattr(WebSocketProtocol, "handle_reply", handle_reply)  # noqa: B010


def beat() -> None:
    """Send a pong on every socket that was silent for a second (RFC 6455, 5.5.3).

    Proxies, and clients whose library reports pongs, notice a frozen process by its silence.
    """
    from daphne.server import Server
    from daphne.ws_protocol import WebSocketProtocol
    from twisted.internet import reactor

    usual = Server.run
    running: Any = reactor
    setattr(WebSocketProtocol, "ratuki_silent", 0)  # noqa: B010

    def run(server: Any) -> None:
        def again() -> None:
            for protocol in list(server.connections):
                if getattr(protocol, "state", None) == WebSocketProtocol.STATE_OPEN:
                    protocol.ratuki_silent += 1
                    if protocol.ratuki_silent > 1 and not _write(protocol, _PONG):
                        protocol.sendPong(b"")
                        protocol.ratuki_silent = 0
            running.callLater(BEAT_S, again)

        running.callWhenRunning(again)
        usual(server)

    setattr(Server, "run", run)  # noqa: B010


def close_patiently() -> None:
    """Close with 1002, 1007 or 1009 when a client violates the protocol. Wait for goodbyes."""
    from daphne.ws_protocol import WebSocketFactory

    usual = WebSocketFactory.__init__

    def init(factory: Any, *arguments: Any, **options: Any) -> None:
        usual(factory, *arguments, **options)
        factory.setProtocolOptions(closeHandshakeTimeout=GOODBYE_S, failByDrop=False)

    setattr(WebSocketFactory, "__init__", init)  # noqa: B010


def leave_no_cycles() -> None:
    """Let a closed connection be freed at once, not by the rare garbage collection."""
    from daphne.http_protocol import WebRequest
    from daphne.ws_protocol import WebSocketProtocol

    process, lost = WebRequest.process, WebSocketProtocol.connectionLost

    def processed(request: Any) -> Any:
        channel, transport = request.channel, request.transport
        before = getattr(transport, "protocol", None)
        done = process(request)
        if getattr(transport, "protocol", None) is not before:  # it is a WebSocket now
            channel.requests.clear()
        return done

    def connection_lost(protocol: Any, reason: Any) -> None:
        lost(protocol, reason)
        protocol.is_closed.addCallback(lambda _protocol: None)

    setattr(WebRequest, "process", processed)  # noqa: B010
    setattr(WebSocketProtocol, "connectionLost", connection_lost)  # noqa: B010


@lru_cache(_KEPT)
def framed(text: str) -> bytes:
    """A complete text frame as a server sends it, unmasked (RFC 6455, 5.2)."""
    data = text.encode()
    size = len(data)
    if size < 126:
        return bytes((0x81, size)) + data
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + data
    return b"\x81\x7f" + size.to_bytes(8, "big") + data


def _write(protocol: Any, data: bytes) -> bool:
    """Send at once as much as possible, the rest by the reactor. False: not on this one."""
    from twisted.internet.tcp import Connection

    transport = protocol.transport
    plain = isinstance(transport, Connection) and not transport.TLS
    if not plain or protocol.state != protocol.STATE_OPEN or protocol.send_queue:
        return False
    protocol.ratuki_silent = sent = 0
    if transport.connected and not (transport.dataBuffer or transport._tempDataBuffer):  # noqa: SLF001
        try:
            sent = transport.socket.send(data)
        except OSError:
            sent = 0  # full, or broken: the reactor will find out
    if sent < len(data):
        transport.write(data[sent:])
    return True


def offer_quick_frames() -> None:
    """Offer `DIRECT` to WebSocket applications: frames made once for all, sent at once."""
    from daphne.server import Server

    usual = Server.create_application

    def create_application(server: Any, protocol: Any, scope: dict[str, Any]) -> Any:
        def direct(texts: Sequence[str]) -> bool:
            return _write(protocol, b"".join(map(framed, texts)))

        if scope["type"] == "websocket":
            scope.setdefault("extensions", {})[DIRECT] = direct
        return usual(server, protocol, scope)

    setattr(Server, "create_application", create_application)  # noqa: B010
