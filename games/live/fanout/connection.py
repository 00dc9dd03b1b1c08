"""The sending side of one connection, whatever it follows.

Short frames go first. News go out in frames that the client acknowledges, at most `WINDOW` of them
unacknowledged. Nothing is queued for a client that cannot keep up: later it gets the news of that
time. A client that causes more short frames than it reads, or acknowledges nothing for too long, is
disconnected.
"""

from collections import deque
from functools import partial
from typing import Final

from games.live.fanout import frames
from games.live.fanout.close_codes import TOO_SLOW, Close
from games.live.fanout.transport import DirectSend, Send, Transport
from games.live.host.metrics import Metrics

WINDOW: Final = 32
"""The most unacknowledged frames."""
MOST_SHORT: Final = 64
"""The most short frames that may be queued."""
SILENT_MS: Final = 30_000
"""A client that acknowledges nothing for this long, with frames in flight, is disconnected."""


class Connection:
    """One connection. Every `now` is on this process's clock."""

    def __init__(self, send: Send, metrics: Metrics, direct: DirectSend | None = None) -> None:
        self.closed: Close | None = None
        self.gone = False
        """Whether nothing can or may be sent any more."""
        self._metrics = metrics
        self._transport = Transport(send, self._freed, direct)
        self._short: deque[str] = deque()
        self._flight: deque[tuple[int, int]] = deque()  # the seq after each frame, when sent
        self._now = 0

    @property
    def room(self) -> str:
        """What it follows: the id under which its chat is kept."""
        raise NotImplementedError

    @property
    def deaf(self) -> bool:
        """Whether it gets no lines of the chat at present. It gets them afterwards."""
        return False

    @property
    def withheld(self) -> frozenset[int]:
        """The parts that are closed to it, with their chat lines."""
        return frozenset()

    def _more(self, now: int) -> str | None:
        """The next frame of news, if there is any. The window has room for it."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Queue a short frame. Call `pump` to send it."""
        self._short.append(text)
        if len(self._short) > MOST_SHORT:
            self.close(TOO_SLOW)

    def close(self, close: Close) -> None:
        """Say goodbye and close, after everything already queued."""
        if self.closed is None:
            self.closed = close
            self._metrics.closed.labels(close.code).inc()
            self._short.append(frames.bye(close))

    def check(self, now: int) -> None:
        if self._flight and now - self._flight[0][1] > SILENT_MS:
            self.close(TOO_SLOW)

    def pump(self, now: int) -> None:
        """Send whatever can be sent now."""
        self._now = now
        while not (self.gone or self._transport.busy):
            if self._transport.broken:
                self.gone = True
                return
            texts = list(iter(partial(self._next, now), None))
            if texts:
                self._short.extendleft(reversed(self._transport.texts(texts)))
            elif self.closed is not None:
                self.gone = True
                said = {"code": self.closed.code, "reason": self.closed.reason}
                self._transport.put({"type": "websocket.close", **said})
            else:
                return

    def _next(self, now: int) -> str | None:
        if self._short:
            return self._short.popleft()
        if self.closed is not None or len(self._flight) >= WINDOW:
            return None
        return self._more(now)

    def _land(self, seq: int) -> int | None:
        """Everything below `seq` was received. Returns when the last of those frames was sent."""
        sent = None
        while self._flight and self._flight[0][0] <= seq:
            sent = self._flight.popleft()[1]
        return sent

    def _freed(self) -> None:
        self.pump(self._now)
