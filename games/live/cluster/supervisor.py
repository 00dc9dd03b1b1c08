"""The supervisor: one per process. It takes leases, and starts and stops hosts.

- A table without a host, because it is new or its host has died, is taken within `SCAN_MS` of
  its lease's end, so play resumes within 10 s.
- With `house`, that many matches between bots are kept going, however many processes do this.
- With `keep_days`, tables that have been over for that many days are deleted.
- While the database cannot be used, all connections are closed: another process may reach it.
- Leases are renewed for all hosts at once. A host that loses its lease is stopped. The lease of
  a host that failed is not renewed, so its table is taken again, from the log, by this process
  or another.

Every task here is supervised: one that fails is logged and restarted.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from random import SystemRandom
from typing import Final, Literal, Protocol

from games.live.cluster.database_watch import DatabaseWatch
from games.live.cluster.relay import Relay, RelayStore
from games.live.fanout.chat import Chats, ChatStore
from games.live.fanout.close_codes import NO_DATABASE
from games.live.fanout.doorbell import Doorbell
from games.live.fanout.pieces import Crowd
from games.live.host.clock import Clock, pause
from games.live.host.leases import (
    Lease,
    LeaseLostError,
    LogStore,
    LogTail,
    Reach,
    StoreUnavailableError,
)
from games.live.host.match import LiveMatch
from games.live.host.match_host import MatchHost
from games.live.host.timing import Timing
from games.people.person import Person

SCAN_MS: Final = 1_000
RENEW_MS: Final = 1_500
HOUSE_MS: Final = 2_000
"""How often to check for missing house matches."""
TIDY_MS: Final = 3_600_000
"""How often old tables are deleted."""
SHARED_MS: Final = 5_000
"""How often it is checked that there may be pieces of a match."""
MOST_WAITING: Final = 64
"""Requests for matches that have no crowd yet which may wait."""
MOST_CROWDS: Final = 256
"""Matches with pieces at a time. Spectators of others get sockets."""
STOP_S: Final = 5
log: Final = logging.getLogger(__name__)


async def keep_running(name: str, work: Callable[[], Awaitable[None]], clock: Clock) -> None:
    """Keep a service running, whatever happens to it."""
    while True:
        try:
            await work()
        except StoreUnavailableError as error:
            log.warning("%s: the database is away: %s", name, error)
        except Exception:
            log.exception("%s failed", name)
        await pause(clock, SCAN_MS)


class BoundedLock(asyncio.Lock):
    """A lock for which at most `most` may wait. `acquire` raises StoreUnavailableError for more."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._asking = 0

    async def acquire(self) -> Literal[True]:
        if self._asking >= self._most:
            raise StoreUnavailableError("too much is asked of the store")
        self._asking += 1
        try:
            return await super().acquire()
        finally:
            self._asking -= 1


class LiveStore(LogStore, RelayStore, ChatStore, Protocol):
    """The store's operations for a supervisor. Every method may raise StoreUnavailableError."""

    @property
    def embedded(self) -> bool:
        """Whether writers wait for each other, so that a slow write is no fault."""

    async def probe(self) -> Reach:
        """Write something. Returns how far that succeeded."""

    async def claim(self) -> list[Lease]:
        """Take the leases of tables without a host."""

    async def renew(self, tables: Iterable[int]) -> set[Lease]:
        """Renew this process's leases of these tables. Returns those it still has."""

    async def release(self) -> None:
        """Give up all leases of this process."""

    async def open_house(self, count: int) -> int:
        """Open missing house matches. Returns how many."""

    async def sits(self, match: str, persons: Sequence[Person]) -> bool:
        """Whether one of these persons sits at an unfinished table."""

    async def tidy(self, days: int) -> bool:
        """Delete some tables over for that many days. Returns whether there may be more."""

    async def tail(self, match: str) -> LogTail | None:
        """The end of a match, since the deal of its last round. None without such a table."""

    async def round_of(self, match: str, seq: int) -> LogTail | None:
        """The round of a line as a log that ends with it, or the last round. None without one."""

    async def shared(self, match: str) -> bool:
        """Whether caches may keep a match's log: everyone may watch it, without delay."""


class Supervisor:
    """The hosts and followers of one process."""

    def __init__(
        self,
        process: str,
        store: LiveStore,
        clock: Clock,
        doorbell: Doorbell,
        *,
        house: int = 0,
        keep_days: int = 0,
    ) -> None:
        self.relay = Relay(process, store, clock, doorbell)
        self.chat = Chats(store, clock, doorbell)
        self.hub = self.relay.hub
        self.hosts = self.relay.hosts
        self.store = store
        self._clock = clock
        self._timing = Timing()
        self._house = house
        self._keep_days = keep_days
        self._random = SystemRandom()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._service: list[asyncio.Task[None]] = []
        self._scan = asyncio.Event()
        self._guesses = BoundedLock(MOST_WAITING)
        """Guesses at matches take one of the store's threads at most."""
        self.letting_go: list[Callable[[], None]] = [lambda: self.hub.let_go(NO_DATABASE)]
        """Called while the database is away."""
        self.watch = DatabaseWatch(
            store.probe, clock, self._let_go, self._stuck, hangs=not store.embedded
        )

    # Life

    def start(self) -> None:
        """Start serving. Needs a running event loop."""
        works: list[tuple[str, Callable[[], Awaitable[None]]]] = [
            ("watch", self.watch.run),
            ("claim", self._claim_for_ever),
            ("renew", self._renew_for_ever),
            *([("house", self._open_house_for_ever)] if self._house else []),
            *([("tidy", self._tidy_for_ever)] if self._keep_days else []),
            ("poll", self.relay.poll),
            ("send", self.relay.send),
            ("hub", self.hub.run),
            ("write", self.chat.write),
            ("chat", self.chat.tell),
        ]
        self._service = [
            asyncio.create_task(keep_running(*work, self._clock), name=work[0]) for work in works
        ]

    def _stuck(self) -> bool:
        return any(host.stuck for host in self.hosts.values())

    def _let_go(self) -> None:
        for close in self.letting_go:
            close()

    def measure(self) -> None:
        """Set the gauges to what there is now."""
        metrics, sockets = self.hub.metrics, self.hub.sockets
        metrics.matches.clear()
        for phase, count in Counter(host.match.phase for host in self.hosts.values()).items():
            metrics.matches.labels(phase).set(count)
        for kind in ("player", "spectator", "open"):
            metrics.sockets.labels(kind).set(sockets[kind])

    async def drain(self) -> None:
        """Shut down cleanly: close the connections, stop the hosts, give up the leases."""
        self.hub.drain()
        for host in self.hosts.values():
            host.stop()
        tasks = [*self._tasks.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_S)
        for task in [*tasks, *self._service]:
            task.cancel()
        await asyncio.gather(*tasks, *self._service, return_exceptions=True)
        try:
            await self.store.release()
        except StoreUnavailableError as error:
            log.warning("leases not given back: %s", error)

    def rung(self, match: str, seq: int) -> None:
        self.relay.rung(match, seq)
        self.chat.rung(match)

    async def crowd(self, match: str) -> Crowd | None:
        """The match's spectators by pieces. None where it has no pieces.

        Raises StoreUnavailableError.
        """
        now, crowds = self._clock.now(), self.hub.crowds
        if match not in crowds:
            async with self._guesses:
                new = match not in crowds  # while this one waited
                if new and (not await self.store.shared(match) or len(crowds) >= MOST_CROWDS):
                    return None
                crowds.setdefault(match, Crowd(now))
        crowd = crowds[match]
        crowd.asked = now
        if now - crowd.checked >= SHARED_MS:
            crowd.checked = now  # others need not wait for this
            if not await self.store.shared(match):
                crowds.pop(match, None)
                return None
        return crowd

    def scan(self) -> None:
        """Look for a table to host now."""
        self._scan.set()

    # Leases

    async def _claim_for_ever(self) -> None:
        while True:
            self._scan.clear()
            for lease in await self.store.claim():
                await self._begin(lease)
            await self._clock.wait(self._scan, self._clock.now() + SCAN_MS)

    async def _open_house_for_ever(self) -> None:
        while True:
            if await self.store.open_house(self._house):
                self.scan()
            await pause(self._clock, HOUSE_MS)

    async def _tidy_for_ever(self) -> None:
        while True:
            more = await self.store.tidy(self._keep_days)
            await pause(self._clock, SCAN_MS if more else TIDY_MS)

    async def _begin(self, lease: Lease) -> None:
        """Host a table whose lease was taken. If it cannot be read, its lease expires."""
        tail = await self.store.tail(lease.match)
        if tail is None:
            return
        old = self._tasks.get(lease.match)
        if old is not None:
            old.cancel()
            await asyncio.wait([old])
        game, metrics = self._live_match(tail), self.hub.metrics
        if lease.epoch > 1:
            metrics.takeovers.inc()
        host = MatchHost(game, lease, self.store, self._clock, self.relay, metrics=metrics)
        self.hosts[lease.match] = host
        self.hub.open(tail._replace(epoch=lease.epoch)).clock = lambda: host.clock
        self.hub.report_presence(lease.match)
        self._tasks[lease.match] = asyncio.create_task(self._host(host), name=lease.match)
        log.info("hosting %s, epoch %d", lease.match, lease.epoch)

    def _live_match(self, tail: LogTail) -> LiveMatch:
        now = self._clock.now()
        match = LiveMatch(tail.plan, self._random, now, self._timing)
        match.resume(tail, now)
        return match

    async def _host(self, host: MatchHost) -> None:
        match = host.lease.match
        try:
            await host.run()
        except LeaseLostError:
            self.hub.metrics.lost.inc()
            log.warning("%s is hosted by another process now", match)
        except Exception:
            log.exception("the host of %s failed", match)
        finally:
            self._end(host)

    def _end(self, host: MatchHost) -> None:
        match = host.lease.match
        del self.hosts[match], self._tasks[match]
        broadcast = self.hub.broadcast(match)
        if broadcast is not None:
            broadcast.clock = None
            broadcast.over = host.match.done(self._clock.now())

    async def _renew_for_ever(self) -> None:
        while True:
            await pause(self._clock, RENEW_MS)
            hosts = list(self.hosts.values())
            held = await self.store.renew(host.lease.table for host in hosts) if hosts else set()
            for host in hosts:
                if host.lease not in held and not host.match.done(self._clock.now()):
                    task = self._tasks.get(host.lease.match)
                    if task is not None:
                        self.hub.metrics.lost.inc()
                        log.warning("the lease of %s is gone", host.lease.match)
                        task.cancel()
