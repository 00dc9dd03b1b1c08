"""A connection: plain ASGI around a follower. It knows frames and who is asking, but no rules.

After accepting, the server waits for the client's hello, then shows it the match until either
side closes. Whatever a client sends is answered by a frame of the protocol or a close, never
by an error of this program.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final

from django.db import DatabaseError

from games.live.cluster.supervisor import Supervisor
from games.live.fanout.broadcast import Broadcast
from games.live.fanout.chat import VisitorLookup
from games.live.fanout.close_codes import BUSY, CROWDED, NO_SUCH_MATCH, NOT_ALLOWED
from games.live.fanout.follower import Follower
from games.live.fanout.frames import OPEN, SPECTATOR, View
from games.live.fanout.transport import DIRECT
from games.live.host.client_frames import Hello, parse
from games.live.host.clock import Clock
from games.live.host.leases import StoreUnavailableError
from games.live.host.rate_limits import ConnectionLimit, FrameLimits
from games.live.wire.conversation import MatchConversation
from games.live.wire.entrance import (
    Entrance,
    Receive,
    RejectedError,
    Scope,
    Send,
    visitor_now,
    with_classes,
)
from games.people.embargoes import holds
from games.people.rights import Rights, rights
from games.people.tokens import secret_in
from games.people.visit import in_session, with_token
from games.people.visitor import STRANGER, Visitor, holder

Who = Callable[[Scope, Hello], Awaitable[Visitor]]
"""Looks up the visitor behind a connection with this hello. May raise StoreUnavailableError."""
SESSION_MS: Final = 5_000
"""How often a player's session is checked."""


async def by_session(scope: Scope, hello: Hello) -> Visitor:
    """The visitor of a browser's session now, with only the hello's key."""
    return (await visitor_now(scope)).showing(hello.key)


async def if_it_matters(scope: Scope, hello: Hello) -> Visitor:
    """Skip the lookup for spectators, unless they want to see open hands."""
    return await by_session(scope, hello) if hello.open else STRANGER.showing(hello.key)


async def by_token(scope: Scope, hello: Hello) -> Visitor:
    """The holder of a seat's token, or the account of a bot's. Raises StoreUnavailableError.

    It is in the header, or in the hello of a program that can set none: browsers send an Origin.
    """
    sent = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
    values = [value for name, value in sent if name == b"authorization"]
    if hello.token and not any(name == b"origin" for name, _ in sent):
        values.append(f"Bearer {hello.token}")
    said = values[0] if len(values) == 1 else ""
    secret = secret_in(said)
    if not secret:
        return holder(said).showing(hello.key)
    try:
        return (await with_token(secret, with_classes)).showing(hello.key)
    except DatabaseError as error:
        raise StoreUnavailableError(str(error)) from error


class Consumer(Entrance[Hello]):
    """An ASGI application for WebSockets. `who` finds a connection's visitor.

    `plays`: whether a seat's player gets the seat here. `watches`: whether anyone else may follow.
    `chat`: whether chatting is possible here. `members`: finds class members at a class's table, if
    `who` does not.
    """

    def __init__(
        self,
        supervisor: Callable[[], Supervisor],
        clock: Clock,
        who: Who,
        limit: ConnectionLimit,
        *,
        plays: bool = True,
        watches: bool = True,
        chat: bool = False,
        members: Who | None = None,
    ) -> None:
        super().__init__(clock, limit, lambda: supervisor().hub.metrics, (Hello, parse))
        self._seats = plays
        self._supervisor = supervisor
        self._who = who
        self._plays = plays
        self._watches = watches
        self._chat = chat
        self._members = members or who

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        supervisor = self._supervisor()
        match = scope["url_route"]["kwargs"]["match"]
        limits = FrameLimits(self._clock.now())
        hello = await self._hello(scope, receive, send, limits)
        known = partial(self._who, scope, hello)
        broadcast, visitor = await self._admit(supervisor, match, known)
        if broadcast.finished:
            await self._verify_answered(scope, match)
        if broadcast.plan.school_class:
            known = partial(self._members, scope, hello)
            visitor = await _looked_up(known)
        may = rights(visitor, broadcast.plan.access)
        view = view_of(may, hello, plays=self._plays)
        if view < 0 and (scope["closed"] or not self._watches):
            raise RejectedError(NOT_ALLOWED)
        if view == SPECTATOR and hello.pieces and not supervisor.hub.room:
            await self._point_to_pieces(supervisor, match)
        hello = replace(hello, chat=hello.chat and self._chat and may.chat, token="")
        direct = scope.get("extensions", {}).get(DIRECT)
        follower = supervisor.hub.follow(broadcast, view, hello, send, direct)
        follower.name = visitor.name if hello.named and view < 0 and visitor.shown else ""
        watch = asyncio.create_task(self._watch_session(follower, known))
        if hello.chat:
            supervisor.chat.join(follower)
        try:
            conversation = MatchConversation(
                supervisor, follower, self._clock, receive, known, limits=limits
            )
            await conversation.run()
        finally:
            watch.cancel()
            supervisor.chat.leave(follower)
            supervisor.hub.unfollow(follower)

    async def _verify_answered(self, scope: Scope, match: str) -> None:
        """Nobody follows a match about which they have a question to answer first."""
        session = scope.get("session")
        if session is None:
            return
        try:
            barred = await in_session(
                session.session_key, lambda visit: holds(match, visit.visitor.persons)
            )
        except DatabaseError:
            raise RejectedError(BUSY) from None
        if barred:
            raise RejectedError(NO_SUCH_MATCH)

    async def _point_to_pieces(self, supervisor: Supervisor, match: str) -> None:
        """Turn a spectator away who can follow the match by pieces. Raises RejectedError."""
        try:
            shared = await supervisor.crowd(match) is not None
        except StoreUnavailableError:
            raise RejectedError(BUSY) from None
        if shared:
            raise RejectedError(CROWDED._replace(pieces=f"/live/{match}/"))

    async def _watch_session(self, follower: Follower, known: VisitorLookup) -> None:
        """Close a connection soon after its session has ended, or its visitor has left the class.

        Of spectators, only those at a class's table need a session.
        """
        never = asyncio.Event()
        while follower.player or follower.broadcast.plan.school_class:
            await self._clock.wait(never, self._clock.now() + SESSION_MS)
            try:
                visitor = await known()
            except StoreUnavailableError:
                continue
            plan = follower.broadcast.plan
            if follower.player:
                stays = rights(visitor, plan.access).seat == follower.view
            else:
                stays = rights(visitor, plan.access).enter
            if not stays:
                follower.close(NOT_ALLOWED)
                follower.pump(self._clock.now())
                return

    async def _admit(
        self, supervisor: Supervisor, match: str, known: VisitorLookup
    ) -> tuple[Broadcast, Visitor]:
        """The match as known here, and the visitor. Raises RejectedError."""
        broadcast = supervisor.hub.broadcast(match)
        try:
            visitor = await known()
            if (
                broadcast is None
                or not broadcast.plan.full
                or await _late(supervisor, broadcast, visitor)
            ):
                tail = await supervisor.store.tail(match)
                broadcast = None if tail is None else supervisor.hub.open(tail)
                await supervisor.relay.fetch_plans()
        except StoreUnavailableError:
            raise RejectedError(BUSY) from None
        if broadcast is None:
            raise RejectedError(NO_SUCH_MATCH)
        return broadcast, visitor


async def _looked_up(known: VisitorLookup) -> Visitor:
    """The visitor. Raises RejectedError."""
    try:
        return await known()
    except StoreUnavailableError:
        raise RejectedError(BUSY) from None


async def _late(supervisor: Supervisor, broadcast: Broadcast, visitor: Visitor) -> bool:
    """Whether the visitor has a seat not known here, since a guest has opened an account."""
    if not visitor.persons or rights(visitor, broadcast.plan.access).play:
        return False
    return await supervisor.store.sits(broadcast.plan.id, visitor.persons)


def view_of(may: Rights, hello: Hello, *, plays: bool) -> View:
    """A visitor's view of a match: a seat's or a spectator's. Raises RejectedError."""
    if plays and may.seat is not None:
        return may.seat
    if not may.enter:
        raise RejectedError(NO_SUCH_MATCH)
    if not may.watch:
        raise RejectedError(NOT_ALLOWED)
    return OPEN if hello.open and may.open_hands else SPECTATOR
