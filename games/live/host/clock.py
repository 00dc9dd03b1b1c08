"""Clocks: whole ms on a monotonic scale, the date, and waiting for a time or an event.

Everything in `games.live` is given its clock: `MonotonicClock` is the machine's.
"""

import asyncio
import contextlib
from datetime import UTC, datetime
from time import monotonic_ns
from typing import Final, Protocol

_NS: Final = 1_000_000


class Clock(Protocol):
    """Keeps the time and wakes up those waiting for it."""

    def now(self) -> int:
        """Whole ms since some moment in the past. Never decreases."""

    def date(self) -> str:
        """The date and the time of day, as a record's header has it."""

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        """Return when `event` is set or `until` has come (None: only when it is set)."""


class MonotonicClock:
    """The machine's monotonic clock, unaffected by changes of the date."""

    def now(self) -> int:
        """Whole ms since some fixed moment."""
        return monotonic_ns() // _NS

    def date(self) -> str:
        """The machine's date: `YYYY-MM-DDTHH:MM:SSZ`."""
        return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        left = None if until is None else (until * _NS - monotonic_ns()) / 1e9
        if left is not None and left <= 0:
            await asyncio.sleep(0)  # yield to other tasks, however late we are
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), left)


async def pause(clock: Clock, ms: int) -> None:
    await clock.wait(asyncio.Event(), clock.now() + ms)
