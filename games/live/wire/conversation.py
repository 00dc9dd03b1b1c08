"""What a client says after its hello: frames parsed strictly, counted, and passed on.

`Conversation._handlers` says what happens to each kind of frame. Whatever a client sends is
answered by a frame of the protocol or a close, never by an error of this program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from games.live.cluster.supervisor import Supervisor
from games.live.fanout import frames
from games.live.fanout.chat import Known, refusal
from games.live.fanout.follower import Follower
from games.live.host.clock import Clock
from games.live.host.rate_limits import FrameLimits, SlidingWindow
from games.live.host.requests import Back, Command, Hello, Leave, Ready, Salt, Say, Vote
from games.live.wire.entrance import Hearing, Raw, Receive
from games.live.wire.parsing import Act, Chat, Frame, Got, Ping, Report, parse

CHAT_LIMIT: Final = (5, 10_000)
"""How many lines and reports a connection may send within how many ms."""


class Conversation(Hearing[Frame]):
    """One client's frames, once it follows a match."""

    def __init__(
        self,
        supervisor: Supervisor,
        follower: Follower,
        clock: Clock,
        receive: Receive,
        known: Known,
        *,
        limits: FrameLimits,
    ) -> None:
        super().__init__(follower, clock, receive, limits)
        self._hub = supervisor.hub
        self._chat = supervisor.chat
        self._known = known
        self._chat_limit = SlidingWindow(CHAT_LIMIT)
        self._follower = follower

    def _parse(self, raw: Raw) -> Frame:
        return parse(raw)

    def _handle(self, frame: Frame, now: int) -> None:
        if isinstance(frame, self._from_players) and not self._follower.player:
            self._fault("not-seated", "spectators cannot play", now)
        else:
            self._handlers[type(frame)](self, frame, now)

    def _hello(self, _hello: Hello, now: int) -> None:
        self._fault("not-now", "hello was already sent", now)

    def _got(self, got: Got, _now: int) -> None:
        self._hub.got(self._follower, got.seq)

    def _ping(self, ping: Ping, now: int) -> None:
        broadcast, view = self._follower.broadcast, self._follower.view
        clock = broadcast.now_for(view, broadcast.end_for(view, now), now)
        self._follower.say(frames.pong(ping.n, clock))

    def _act(self, act: Act, _now: int) -> None:
        self._hub.request(self._follower, act.id, act.round, act.action)

    def _command(self, command: Command, _now: int) -> None:
        self._hub.command(self._follower, command)

    def _chat_line(self, chat: Chat, now: int) -> None:
        self._submit(chat.text, now)

    def _report(self, report: Report, now: int) -> None:
        self._submit(report.n, now)

    def _submit(self, what: str | int, now: int) -> None:
        """Pass what a spectator writes or reports to the chat."""
        if not self._chat.listens(self._follower):
            self._follower.say(refusal("chat-off"))
            return
        allowed = self._chat_limit.take(now)
        if not (allowed and self._chat.submit(self._follower, self._known, what)):
            self._follower.say(refusal("too-often"))

    _from_players: ClassVar = (Act, Ready, Salt, Vote, Leave, Say, Back)
    _handlers: ClassVar[dict[type[Frame], Callable[[Conversation, Any, int], None]]] = {
        Hello: _hello,
        Got: _got,
        Ping: _ping,
        Act: _act,
        Ready: _command,
        Salt: _command,
        Vote: _command,
        Leave: _command,
        Say: _command,
        Back: _command,
        Chat: _chat_line,
        Report: _report,
    }
