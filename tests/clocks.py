"""A clock that tests turn by hand."""

import asyncio


class ManualClock:
    """A clock that stands still until `advance` is called."""

    def __init__(self, now: int = 1_000_000) -> None:
        self._now = now
        self._advanced = asyncio.Event()

    def now(self) -> int:
        """The current time."""
        return self._now

    def date(self) -> str:
        """Always the same."""
        return "2026-11-21T10:00:00Z"

    def advance(self, ms: int) -> int:
        """Advance by this many ms; returns the new time."""
        if ms < 0:
            raise ValueError(f"time must not fall: {ms} ms")
        self._now += ms
        self._advanced.set()
        self._advanced = asyncio.Event()
        return self._now

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        """Return when `event` is set or the clock has been advanced to `until`."""
        while not event.is_set() and (until is None or self._now < until):
            waits = [
                asyncio.ensure_future(event.wait()),
                asyncio.ensure_future(self._advanced.wait()),
            ]
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
