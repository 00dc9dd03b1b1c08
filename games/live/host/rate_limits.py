"""How much a connection may ask for: token buckets, refilled by the clock."""

from collections import Counter, deque
from typing import Final

FRAMES_A_SECOND: Final = 60
BURST: Final = 120
FAULTS: Final = 5
FAULTS_MS: Final = 60_000


class TokenBucket:
    """Holds at most `size` tokens and gains one every `every_ms`."""

    def __init__(self, size: int, every_ms: float, now: int) -> None:
        self._size = size
        self._every = every_ms
        self._left = float(size)
        self._at = now

    def take(self, now: int) -> bool:
        self._left = min(self._size, self._left + (now - self._at) / self._every)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class SlidingWindow:
    """Allows a number of actions within a number of ms. Several such limits apply together."""

    def __init__(self, *limits: tuple[int, int]) -> None:
        self._limits = limits
        self._times: deque[int] = deque(maxlen=max(most for most, _ in limits))

    def take(self, now: int) -> bool:
        times = self._times
        if any(len(times) >= most and now - times[-most] < ms for most, ms in self._limits):
            return False
        times.append(now)
        return True


class ConnectionLimit:
    """How many connections are open, in total and per address."""

    def __init__(self, total: int, each: int) -> None:
        self._total = total
        self._each = each
        self._open: Counter[str] = Counter()

    def acquire(self, address: str) -> bool:
        if self._open.total() >= self._total or self._open[address] >= self._each:
            return False
        self._open[address] += 1
        return True

    def release(self, address: str) -> None:
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


class FrameLimits:
    """How many more frames and faults one connection is allowed."""

    def __init__(self, now: int) -> None:
        self._frames = TokenBucket(BURST, 1_000 / FRAMES_A_SECOND, now)
        self._faults = TokenBucket(FAULTS - 1, FAULTS_MS / FAULTS, now)

    def frame(self, now: int) -> bool:
        return self._frames.take(now)

    def fault(self, now: int) -> bool:
        return self._faults.take(now)
