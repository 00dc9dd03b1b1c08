"""A follower: one connection that is shown a match.

It has a cursor on its match's broadcast and a window of frames that may be in flight. Nothing
is queued for a client that cannot keep up: later it gets what exists then or, if too far
behind, a jump to the current round. Answers and other short frames go before lines; a client
that causes more of them than it reads is disconnected.
"""

from __future__ import annotations

from collections import deque
from statistics import median_low
from typing import Final

from games.live.fanout import frames
from games.live.fanout.broadcast import Broadcast, StateUpdate
from games.live.fanout.close_codes import TOO_SLOW, Close
from games.live.fanout.frames import View
from games.live.fanout.transport import DirectSend, Send, Transport
from games.live.host.metrics import Metrics
from games.live.host.requests import ActionRequest, ConnectionId

WINDOW: Final = 32
"""The most unacknowledged frames of lines."""
FAR_BEHIND: Final = 600
"""A follower this many lines behind jumps to the current round's deal."""
MOST_SHORT: Final = 64
"""The most short frames that may be queued."""
SILENT_MS: Final = 30_000
"""A client that acknowledges nothing for this long, with frames in flight, is disconnected."""
SURE_MS: Final = 1_000
"""Anything sent longer ago than this counts as shown."""
_SAMPLES: Final = 15


class Follower:
    """One connection's position in a match. Every `now` is on this process's clock."""

    def __init__(
        self,
        connection: ConnectionId,
        view: View,
        broadcast: Broadcast,
        send: Send,
        metrics: Metrics,
        *,
        direct: DirectSend | None = None,
    ) -> None:
        self.connection = connection
        self.view = view
        self.broadcast = broadcast
        self.cursor = broadcast.first
        self.closed: Close | None = None
        self.gone = False
        """Whether nothing can or may be sent any more."""
        self.name = ""
        """Of a spectator who lets it be shown."""
        self.requests: dict[str, ActionRequest] = {}
        """Its actions that nobody has answered yet, by id."""
        self._metrics = metrics
        self._transport = Transport(send, self._freed, direct)
        self._short: deque[str] = deque()
        self._told: StateUpdate | None = None
        self._flight: deque[tuple[int, int]] = deque()  # the seq after each frame, when sent
        self._shown = 0
        self._lags: deque[int] = deque(maxlen=_SAMPLES)
        self._now = 0

    @property
    def player(self) -> bool:
        """Whether it belongs to a seat."""
        return self.view >= 0

    @property
    def lag(self) -> int | None:
        """The median time from a frame to its acknowledgement, in ms; None if not yet known."""
        return median_low(self._lags) if self._lags else None

    def begin(self, epoch: int | None, seq: int | None, now: int) -> int:
        """Start where a hello asks, or at the current round's deal; returns the next line's seq."""
        self._now = now
        broadcast = self.broadcast
        held = range(broadcast.first, broadcast.end_for(self.view, now) + 1)
        if epoch is not None and seq is not None and seq in held:
            self.cursor = self._shown = seq
        else:
            self.cursor = broadcast.start_for(self.view, now)
        return self.cursor

    def say(self, text: str) -> None:
        """Queue a short frame; call `pump` to send it."""
        self._short.append(text)
        if len(self._short) > MOST_SHORT:
            self.close(TOO_SLOW)

    def queue_state(self, now: int) -> bool:
        """Queue the broadcast's state if the client lacks it; returns whether it did."""
        told = self.broadcast.state_for(self.view, now)
        if told is None or told is self._told:
            return False
        fresh = self._told is None
        self._told = told
        self.say(
            told.later(now - self.broadcast.delay(self.view) - told.at) if fresh else told.text
        )
        return True

    def close(self, close: Close) -> None:
        """Say goodbye and close, after everything already queued."""
        if self.closed is None:
            self.closed = close
            self._metrics.closed.labels(close.code).inc()
            self._short.append(frames.bye(close))

    def got(self, seq: int, now: int) -> None:
        """The client has received everything below `seq`."""
        if seq > self.cursor:
            return
        sent = None
        while self._flight and self._flight[0][0] <= seq:
            sent = self._flight.popleft()[1]
        if sent is not None:
            self._lags.append(now - sent)
        self._shown = max(self._shown, seq)

    def floor(self, now: int) -> int:
        """The seq below which it has certainly been shown everything: acknowledged or long sent."""
        floor = self._shown
        for seq, sent in self._flight:
            if now - sent > SURE_MS:
                floor = max(floor, seq)
        return floor

    def check(self, now: int) -> None:
        """Close it if it has been silent too long."""
        if self._flight and now - self._flight[0][1] > SILENT_MS:
            self.close(TOO_SLOW)

    def pump(self, now: int) -> None:
        """Send whatever can be sent now."""
        self._now = now
        while not (self.gone or self._transport.busy):
            if self._transport.broken:
                self.gone = True
                return
            text = self._next(now)
            if text is not None:
                self._transport.text(text)
            elif self.closed is not None:
                self.gone = True
                code, reason = self.closed
                self._transport.put({"type": "websocket.close", "code": code, "reason": reason})
            else:
                return

    def _next(self, now: int) -> str | None:
        if self._short:
            return self._short.popleft()
        if self.closed is not None or len(self._flight) >= WINDOW:
            return None
        broadcast = self.broadcast
        end = broadcast.end_for(self.view, now)
        if end <= self.cursor:
            return None
        start = broadcast.start_for(self.view, now)
        far = self.cursor < start and end - self.cursor > FAR_BEHIND
        if self.cursor < broadcast.first or far:
            self.cursor = start
            self._metrics.resyncs.inc()
            return frames.resync(start, broadcast.round_at(start), "behind")
        text, self.cursor = broadcast.frame(self.view, self.cursor, end, now)
        self._flight.append((self.cursor, now))
        return text

    @property
    def served(self) -> bool:
        """Whether everything available to it has been sent."""
        known = self.cursor >= self.broadcast.end and self.broadcast.informed(self._told)
        return known and not self._short

    def _freed(self) -> None:
        self.pump(self._now)
