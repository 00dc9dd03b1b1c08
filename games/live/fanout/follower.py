"""A follower: one connection that is shown a match.

It has a cursor on its match's broadcast. A client that cannot keep up later gets what exists
then or, if too far behind, a jump to the current round. Answers and other short frames go
before lines.
"""

from collections import deque
from statistics import median_low
from typing import Final

from games.live.fanout import frames
from games.live.fanout.broadcast import Broadcast, StateUpdate
from games.live.fanout.connection import Connection
from games.live.fanout.frames import View
from games.live.fanout.transport import DirectSend, Send
from games.live.host.metrics import Metrics
from games.live.host.requests import ActionRequest, Answer, ConnectionId

FAR_BEHIND: Final = 600
"""A follower this many lines behind jumps to the current round's deal."""
MOST_UNANSWERED: Final = 32
"""How many unanswered actions are remembered per connection."""
SURE_MS: Final = 1_000
"""Anything sent longer ago than this counts as shown."""
_SAMPLES: Final = 15


class Follower(Connection):
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
        super().__init__(send, metrics, direct)
        self.connection = connection
        self.view = view
        self.broadcast = broadcast
        self.cursor = broadcast.first
        self.who: str | ConnectionId = connection
        """The same for all tabs of a browser."""
        self.name = ""
        """A spectator's, who agreed to show it."""
        self.requests: dict[str, ActionRequest] = {}
        """Its actions without an answer so far, by id."""
        self.replied: deque[str] = deque(maxlen=MOST_UNANSWERED)
        """Its latest actions that were answered here, without those it sends again."""
        self._state: StateUpdate | None = None
        self._shown = 0
        self._lags: deque[int] = deque(maxlen=_SAMPLES)

    @property
    def room(self) -> str:
        return self.broadcast.plan.id

    @property
    def player(self) -> bool:
        return self.view >= 0

    @property
    def lag(self) -> int | None:
        """The median time from a frame to its acknowledgement, in ms. None if not yet known."""
        return median_low(self._lags) if self._lags else None

    def begin(self, epoch: int | None, seq: int | None, now: int) -> int:
        """Start where a hello asks, or at the current round's deal. Returns the next line's seq."""
        self._now = now
        broadcast = self.broadcast
        held = range(broadcast.first, broadcast.end_for(self.view, now) + 1)
        if epoch is not None and seq is not None and seq in held:
            self.cursor = self._shown = seq
        else:
            self.cursor = broadcast.start_for(self.view, now)
        return self.cursor

    def queue_state(self, now: int) -> bool:
        """Queue the broadcast's state if the client lacks it. Returns whether it did."""
        state = self.broadcast.state_for(self.view, now)
        if state is None or state is self._state:
            return False
        fresh = self._state is None
        self._state = state
        self.say(
            state.later(now - self.broadcast.delay(self.view) - state.at) if fresh else state.text
        )
        return True

    def ask(self, request: ActionRequest) -> None:
        self.requests[request.id] = request
        if request.id in self.replied:
            self.replied.remove(request.id)
        if len(self.requests) > MOST_UNANSWERED:
            del self.requests[next(iter(self.requests))]

    def tell(self, answer: Answer) -> None:
        """Answer once, although copies of the request may have been asked again."""
        self.requests.pop(answer.id, None)
        if answer.id not in self.replied:
            self.replied.append(answer.id)
            covers = self.broadcast.covers(self.broadcast.end)
            self.say(frames.answer(answer.id, answer.result, covers))

    def got(self, seq: int, now: int) -> None:
        if seq > self.cursor:
            return
        sent = self._land(seq)
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

    def _more(self, now: int) -> str | None:
        broadcast = self.broadcast
        end = broadcast.end_for(self.view, now)
        if end <= self.cursor:
            return None
        start = broadcast.start_for(self.view, now)
        far = self.cursor < start and end - self.cursor > FAR_BEHIND
        if self.cursor < broadcast.first or far:
            self.cursor = start
            self._metrics.resyncs.inc()
            return frames.resync(start, broadcast.round_at(start))
        text, self.cursor = broadcast.frame(self.view, self.cursor, end, now)
        self._flight.append((self.cursor, now))
        return text

    @property
    def served(self) -> bool:
        """Whether everything available to it has been sent."""
        known = self.cursor >= self.broadcast.end and self.broadcast.informed(self._state)
        return known and not self._short
