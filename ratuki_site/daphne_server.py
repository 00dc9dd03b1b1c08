"""What Daphne and the libraries under it keep from clients: how a connection ends, and why.

- Its WebSocket library keeps the close codes 1012 and 1013 back from servers.
- It answers 403 wherever a socket is refused; the ASGI extension for other answers is missing.
- It pings seldom; nothing else shows a proxy that a quiet connection is alive.
- It drops a connection without a close frame where a client breaks the protocol (a frame that is
  too long, text that is no UTF-8), which looks like a dead network: clients come back, and do
  the same again.
- It resets a connection whose client has not answered its close frame within a second, so that one
  on a slow network loses the last frames and the code.
- Its HTTP library ends a connection without an answer where a line of a request is too long.
"""

from __future__ import annotations

import sys
from http import HTTPStatus
from typing import Any, Final

from games.live.fanout.close_codes import BUSY, RESTART

SERVICE_CODES: Final = (RESTART.code, BUSY.code)
BEAT_S: Final = 1
GOODBYE_S: Final = 10
"""How long a client may take to answer a close frame; as long as for a ping."""
DISCARD_S: Final = 2
"""How long the rest of a request is read, so that the answer before it is not lost to a reset."""


def tell_clients_why() -> None:
    """If this process runs Daphne, let it tell clients why it closes."""
    if "daphne.server" in sys.modules:
        allow_service_codes()
        allow_denial_responses()
        beat()
        answer_faults_by_close_frames()
        wait_for_goodbyes()
        answer_long_lines()


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
    """Allow refusing a socket with another status than 403; a body is not sent."""
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
    """Send an unasked pong on every socket each second, which needs no answer (RFC 6455, 5.5.3).

    Proxies, and clients whose library tells them, notice a frozen process by its silence.
    """
    from daphne.server import Server
    from twisted.internet import reactor

    usual = Server.run
    running: Any = reactor

    def run(server: Any) -> None:
        def each_second() -> None:
            for protocol in list(server.connections):
                if getattr(protocol, "state", None) == protocol_open:
                    protocol.sendPong(b"")
            running.callLater(BEAT_S, each_second)

        running.callWhenRunning(each_second)
        usual(server)

    from daphne.ws_protocol import WebSocketProtocol

    protocol_open = WebSocketProtocol.STATE_OPEN
    setattr(Server, "run", run)  # noqa: B010


def answer_faults_by_close_frames() -> None:
    """Close with 1002, 1007 or 1009 when a client violates the WebSocket protocol."""
    from daphne.ws_protocol import WebSocketProtocol

    usual = WebSocketProtocol.onConnect

    def on_connect(protocol: Any, request: Any) -> Any:
        protocol.failByDrop = False
        return usual(protocol, request)

    setattr(WebSocketProtocol, "onConnect", on_connect)  # noqa: B010


def wait_for_goodbyes() -> None:
    """Leave clients `GOODBYE_S` to hear of a close and to answer."""
    from daphne.ws_protocol import WebSocketFactory

    usual = WebSocketFactory.__init__

    def init(factory: Any, *arguments: Any, **options: Any) -> None:
        usual(factory, *arguments, **options)
        factory.setProtocolOptions(closeHandshakeTimeout=GOODBYE_S)

    setattr(WebSocketFactory, "__init__", init)  # noqa: B010


def answer_long_lines() -> None:
    """Answer 414 to a URL that is too long, 431 to a header that is too long."""
    from twisted.web.http import HTTPChannel

    def line_length_exceeded(channel: Any, _line: bytes) -> None:
        first = not channel._receivedHeaderSize  # noqa: SLF001
        status = "414 URI Too Long" if first else "431 Request Header Fields Too Large"
        body = f"{status[4:]}: at most {channel.MAX_LENGTH} bytes.\n"
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}"
        channel.transport.write(f"{head}\r\nConnection: close\r\n\r\n{body}".encode())
        channel.dataReceived = lambda _data: None
        channel.transport.loseWriteConnection()
        channel.setTimeout(DISCARD_S)

    setattr(HTTPChannel, "lineLengthExceeded", line_length_exceeded)  # noqa: B010
