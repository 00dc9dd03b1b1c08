"""MatchHost: the only writer of a match, in its own task outside every connection.

It drives a `LiveMatch` by the clock: process the time, commit the decisions, publish them. During a
commit, arrivals are stamped and wait. If the store is unavailable, the same write is retried until
it succeeds or the lease is lost. Nothing is published or decided before. No one counts as away for
that time, since no one could be here.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, Protocol

from games.live.host.client_frames import Command, Say
from games.live.host.clock import Clock
from games.live.host.leases import Lease, LogStore, StoreUnavailableError
from games.live.host.match import LiveMatch
from games.live.host.metrics import Metrics
from games.live.host.requests import ActionRequest, Answer, LogEntry, PresenceReport, Step
from games.records.log import Header
from games.tables.plan import Plan
from games.tables.state import OVER, MatchState

RETRY_MS: Final = 200
"""How soon a write is retried while the store is unavailable."""
STUCK_MS: Final = 1_000
"""A store unavailable for so long has cost the players their connections."""


class Publisher(Protocol):
    """Passes news on to the followers. Nothing here waits for them."""

    def begin(self, match: str, header: Header) -> None:
        """The log begins with this line."""

    def publish(
        self, match: str, seq: int, entries: Sequence[LogEntry], answers: Sequence[Answer]
    ) -> None:
        """These lines and answers are committed."""

    def publish_state(self, match: str, state: MatchState) -> None:
        """The state has changed."""

    def state_saved(self, match: str) -> None:
        """The state has been stored, so other processes can read it."""


class MatchHost:
    """Hosts one match until it is over or the lease is lost."""

    def __init__(
        self,
        match: LiveMatch,
        lease: Lease,
        log: LogStore,
        clock: Clock,
        publisher: Publisher,
        *,
        metrics: Metrics | None = None,
    ) -> None:
        self.match = match
        self.lease = lease
        self._log = log
        self._clock = clock
        self._publisher = publisher
        self._metrics = metrics or Metrics()
        self._wake = asyncio.Event()
        self._stopping = False
        self._failing_since: int | None = None

    @property
    def stuck(self) -> bool:
        """Whether a commit has failed again and again for `STUCK_MS`."""
        since = self._failing_since
        return since is not None and self._clock.now() - since >= STUCK_MS

    async def run(self) -> None:
        """Play until the match is done or `stop` is called. Raises LeaseLostError."""
        while not self._stopping:
            self._wake.clear()
            now = self._clock.now()
            step = self.match.step(now)
            if step:
                await self._commit(step)
            if self.match.phase in OVER and self.match.beside.next is None:
                await self._play_again(now)
            done = self.match.done(now)
            if self.match.dirty or done:
                await self._write_until_stored(partial(self._publish_state, done))
            if done and not self.match.dirty:
                return
            if not step:
                await self._clock.wait(self._wake, self.match.due(now))

    def stop(self) -> None:
        """End `run` after its current work, leaving the match to another host."""
        self._stopping = True
        self._wake.set()

    # Arriving

    def arrive(self, request: ActionRequest) -> None:
        """Stamp an action. Its answer goes through the publisher."""
        answer = self.match.arrive(request, self._clock.now())
        if answer:
            self._publisher.publish(self.lease.match, 0, (), (answer,))
        self._wake.set()

    def command(self, seat: int, command: Command) -> None:
        if isinstance(command, Say):
            self.match.say(seat, command.phrase, self._clock.now())
        else:
            self.match.command(seat, command)
        self._wake.set()

    def report_presence(self, report: PresenceReport) -> None:
        self.match.report_presence(report, self._clock.now())
        if self.match.dirty:
            self._wake.set()

    def reseat(self, plan: Plan) -> None:
        self.match.reseat(plan, self._clock.now())
        self._wake.set()

    @property
    def clock(self) -> int:
        """The round's clock, in ms."""
        return self.match.clock(self._clock.now())

    # Committing and publishing

    async def _commit(self, step: Step) -> None:
        seq = max(self.match.seq, 1)
        if step.entries and seq == 1:
            step = step._replace(header=self.match.plan.header(self._clock.date()))
        if step.written:
            begun = self._clock.now()
            await self._write_until_stored(
                partial(self._log.append, self.lease, self.match.plan, seq, step)
            )
            self._metrics.commit.observe((self._clock.now() - begun) / 1_000)
        answers = self.match.committed(step, self._clock.now())
        if step.header:
            self._publisher.begin(self.lease.match, step.header)
        self._publisher.publish(self.lease.match, seq, step.entries, answers)

    async def _write_until_stored(self, write: Callable[[], Awaitable[None]]) -> None:
        """Write, again and again while the store is unavailable. Raises LeaseLostError."""
        begun = self._clock.now()
        while True:
            try:
                await write()
            except StoreUnavailableError:
                self._metrics.retries.inc()
                self._failing_since = begun
                await self._clock.wait(asyncio.Event(), self._clock.now() + RETRY_MS)
            else:
                break
        if self.stuck:
            self.match.excuse(begun, self._clock.now())
        self._failing_since = None

    async def _publish_state(self, done: bool) -> None:
        self.match.dirty = False
        now = self._clock.now()
        state, host_state = self.match.state(now), self.match.host_state(now)
        self._publisher.publish_state(self.lease.match, state)
        await self._log.save_state(self.lease, host_state, state, done)
        self._publisher.state_saved(self.lease.match)

    async def _play_again(self, now: int) -> None:
        if self.match.presence.agreed("rematch", now):
            plan = self.match.rematch()
            await self._write_until_stored(partial(self._log.rematch, self.lease, plan))
            self.match.beside.next, self.match.dirty = plan.id, True
