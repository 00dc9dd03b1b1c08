"""A match's log by pieces, for a crowd: answers that any cache may keep.

The log is cut at each deal, and every `PIECE` lines after it, so all processes cut it alike. A
piece is a `lines` frame and never changes. The latest answer has the state and the pieces of the
last seconds, of which the last one may still grow. All of it is what a stranger sees on a socket.
docs/reference/protocol.md has the addresses.
"""

from collections import Counter, deque
from collections.abc import Iterator
from typing import Final

from games.live.fanout.broadcast import Broadcast
from games.live.fanout.frames import SPECTATOR

PIECE: Final = 64
"""The most lines in a piece."""
RECENT_MS: Final = 10_000
"""The latest answer has at least the lines of this time."""
SEEN_MS: Final = 65_000
"""Each spectator by pieces is heard of once a minute."""
MOST_SEEN: Final = 1_024
MOST_OF_NETWORK: Final = 250
"""About so many spectators of one network are counted, as many as it may open sockets."""
MOST_SAMPLE: Final = 4_096
ENOUGH: Final = 256
"""In larger crowds only a sample is heard of: between this many and twice as many."""
MOST_KEPT: Final = 64
"""The most answers kept for one match."""


def cut_before(broadcast: Broadcast, seq: int) -> int:
    """The last cut at or before a line."""
    deal, _ = broadcast.round_span(seq)
    return deal + (seq - deal) // PIECE * PIECE


def cut_after(broadcast: Broadcast, seq: int) -> int:
    """The next cut after a line. It may lie beyond the log's end."""
    _, following = broadcast.round_span(seq)
    cut = cut_before(broadcast, seq) + PIECE
    return cut if following is None else min(cut, following)


def piece(broadcast: Broadcast, seq: int) -> str | None:
    """The lines from `seq` up to the next cut. None while that is not reached."""
    if not broadcast.first <= seq < broadcast.end:
        return None
    end = cut_after(broadcast, seq)
    return broadcast.lines(SPECTATOR, seq, end) if end <= broadcast.end else None


def latest(broadcast: Broadcast, now: int, *, sample: int, room: int) -> str:
    """Everything that a spectator needs who has the pieces before it."""
    state = broadcast.state_for(SPECTATOR, now)
    shown = [] if state is None else [state.later(now - state.at)]
    place = f'"epoch":{broadcast.epoch},"seq":{broadcast.end},"deal":{_deal(broadcast)}'
    over = "true" if broadcast.over else "false"
    crowd = f'"over":{over},"sample":{sample},"room":{room}'
    body = ",".join((*_recent(broadcast, now), *shown))
    return f'{{"type":"latest",{place},{crowd},"frames":[{body}]}}'


def _deal(broadcast: Broadcast) -> int:
    """The seq of the current round's deal."""
    return broadcast.round_span(max(broadcast.end - 1, broadcast.first))[0]


def _recent(broadcast: Broadcast, now: int) -> Iterator[str]:
    """The pieces of the last seconds."""
    start = cut_before(broadcast, broadcast.seq_at(now - RECENT_MS))
    while start < broadcast.end:
        end = min(cut_after(broadcast, start), broadcast.end)
        current = start >= _deal(broadcast)
        clock = broadcast.now_for(SPECTATOR, end, now) if current else None
        yield broadcast.lines(SPECTATOR, start, end, clock)
        start = end


def sample_of(watching: int) -> int:
    """One of how many spectators by pieces is heard of."""
    sample = 1
    while watching >= 2 * ENOUGH * sample and sample < MOST_SAMPLE:
        sample *= 2
    return sample


class Crowd:
    """The spectators of one match who follow it by pieces, and the answers kept for them.

    They are counted roughly: nothing is known of each, and for a minute of its network. Every `now`
    is on this process's clock.
    """

    def __init__(self, now: int) -> None:
        self.asked = now
        """When anyone last asked."""
        self.checked = now
        """When it was last made sure that there may be pieces of this match."""
        self.answers: dict[int, bytes] = {}
        """Pieces as sent, by the seq of their first line."""
        self.latest: tuple[int, bytes] | None = None
        """The latest answer as sent, and when it was made."""
        self._seen: deque[tuple[int, int, str]] = deque()
        self._of_network: Counter[str] = Counter()

    def note(self, sample: int, network: str, now: int) -> None:
        """One of `sample` spectators is there.

        A sample follows from the size: without a bound for a network, one client could raise both
        without end.
        """
        self._forget(now - SEEN_MS)
        if self._of_network[network] < MOST_OF_NETWORK and len(self._seen) < MOST_SEEN:
            self._seen.append((now, sample, network))
            self._of_network[network] += sample

    def size(self, now: int) -> int:
        """About how many there are."""
        self._forget(now - SEEN_MS)
        return self._of_network.total()

    def _forget(self, until: int) -> None:
        while self._seen and self._seen[0][0] <= until:
            _, sample, network = self._seen.popleft()
            self._of_network[network] -= sample
            if not self._of_network[network]:
                del self._of_network[network]

    def keep(self, seq: int, answer: bytes) -> None:
        if len(self.answers) >= MOST_KEPT:
            del self.answers[next(iter(self.answers))]
        self.answers[seq] = answer
