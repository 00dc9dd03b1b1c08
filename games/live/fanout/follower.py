"""A follower: one connection that is shown a match.

It has a cursor on its match's broadcast and a window of frames that may be on their way. What
it cannot take is not kept for it: later it gets what is there then, or, too far behind, a
jump to the current round. Answers and other short frames go before lines; a client that
makes more of them than it reads is closed.
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
"""The most frames of lines that may be unacknowledged."""
FAR_BEHIND: Final = 600
"""Whoever is so many lines behind is brought to the current round's deal."""
MOST_SHORT: Final = 64
"""The most short frames that may wait."""
SILENT_MS: Final = 30_000
"""Who acknowledges nothing for so long while frames are on their way is closed."""
SURE_MS: Final = 1_000
"""What was sent longer ago counts as shown."""
_SAMPLES: Final = 15


class Follower:
    """One connection's place in a match. Every `now` is on this process's clock."""

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
        """Whether it is a seat's."""
        return self.view >= 0

    @property
    def lag(self) -> int | None:
        """The median time from a frame to its acknowledgement, in ms; None: not known yet."""
        return median_low(self._lags) if self._lags else None

    def begin(self, epoch: int | None, seq: int | None, now: int) -> int:
        """Stand where a hello asks, or else at the current round's deal; the next line's seq."""
        self._now = now
        broadcast = self.broadcast
        held = range(broadcast.first, broadcast.end_for(self.view, now) + 1)
        if epoch is not None and seq is not None and seq in held:
            self.cursor = self._shown = seq
        else:
            self.cursor = broadcast.start_for(self.view, now)
        return self.cursor

    def say(self, text: str) -> None:
        """Put a short frame in line; call `pump` to send."""
        self._short.append(text)
        if len(self._short) > MOST_SHORT:
            self.close(TOO_SLOW)

    def queue_state(self, now: int) -> bool:
        """Put the match's state in line, if it is not known yet; whether it was not."""
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
        """Say goodbye and close, after what is in line already."""
        if self.closed is None:
            self.closed = close
            self._metrics.closed.labels(close.code).inc()
            self._short.append(frames.bye(close))

    def got(self, seq: int, now: int) -> None:
        """The client has everything below `seq`."""
        if seq > self.cursor:
            return
        sent = None
        while self._flight and self._flight[0][0] <= seq:
            sent = self._flight.popleft()[1]
        if sent is not None:
            self._lags.append(now - sent)
        self._shown = max(self._shown, seq)

    def floor(self, now: int) -> int:
        """The seq below which it has certainly been shown everything: said so, or long sent."""
        floor = self._shown
        for seq, sent in self._flight:
            if now - sent > SURE_MS:
                floor = max(floor, seq)
        return floor

    def check(self, now: int) -> None:
        """Close it if it has been silent for too long."""
        if self._flight and now - self._flight[0][1] > SILENT_MS:
            self.close(TOO_SLOW)

    def pump(self, now: int) -> None:
        """Send what can be sent at this moment."""
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
        """Whether it has been sent everything that there is for it."""
        known = self.cursor >= self.broadcast.end and self.broadcast.informed(self._told)
        return known and not self._short

    def _freed(self) -> None:
        self.pump(self._now)
