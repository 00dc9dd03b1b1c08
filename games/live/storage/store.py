"""The live store of one process: every database operation that live play needs.

Each operation is one synchronous function with one transaction, run in a thread of this store's own
pool. Hosts' writes and lease renewals go through one more thread (`games.live.storage.writer`), so
that no query waits for a commit. If the database cannot be reached, operations raise
StoreUnavailableError and may or may not have happened, so any that are retried must change nothing
the second time.

Operations are documented by the protocols that this class implements (`LogStore`,
`RelayStore`, `ChatStore`, `LiveStore`) and by the functions named here.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from django.db import connection, transaction

from games.chat import storage as chat
from games.live.host.leases import Reach
from games.live.storage import commits, leases, queries, relay_queue
from games.live.storage.availability import UNAVAILABLE, guarded
from games.live.storage.writer import Writer
from games.models import RelayReply
from games.tables import opening, retention, seats

THREADS: Final = 4
P = ParamSpec("P")
T = TypeVar("T")
Operation = Callable[Concatenate["Store", P], Coroutine[Any, Any, T]]


def query(work: Callable[P, T]) -> Operation[P, T]:
    """An operation that runs in the pool."""

    async def run(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.run(lambda: work(*args, **kwargs))

    return run


def own_query(work: Callable[Concatenate[str, P], T]) -> Operation[P, T]:
    """An operation that runs in the pool and receives the calling process's name."""

    async def run(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store.run(lambda: work(store.process, *args, **kwargs))

    return run


def own_write(work: Callable[Concatenate[str, P], T]) -> Operation[P, T]:
    """A change to many tables' rows, which runs in the hosts' own thread.

    Concurrently, such a change and a commit for many hosts could deadlock.
    """

    async def run(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        returned: list[T] = []
        await store.writer.do(lambda: returned.append(work(store.process, *args, **kwargs)))
        return returned[0]

    return run


def commit(work: Callable[Concatenate[commits.Commits, P], None]) -> Operation[P, None]:
    """A write by a host."""

    async def run(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> None:
        await store.writer.do(lambda: work(store.commits, *args, **kwargs))

    return run


class Store:
    def __init__(self, process: str) -> None:
        self.process = process
        self.writer = Writer()
        self.commits = commits.Commits()
        self._pool = ThreadPoolExecutor(THREADS, "live-store")

    async def run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, guarded, work)

    def close(self) -> None:
        """Release the connections and stop the threads."""
        together = Barrier(THREADS)

        def leave() -> None:
            together.wait(10)
            connection.close()

        for done in [self._pool.submit(leave) for _ in range(THREADS)]:
            done.result()
        self._pool.shutdown()
        self.writer.close()

    @property
    def embedded(self) -> bool:
        """Whether the database is a file, where writers wait for each other."""
        return connection.vendor == "sqlite"

    async def probe(self) -> Reach:
        """Write something. Returns how far that succeeded. Raises StoreUnavailableError."""
        return Reach.WHOLE if await self.run(writes) else Reach.READING

    # What hosts need
    claim = own_query(leases.claim)
    renew = own_write(leases.renew)
    release = own_write(leases.release)
    open_house = query(opening.open_house_matches)
    tidy = query(retention.forget_some_tables)
    append = commit(commits.Commits.append)
    save_state = commit(commits.Commits.save_state)
    rematch = commit(commits.Commits.rematch)

    # Following
    tail = query(queries.tail)
    round_of = query(queries.round_of)
    shared = query(queries.shared)
    sits = query(seats.sits)

    # Between processes
    news = query(queries.news)
    plans = query(queries.plans)
    send = own_query(relay_queue.send)
    requests = own_query(relay_queue.requests)
    reply = query(relay_queue.reply)
    replies = own_query(relay_queue.replies)

    # The spectators' chat
    chat_news = query(chat.news)
    chat_add = query(chat.add)
    chat_report = query(chat.report)


def writes() -> bool:
    """Write to the database, and leave nothing behind. False if it can only be read.

    Raises StoreUnavailableError.
    """
    return guarded(_writes)


def _writes() -> bool:
    try:
        with transaction.atomic():
            RelayReply.objects.create(process="probe", body={}).delete()
    except UNAVAILABLE as error:
        if getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            return True  # another process is writing
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return False
    return True
