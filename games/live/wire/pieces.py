"""The log of a match by pieces over HTTP, for more spectators than sockets can serve.

Three addresses, answered from memory in front of Django: `/live/<id>/latest` (once a second by each
spectator), `/live/<id>/lines/<seq>` (a piece, which never changes), and `/live/<id>/here`, to which
a sample of the spectators sends a POST once a minute. What a page of Django's adds below `/live/`
(the story so far) is passed on to it. Nobody's cookies are read: only matches that every stranger
may watch have these addresses, and every cache may keep the answers.
"""

import asyncio
import gzip
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from games.live.cluster.supervisor import BoundedLock, Supervisor
from games.live.fanout import pieces
from games.live.fanout.broadcast import Broadcast
from games.live.fanout.pieces import Crowd
from games.live.host.clock import Clock
from games.live.host.leases import LogTail, StoreUnavailableError
from games.live.wire.entrance import Receive, Scope, Send
from games.people.addresses import address_of_scope, network

BELOW: Final = "/live/"
ADDRESS: Final = re.compile(
    rf"{BELOW}([A-Za-z0-9_-]{{1,64}})/(latest|here|lines/([1-9][0-9]{{0,7}}))"
)
ONE_SECOND: Final = "public, max-age=1, stale-while-revalidate=5"
FOR_EVER: Final = "public, max-age=31536000, s-maxage=45, immutable"
"""Other caches than a browser's own ask again each 45 s: a match that is deleted goes from them."""
NEVER: Final = "no-store"
FRESH_MS: Final = 250
"""How long the latest answer is the same."""
MOST_READING: Final = 64
"""Pieces of earlier rounds that may wait to be read."""
SPARE: Final = 10
"""One in so many sockets is not offered: who takes it would soon be sent back."""


class Reply(NamedTuple):
    """A response. The body is JSON, gzipped."""

    status: HTTPStatus
    caching: str = NEVER
    body: bytes = b""


NOT_THERE: Final = Reply(HTTPStatus.NOT_FOUND)


class Pieces:
    """An ASGI application in front of `app`."""

    def __init__(self, app: Any, supervisor: Callable[[], Supervisor], clock: Clock) -> None:
        self._app = app
        self._supervisor = supervisor
        self._clock = clock
        self._reading = BoundedLock(MOST_READING)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = ADDRESS.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self._pass_on(scope, receive, send)
            return
        match, name, seq = found.groups()
        allowed = ("POST",) if name == "here" else ("GET", "HEAD")
        if scope["method"] not in allowed:
            reply = Reply(HTTPStatus.METHOD_NOT_ALLOWED)
        else:
            try:
                reply = await self._reply(scope, match, name, int(seq or 0))
            except StoreUnavailableError:
                reply = Reply(HTTPStatus.SERVICE_UNAVAILABLE)
        self._supervisor().hub.metrics.pieces.labels(reply.status.value).inc()
        await _respond(scope, send, reply)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """To the application. Below `BELOW` without cookies, and without what varies by them."""
        if not scope.get("path", "").startswith(BELOW):
            await self._app(scope, receive, send)
            return

        async def send_to_all(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0].lower() != b"vary"]
                message = {**message, "headers": [*kept, (b"vary", b"accept-encoding")]}
            await send(message)

        kept = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
        await self._app({**scope, "headers": kept}, receive, send_to_all)

    async def _reply(self, scope: Scope, match: str, name: str, seq: int) -> Reply:
        supervisor = self._supervisor()
        crowd = await supervisor.crowd(match)
        if crowd is None:
            return NOT_THERE
        broadcast = supervisor.hub.broadcast(match)
        if broadcast is None:
            tail = await supervisor.store.tail(match)
            if tail is None:
                return NOT_THERE
            broadcast = supervisor.hub.open(tail)
        if name == "here":
            sender = network(address_of_scope(scope))
            crowd.note(_sample(broadcast), sender, self._clock.now())
            return Reply(HTTPStatus.NO_CONTENT)
        if name == "latest":
            return Reply(HTTPStatus.OK, ONE_SECOND, self._latest(broadcast, crowd))
        return await self._piece(broadcast, crowd, seq)

    def _latest(self, broadcast: Broadcast, crowd: Crowd) -> bytes:
        now, hub = self._clock.now(), self._supervisor().hub
        if crowd.latest is None or now - crowd.latest[0] >= FRESH_MS:
            room = max(0, hub.room - hub.most_watchers // SPARE)
            text = pieces.latest(broadcast, now, sample=_sample(broadcast), room=room)
            crowd.latest = now, _compress(text)
        return crowd.latest[1]

    async def _piece(self, broadcast: Broadcast, crowd: Crowd, seq: int) -> Reply:
        if seq not in crowd.answers:
            text = await self._written(broadcast, seq)
            if text is None:
                return NOT_THERE
            crowd.keep(seq, _compress(text))
        return Reply(HTTPStatus.OK, FOR_EVER, crowd.answers[seq])

    async def _written(self, broadcast: Broadcast, seq: int) -> str | None:
        """A piece. Those of earlier rounds are read from the stored log, one at a time: each costs
        as much as its whole round."""
        if seq >= broadcast.first:
            return pieces.piece(broadcast, seq)
        async with self._reading:
            past = await self._supervisor().store.round_of(broadcast.plan.id, seq)
            return None if past is None else await asyncio.to_thread(_of_round, past, seq)


def _of_round(past: LogTail, seq: int) -> str | None:
    return pieces.piece(Broadcast(past, 0), seq)


def _sample(broadcast: Broadcast) -> int:
    return pieces.sample_of(broadcast.state["watching"] if broadcast.state else 0)


def _compress(text: str) -> bytes:
    return gzip.compress(text.encode(), 6, mtime=0)


async def _respond(scope: Scope, send: Send, reply: Reply) -> None:
    body = reply.body
    headers = {
        "cache-control": reply.caching,
        # A page that another site sandboxes has an origin of its own, with our embed in it.
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "x-content-type-options": "nosniff",
    }
    if body:
        sent = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
        headers |= {"content-type": "application/json", "vary": "accept-encoding"}
        if b"gzip" in sent:
            headers["content-encoding"] = "gzip"
        else:
            body = gzip.decompress(body)
    pairs = [*headers.items(), ("content-length", str(len(body)))]
    start = {"status": reply.status, "headers": [(k.encode(), v.encode()) for k, v in pairs]}
    await send({"type": "http.response.start", **start})
    shown = body if scope["method"] != "HEAD" else b""
    await send({"type": "http.response.body", "body": shown})
