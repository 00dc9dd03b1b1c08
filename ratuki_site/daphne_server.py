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
- It stores whole bodies, of any size, before the application is asked, and waits for ever for
  requests that arrive a byte at a time.

All of this reaches into private parts, so it is done only to releases that we know. With another
one the site serves as Daphne does, and closes sockets with the nearest code that it lets through.
"""

from __future__ import annotations

import logging
import sys
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final

from games.live.fanout.close_codes import BUSY, RESTART, TOO_SLOW
from ratuki_site.origins import App, Receive, Scope, Send

KNOWN: Final[dict[str, str]] = {"daphne": "4.2.", "autobahn": "26.10.", "twisted": "26.10."}
"""How the releases begin whose private parts we know (docs/dependencies.md)."""
SERVICE_CODES: Final = (RESTART.code, BUSY.code)
log: Final = logging.getLogger(__name__)
BEAT_S: Final = 1
GOODBYE_S: Final = 10
"""How long a client may take to answer a close frame; as long as for a ping."""
DISCARD_S: Final = 2
"""How long the rest of a request is read, so that the answer before it is not lost to a reset."""


HEADERS_S: Final = 15
"""How long the first line and the headers of a request may take,"""
BODY_S: Final = 300
"""and its body,"""
PAUSE_S: Final = 20
"""which may pause for so long."""


def unknown() -> str:
    """The first of the installed releases that we do not know, or nothing."""
    installed = ((name, version(name)) for name in KNOWN)
    return next((f"{name} {at}" for name, at in installed if not at.startswith(KNOWN[name])), "")


def tell_clients_why(sockets: App, most_bytes: int) -> App:
    """If this process runs Daphne, let it tell clients why it closes `sockets`; what to serve.

    Bodies over `most_bytes` are not read.
    """
    if "daphne.server" not in sys.modules:
        return sockets
    if stranger := unknown():
        log.warning("%s is not known here: it is served as it is (docs/dependencies.md)", stranger)
        return within_its_words(sockets)
    allow_service_codes()
    allow_denial_responses()
    beat()
    answer_faults_by_close_frames()
    wait_for_goodbyes()
    answer_long_lines()
    refuse_large_bodies(most_bytes)
    drop_half_sent_requests()
    return sockets


def within_its_words(sockets: App) -> App:
    """The same sockets, closed for service with a code that lets clients come back as well.

    What is refused with another status is refused with 403.
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
        _refuse(channel, status, channel.MAX_LENGTH)

    setattr(HTTPChannel, "lineLengthExceeded", line_length_exceeded)  # noqa: B010


def _refuse(channel: Any, status: str, most: int) -> None:
    """Answer a request that is not read to its end, and close."""
    body = f"{status[4:]}: at most {most} bytes.\n"
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}"
    channel.transport.write(f"{head}\r\nConnection: close\r\n\r\n{body}".encode())
    _close(channel)


def _close(channel: Any) -> None:
    """Say that no more is sent, and for a moment read what the client still sends."""
    channel.dataReceived = lambda _data: None
    channel.transport.loseWriteConnection()
    channel.setTimeout(DISCARD_S)


def refuse_large_bodies(most_bytes: int) -> None:
    """Hand a request that announces too large a body to the application at once, without it.

    The application answers by what the headers say (`ratuki_site.body_limit`). A body of unknown
    length is refused once it is too large.
    """
    from twisted.web.http import HTTPChannel, Request

    headers, chunk = HTTPChannel.allHeadersReceived, Request.handleContentChunk

    def all_headers_received(channel: Any) -> None:
        headers(channel)
        if channel.length is not None and channel.length > most_bytes:
            channel.length = 0
            channel.persistent = False
            channel.rawDataReceived = lambda _data: None
            channel.loseConnection = lambda: _close(channel)

    def handle_content_chunk(request: Any, data: bytes) -> None:
        if getattr(request, "refused", False):
            return
        if request.content.tell() + len(data) > most_bytes:
            request.refused = True
            _refuse(request.channel, "413 Content Too Large", most_bytes)
        else:
            chunk(request, data)

    setattr(HTTPChannel, "allHeadersReceived", all_headers_received)  # noqa: B010
    setattr(Request, "handleContentChunk", handle_content_chunk)  # noqa: B010


def drop_half_sent_requests() -> None:
    """Close a connection whose request does not come to its end, however often a byte comes."""
    from twisted.web.http import HTTPChannel

    line, headers = HTTPChannel.lineReceived, HTTPChannel.allHeadersReceived
    content, lost = HTTPChannel.allContentReceived, HTTPChannel.connectionLost

    def wait(channel: Any, seconds: float | None) -> None:
        """Let the next part come within so many seconds; None: as long as it takes."""
        waiting = getattr(channel, "_ratuki_wait", None)
        if waiting is not None and waiting.active():
            waiting.cancel()
        late = channel.callLater(seconds, channel.forceAbortClient) if seconds else None
        channel._ratuki_wait = late  # noqa: SLF001

    def connection_made(channel: Any) -> None:
        made(channel)
        wait(channel, HEADERS_S)

    def line_received(channel: Any, data: bytes) -> None:
        if getattr(channel, "_ratuki_wait", None) is None:  # the next request of a connection
            wait(channel, HEADERS_S)
        line(channel, data)

    def all_headers_received(channel: Any) -> None:
        wait(channel, BODY_S)
        channel.setTimeout(PAUSE_S)
        headers(channel)

    def all_content_received(channel: Any) -> None:
        wait(channel, None)
        channel.setTimeout(channel.factory.timeOut)
        content(channel)

    def connection_lost(channel: Any, reason: Any) -> None:
        wait(channel, None)
        lost(channel, reason)

    made = HTTPChannel.connectionMade
    for name, ours in (
        ("connectionMade", connection_made),
        ("lineReceived", line_received),
        ("allHeadersReceived", all_headers_received),
        ("allContentReceived", all_content_received),
        ("connectionLost", connection_lost),
    ):
        setattr(HTTPChannel, name, ours)
