"""The writer: one thread of a process that writes for all its hosts.

Jobs waiting at the same time share one transaction, so fifty matches cost hardly more commits than
one. No two threads of a process wait for the same lock of an embedded database. Each job is still
all or nothing by itself: one that fails undoes only its own changes.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from django.db import connection, transaction

from games.live.storage.availability import UNAVAILABLE, guarded

MAX_JOBS: Final = 64
"""The most jobs in one transaction."""
Work = Callable[[], None]
Failure = Exception | None


class Writer:
    """Runs jobs in the order in which they arrive. For use from one event loop."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "live-writer")
        self._waiting: list[tuple[Work, asyncio.Future[None]]] = []
        self._busy = False

    async def do(self, work: Work) -> None:
        """Return when the job is committed. Raises the job's error, or StoreUnavailableError.

        After StoreUnavailableError the job may have been committed all the same. Callers retry it.
        """
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if not self._busy:
            self._begin()
        await done

    def close(self) -> None:
        """Release the connection and stop the thread."""
        self._thread.submit(_leave).result()
        self._thread.shutdown()

    def _begin(self) -> None:
        taken, self._waiting = self._waiting[:MAX_JOBS], self._waiting[MAX_JOBS:]
        self._busy = True
        works = [work for work, _ in taken]
        writing = asyncio.get_running_loop().run_in_executor(self._thread, together, works)
        writing.add_done_callback(partial(self._end, [done for _, done in taken]))

    def _end(
        self, waiting: Sequence[asyncio.Future[None]], writing: asyncio.Future[list[Failure]]
    ) -> None:
        self._busy = False
        if self._waiting:
            self._begin()
        away = writing.exception()
        failures = [away] * len(waiting) if away else writing.result()
        for done, failure in zip(waiting, failures, strict=True):
            if done.cancelled():
                continue
            if failure is None:
                done.set_result(None)
            else:
                done.set_exception(failure)


def together(works: Sequence[Work]) -> list[Failure]:
    """Run jobs in one transaction. Returns each job's error. Raises StoreUnavailableError."""
    return guarded(_all, works)


def _all(works: Sequence[Work]) -> list[Failure]:
    if len(works) == 1:
        return [_part(works[0])]
    with transaction.atomic():
        return [_part(work) for work in works]


def _part(work: Work) -> Failure:
    """Run a job in its own transaction, or a savepoint within one. Returns its error."""
    try:
        with transaction.atomic():
            work()
    except UNAVAILABLE:
        raise
    except Exception as failure:  # noqa: BLE001 - raised in the task that waits for it
        return failure
    return None


def _leave() -> None:
    connection.close()  # looked up here: each thread has its own
