"""What a client says after its hello: frames parsed strictly, counted, and passed on.

Whatever a client sends is answered by a frame of the protocol or a close, never by an error of
this program.
"""

from typing import Final, TypeVar

from games.live.cluster.supervisor import Supervisor
from games.live.fanout import frames
from games.live.fanout.chat import Chats, VisitorLookup, refusal
from games.live.fanout.connection import Connection
from games.live.fanout.follower import Follower
from games.live.host.client_frames import (
    Act,
    Back,
    Chat,
    Frame,
    Got,
    Hello,
    Leave,
    Ping,
    Ready,
    Report,
    Salt,
    Say,
    Vote,
    parse,
)
from games.live.host.clock import Clock
from games.live.host.rate_limits import FrameLimits, SlidingWindow
from games.live.wire.entrance import Hearing, Receive

CHAT_LIMIT: Final = (5, 10_000)
"""How many lines and reports a connection may send within how many ms."""
FROM_PLAYERS: Final = (Act, Ready, Salt, Vote, Leave, Say, Back)
F = TypeVar("F")


class Conversation(Hearing[F]):
    """The frames of one client who may chat, in a match as in a review."""

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        receive: Receive,
        limits: FrameLimits,
        *,
        chat: Chats,
        known: VisitorLookup,
    ) -> None:
        super().__init__(connection, clock, receive, limits)
        self._chat = chat
        self._known = known
        self._chat_limit = SlidingWindow(CHAT_LIMIT)

    def _submit(self, what: str | int, now: int) -> None:
        if not self._chat.listens(self._connection):
            self._connection.say(refusal("chat-off"))
            return
        allowed = self._chat_limit.take(now)
        if not (allowed and self._chat.submit(self._connection, self._known, what)):
            self._connection.say(refusal("too-often"))

    def _hello_again(self, now: int) -> None:
        self._fault("not-now", "hello was already sent", now)


class MatchConversation(Conversation[Frame]):
    """One client's frames, once it follows a match."""

    _parse = staticmethod(parse)

    def __init__(
        self,
        supervisor: Supervisor,
        follower: Follower,
        clock: Clock,
        receive: Receive,
        known: VisitorLookup,
        *,
        limits: FrameLimits,
    ) -> None:
        super().__init__(follower, clock, receive, limits, chat=supervisor.chat, known=known)
        self._hub = supervisor.hub
        self._follower = follower

    def _handle(self, frame: Frame, now: int) -> None:
        if isinstance(frame, FROM_PLAYERS) and not self._follower.player:
            self._fault("not-seated", "spectators cannot play", now)
            return
        match frame:
            case Hello():
                self._hello_again(now)
            case Got(seq):
                self._hub.got(self._follower, seq)
            case Ping(n):
                broadcast, view = self._follower.broadcast, self._follower.view
                clock = broadcast.now_for(view, broadcast.end_for(view, now), now)
                self._follower.say(frames.pong(n, clock))
            case Act():
                action = frame.action(self._follower.view)
                self._hub.request(self._follower, frame.id, frame.round, action)
            case Chat(text):
                self._submit(text, now)
            case Report(n):
                self._submit(n, now)
            case _:
                self._hub.command(self._follower, frame)
