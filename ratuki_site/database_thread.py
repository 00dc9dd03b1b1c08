"""Asking the database from the event loop, without waiting for it for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Generic, TypeVar

READY_S: Final = 3.0
"""How long the database may take to answer."""
T = TypeVar("T")


class DatabaseThread(Generic[T]):
    """Asks the database something, one query at a time, in a thread of its own.

    `late`: the result if it takes longer than `READY_S` seconds.
    """

    def __init__(self, ask: Callable[[], T], *, late: T) -> None:
        self._ask = ask
        self._late = late
        self._thread = ThreadPoolExecutor(1, "database")
        self._asked: asyncio.Future[T] | None = None

    async def result(self) -> T:
        """What it answers. Concurrent callers share one query."""
        asked = self._asked
        if asked is None or asked.done():
            loop = asyncio.get_running_loop()
            asked = self._asked = loop.run_in_executor(self._thread, self._ask)
        done, _ = await asyncio.wait((asked,), timeout=READY_S)
        return asked.result() if done else self._late
