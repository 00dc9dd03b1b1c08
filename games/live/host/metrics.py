"""What a process counts for its operator: plain numbers, added up since it started.

Nothing here decides anything. Who shows them to the outside is not known here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import accumulate
from typing import Final

EDGES_MS: Final = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000)


class Times:
    """How long something took, as counts by `EDGES_MS`; the last count is of what took longer."""

    def __init__(self) -> None:
        self.counts = [0] * (len(EDGES_MS) + 1)
        self.total_ms = 0

    def note(self, ms: int) -> None:
        """It took so long once more."""
        self.counts[bisect_left(EDGES_MS, ms)] += 1
        self.total_ms += ms

    def up_to(self) -> list[int]:
        """For each edge, how often it took at most that long; at last, how often at all."""
        return list(accumulate(self.counts))


class Figures:
    """One process's numbers."""

    def __init__(self) -> None:
        self.lines = 0
        """Lines of logs committed here."""
        self.retries = 0
        """Commits tried again because the log was away."""
        self.takeovers = 0
        """Tables taken that another host had begun."""
        self.lost = 0
        """Leases lost to other processes."""
        self.rings = 0
        """Doorbells of other processes heard."""
        self.refused: Counter[str] = Counter()
        """Refused actions by rule."""
        self.closed: Counter[int] = Counter()
        """Sockets closed from this side, by code."""
        self.resyncs = 0
        """Followers that could not keep up and were brought to the current round."""
        self.commit = Times()
        """From a decision to its commit."""
        self.players = Times()
        """From a commit to the sockets of all players here."""
        self.spectators = Times()
        """From a batch's close to the sockets of all spectators here."""
        self.late = Times()
        """How much later than due a batch was closed: what the event loop lags."""
