"""A connection: plain ASGI around a follower. It knows frames and who is asking, and no rules.

After the accept the client says hello; then it is shown the match until either side closes.
Whatever a client sends is answered by a frame of the protocol or a close, never by an error
of this program.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hmac import compare_digest
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError

from games.live.cluster.supervisor import Supervisor
from games.live.fanout import frames
from games.live.fanout.broadcast import Channel
from games.live.fanout.chat import Known, refusal
from games.live.fanout.close_codes import (
    BAD_FRAMES,
    BUSY,
    HELLO_EXPECTED,
    NO_SUCH_MATCH,
    NOT_ALLOWED,
    TOO_MANY,
    VERSION,
    WRONG_VERSION,
    Close,
)
from games.live.fanout.follower import Follower
from games.live.fanout.frames import OPEN, SPECTATOR, View
from games.live.fanout.transport import DIRECT
from games.live.host.clock import Clock
from games.live.host.leases import LogAwayError
from games.live.host.messages import Hello, Wish
from games.live.host.rate_limits import Doors, Pace, Patience
from games.live.wire.parsing import (
    Act,
    BadFrameError,
    Chat,
    Frame,
    Got,
    Ping,
    Report,
    parse,
)
from games.people.guests import known_guest_key
from games.people.person import Identity
from games.people.sessions import in_own_thread, visitor
from games.tables.plan import Plan

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Who = Callable[[Scope], Awaitable[Sequence[str]]]
Named = Callable[[Scope], Awaitable[Identity | None]]
HELLO_S: Final = 10
CHAT_PACE: Final = (5, 10_000)
"""How many lines and reports a connection may send within how many ms."""
SESSION_MS: Final = 5_000
"""How often it is asked whether a player's session still stands."""


class TurnedAwayError(Exception):
    """This connection is not wanted; `args[0]` is the Close."""


class Gone(Exception):  # noqa: N818 - the client is, and that is no error
    """The client has closed the connection."""


async def nobody(_scope: Scope) -> Sequence[str]:
    """Spectators are not asked who they are."""
    return ()


async def by_session(scope: Scope) -> Sequence[str]:
    """The user and the guest that a browser's session stands for now."""
    return await in_own_thread(_persons, scope["session"].session_key)


def _persons(session_key: str | None) -> Sequence[str]:
    if not session_key:
        return ()
    session, user = visitor(session_key)
    guest = known_guest_key(session)
    persons = [f"user:{user.pk}"] if user.is_authenticated else []
    return [*persons, f"guest:{guest}"] if guest else persons


async def by_token(scope: Scope) -> Sequence[str]:
    """The holder of a seat's token; only its hash is ever stored."""
    values = [value for name, value in scope["headers"] if name == b"authorization"]
    scheme, _, token = (values[0] if len(values) == 1 else b"").partition(b" ")
    if scheme.lower() != b"bearer" or not 16 <= len(token) <= 128:
        return ()
    return (token_person(token.decode("latin-1")),)


def token_person(token: str) -> str:
    """How a plan knows whoever holds this token."""
    return f"token:{hashlib.sha256(token.encode()).hexdigest()}"


class Consumer:
    """An ASGI application for WebSockets; `who` says whom a connection belongs to.

    `identity`: under which name; without it there is no chat here.
    """

    def __init__(
        self,
        supervisor: Callable[[], Supervisor],
        clock: Clock,
        who: Who,
        doors: Doors,
        identity: Named | None = None,
    ) -> None:
        self._identity = identity
        self._supervisor = supervisor
        self._clock = clock
        self._who = who
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        await send({"type": "websocket.accept"})
        address = address_of(scope)
        if not self._doors.enter(address):
            await self._turn_away(send, TOO_MANY)
            return
        try:
            await self._serve(scope, receive, send)
        except TurnedAwayError as turned:
            await self._turn_away(send, turned.args[0])
        except Gone:
            return
        finally:
            self._doors.leave(address)

    async def _turn_away(self, send: Send, close: Close) -> None:
        self._supervisor().hub.figures.closed[close.code] += 1
        await send({"type": "websocket.send", "text": frames.bye(close)})
        await send({"type": "websocket.close", "code": close.code, "reason": close.reason})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        supervisor = self._supervisor()
        match = scope["url_route"]["kwargs"]["match"]
        hello = await self._hello(receive)
        channel, view = await self._admit(supervisor, match, hello, scope)
        name, hello = await self._introduced(scope, channel.plan, view, hello)
        if view < 0:
            view_of(channel.plan, (), hello)  # its link may have been taken back meanwhile
        direct = scope.get("extensions", {}).get(DIRECT)
        follower = supervisor.hub.follow(channel, view, hello, send, direct)
        follower.name = name
        watch = asyncio.create_task(self._watch_session(scope, follower))
        if hello.chat:
            supervisor.chat.join(follower)
        try:
            known = partial(self._known, scope)
            await Conversation(supervisor, follower, self._clock, receive, known).run()
        finally:
            watch.cancel()
            supervisor.chat.leave(follower)
            supervisor.hub.unfollow(follower)

    async def _introduced(
        self, scope: Scope, plan: Plan, view: View, hello: Hello
    ) -> tuple[str, Hello]:
        """The name that a spectator lets be shown, and the hello without what is not offered."""
        chat = hello.chat and plan.chat and view < 0 and self._identity is not None
        try:
            identity = await self._known(scope) if hello.named and view < 0 else None
        except LogAwayError:
            raise TurnedAwayError(BUSY) from None
        return identity.name if identity else "", hello._replace(chat=chat)

    async def _known(self, scope: Scope) -> Identity | None:
        if self._identity is None:
            return None
        try:
            return await self._identity(scope)
        except DatabaseError as error:
            raise LogAwayError(str(error)) from error

    async def _watch_session(self, scope: Scope, follower: Follower) -> None:
        """Close a player's connection soon after the session has ended that it came by."""
        never = asyncio.Event()
        while follower.player:
            await self._clock.wait(never, self._clock.now() + SESSION_MS)
            plan = follower.channel.plan
            persons = await self._persons(scope)
            if persons and follower.view not in map(plan.seat_of, persons):
                follower.close(NOT_ALLOWED)
                follower.pump(self._clock.now())
                return

    async def _persons(self, scope: Scope) -> Sequence[str]:
        """Who it is now, with one more who is nobody; none while the database is away."""
        try:
            return [*await self._who(scope), ""]
        except DatabaseError:
            return []

    async def _hello(self, receive: Receive) -> Hello:
        try:
            frame = parse(await asyncio.wait_for(text(receive), HELLO_S))
        except (TimeoutError, BadFrameError):
            raise TurnedAwayError(HELLO_EXPECTED) from None
        if not isinstance(frame, Hello):
            raise TurnedAwayError(HELLO_EXPECTED)
        if frame.version != VERSION:
            raise TurnedAwayError(WRONG_VERSION)
        return frame

    async def _admit(
        self, supervisor: Supervisor, match: str, hello: Hello, scope: Scope
    ) -> tuple[Channel, View]:
        channel = supervisor.hub.channel(match)
        try:
            persons = await self._who(scope)
            if (
                channel is None
                or not channel.plan.full
                or await _late(supervisor, channel, persons)
            ):
                tail = await supervisor.store.tail(match)
                channel = None if tail is None else supervisor.hub.open(tail)
                await supervisor.exchange.fetch_plans()
        except (LogAwayError, DatabaseError):
            raise TurnedAwayError(BUSY) from None
        if channel is None:
            raise TurnedAwayError(NO_SUCH_MATCH)
        return channel, view_of(channel.plan, persons, hello)


async def _late(supervisor: Supervisor, channel: Channel, persons: Sequence[str]) -> bool:
    """Whether somebody has a seat that is not known here: a guest's, who has an account now."""
    if not persons or any(channel.plan.seat_of(person) is not None for person in persons):
        return False
    return await supervisor.store.sits(channel.plan.id, persons)


def address_of(scope: Scope) -> str:
    """The client's address, by our own proxy's word where there is one in front."""
    if settings.SECURE_PROXY_SSL_HEADER:
        values = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        if values:
            return str(values[-1].rsplit(b",", 1)[-1].strip().decode("latin-1"))
    return str((scope.get("client") or ("",))[0])


def view_of(plan: Plan, persons: Sequence[str], hello: Hello) -> View:
    """What somebody may see of a match: a seat's view, or a spectator's. Raises TurnedAwayError."""
    seats = [seat for person in persons if (seat := plan.seat_of(person)) is not None]
    if seats:
        return seats[0]
    if plan.key and not compare_digest(plan.key.encode(), hello.key.encode()):
        raise TurnedAwayError(NO_SUCH_MATCH)
    if not plan.watching:
        raise TurnedAwayError(NOT_ALLOWED)
    return OPEN if hello.open and plan.open_delay_ms else SPECTATOR


async def text(receive: Receive) -> str | bytes | None:
    """The next frame. Raises Gone."""
    message = await receive()
    if message["type"] != "websocket.receive":
        raise Gone
    found: str | bytes | None = message.get("text")
    return message.get("bytes") if found is None else found


class Conversation:
    """What a client says after its hello."""

    def __init__(
        self,
        supervisor: Supervisor,
        follower: Follower,
        clock: Clock,
        receive: Receive,
        known: Known,
    ) -> None:
        self._hub = supervisor.hub
        self._chat = supervisor.chat
        self._known = known
        self._chat_pace = Pace(CHAT_PACE)
        self._follower = follower
        self._clock = clock
        self._receive = receive
        self._patience = Patience(clock.now())

    async def run(self) -> None:
        """Listen until the client is gone. Raises Gone."""
        while True:
            raw = await text(self._receive)
            now = self._clock.now()
            if self._follower.closed:
                continue  # it has been told; the close is on its way
            if not self._patience.frame(now):
                self._follower.close(TOO_MANY)
            else:
                self._hear(raw, now)
            self._follower.pump(now)

    def _hear(self, raw: str | bytes | None, now: int) -> None:
        try:
            frame = parse(raw)
        except BadFrameError as fault:
            self._fault("bad-frame", str(fault), now)
        else:
            self._take(frame, now)

    def _fault(self, code: str, message: str, now: int) -> None:
        self._follower.say(frames.error(code, message))
        if not self._patience.fault(now):
            self._follower.close(BAD_FRAMES)

    def _take(self, frame: Frame, now: int) -> None:
        follower = self._follower
        if isinstance(frame, Got):
            self._hub.got(follower, frame.seq)
        elif isinstance(frame, Ping):
            channel = follower.channel
            clock = channel.now_for(follower.view, channel.end_for(follower.view, now), now)
            follower.say(frames.pong(frame.n, clock))
        elif isinstance(frame, Hello):
            self._fault("not-now", "hello was said before", now)
        elif isinstance(frame, Chat):
            self._write(frame.text, now)
        elif isinstance(frame, Report):
            self._write(frame.n, now)
        elif not follower.player:
            self._fault("not-seated", "spectators follow, they do not play", now)
        elif isinstance(frame, Act):
            self._hub.ask(follower, frame.id, frame.round, frame.action)
        else:
            self._wish(frame)

    def _wish(self, wish: Wish) -> None:
        self._hub.wish(self._follower, wish)

    def _write(self, what: str | int, now: int) -> None:
        """Bring what a spectator writes, or reports, to the chat."""
        if not self._chat.listens(self._follower):
            self._follower.say(refusal("chat-off"))
            return
        welcome = self._chat_pace.take(now)
        if not (welcome and self._chat.bring(self._follower, self._known, what)):
            self._follower.say(refusal("too-often"))
