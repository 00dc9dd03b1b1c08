"""A connection to a review: plain ASGI around a member. It knows the visitor and the review.

A visitor who may not see the match gets the same answer as for a review that does not exist. A
player in it may not enter now. Both are checked again from time to time, since sessions end.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from games.live.fanout import frames as live_frames
from games.live.fanout.chat import Chats, VisitorLookup
from games.live.fanout.close_codes import BUSY, DONE, NO_SUCH_MATCH, NOT_ALLOWED
from games.live.fanout.transport import DIRECT
from games.live.host.client_frames import Chat, Ping, Report
from games.live.host.clock import Clock
from games.live.host.leases import StoreUnavailableError
from games.live.host.rate_limits import ConnectionLimit, FrameLimits, SlidingWindow
from games.live.wire.conversation import Conversation
from games.live.wire.entrance import Entrance, Receive, RejectedError, Scope, Send, visitor_now
from replays.reviews import frames
from replays.reviews.client_frames import Detach, Enter, Frame, GotReview, parse
from replays.reviews.gathering import Admission, Entrant, OpenedReview, ReviewFollower
from replays.reviews.hub import ReviewHub
from replays.reviews.room import Noted, Suggest
from replays.reviews.store import DatabaseStore

LEADER_CHECKED_MS: Final = 5_000
CHECKED_MS: Final = 60_000
"""How often the sessions of the leader and of the others are checked."""
WRITING: Final = (10, 10_000)
"""How many suggestions and notes a connection may send within how many ms."""


class Reception(NamedTuple):
    """What connections to reviews need from their process."""

    hub: ReviewHub
    chat: Chats
    store: DatabaseStore


class ReviewConsumer(Entrance[Enter]):
    """An ASGI application for the WebSockets of reviews."""

    def __init__(
        self, reception: Callable[[], Reception], clock: Clock, limit: ConnectionLimit
    ) -> None:
        super().__init__(clock, limit, lambda: reception().hub.metrics, (Enter, parse))
        self._reception = reception

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        reception = self._reception()
        key = scope["url_route"]["kwargs"]["review"]
        limits = FrameLimits(self._clock.now())
        await self._hello(scope, receive, send, limits)
        known = partial(visitor_now, scope)
        opened, entrant = await self._enter(reception.store, key, known)
        await reception.hub.catch_up(opened)
        direct = scope.get("extensions", {}).get(DIRECT)
        chat = not opened.state.ended
        member = reception.hub.follow(opened, entrant, send, direct, chat=chat)
        watch = asyncio.create_task(self._watch(reception.store, member, known))
        if chat:
            reception.chat.join(member)
        else:
            member.close(DONE)
            member.pump(self._clock.now())
        try:
            await ReviewConversation(
                reception, member, self._clock, receive, limits, known=known
            ).run()
        finally:
            watch.cancel()
            reception.chat.leave(member)
            reception.hub.unfollow(member)

    async def _enter(
        self, store: DatabaseStore, key: str, known: VisitorLookup
    ) -> tuple[OpenedReview, Entrant]:
        """The review, and the visitor as they enter it. Raises RejectedError."""
        try:
            visitor = await known()
            (admission,) = await store.admissions(key, [visitor])
            if admission is not None and not admission.allowed:
                raise RejectedError(NOT_ALLOWED)
            entered = await store.enter(key, visitor) if admission else None
        except StoreUnavailableError:
            raise RejectedError(BUSY) from None
        if entered is None or admission is None:
            raise RejectedError(NO_SUCH_MATCH)
        opened, number = entered
        return opened, Entrant(number, visitor, admission)

    async def _watch(
        self, store: DatabaseStore, member: ReviewFollower, known: VisitorLookup
    ) -> None:
        """Close a connection soon after its visitor has lost the right to it."""
        never = asyncio.Event()
        while not (member.gone or member.closed):
            leads = member.member == member.gathering.state.leader
            wait = LEADER_CHECKED_MS if leads else CHECKED_MS
            await self._clock.wait(never, self._clock.now() + wait)
            try:
                member.visitor = visitor = await known()
                (admission,) = await store.admissions(member.room, [visitor])
                same = not member.member or await store.is_member(
                    member.gathering.pk, member.member, visitor
                )
            except StoreUnavailableError:
                continue
            member.readmit(admission if same else Admission(False))
            member.pump(self._clock.now())


class ReviewConversation(Conversation[Frame]):
    _parse = staticmethod(parse)

    def __init__(
        self,
        reception: Reception,
        member: ReviewFollower,
        clock: Clock,
        receive: Receive,
        limits: FrameLimits,
        *,
        known: VisitorLookup,
    ) -> None:
        super().__init__(member, clock, receive, limits, chat=reception.chat, known=known)
        self._hub = reception.hub
        self._member = member
        self._writing = SlidingWindow(WRITING)

    def _handle(self, frame: Frame, now: int) -> None:
        member = self._member
        match frame:
            case Enter():
                self._hello_again(now)
            case GotReview(seq):
                member.got(seq)
            case Ping(n):
                member.say(live_frames.pong(n, now))
            case Detach(detached):
                member.detached = detached
            case Chat(text):
                self._submit(text, now)
            case Report(n):
                self._submit(n, now)
            case _:
                self._ask(frame, now)

    def _ask(self, wanted: Any, now: int) -> None:
        if not self._member.member:
            self._member.say(frames.refusal("nameless"))
        elif not (
            (not isinstance(wanted, Suggest | Noted) or self._writing.take(now))
            and self._hub.ask(self._member, wanted)
        ):
            self._member.say(frames.refusal("too-often"))
