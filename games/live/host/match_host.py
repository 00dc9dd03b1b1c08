"""MatchHost: the one writer of a match, a task of its own outside every connection.

It drives a `LiveMatch` by the clock: let time pass, commit what was decided, tell it. While
a commit is under way, arrivals are stamped and wait. If the log is away, the same commit is
tried again until it is there or the lease is lost; nobody is told anything before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from games.live.host.clock import Clock
from games.live.host.leases import Lease, Log, LogAwayError
from games.live.host.match import LiveMatch
from games.live.host.messages import Answer, Ask, Entry, Roll, Say, Step, Wish
from games.live.host.metrics import Figures
from games.tables.phases import FINISHED
from games.tables.plan import Plan

RETRY_MS: Final = 200
"""How soon a write is tried again while the log is away."""


class Teller(Protocol):
    """Who tells the followers; nothing here waits for them."""

    def told(
        self, match: str, seq: int, entries: Sequence[Entry], answers: Sequence[Answer]
    ) -> None:
        """These lines are committed; the answers belong to them, or are refusals."""

    def state(self, match: str, state: Mapping[str, Any]) -> None:
        """What is not history has changed."""

    def kept(self, match: str) -> None:
        """The state is in the store, for other processes to read."""


class MatchHost:
    """Hosts one match until it is over or the lease is lost."""

    def __init__(
        self,
        game: LiveMatch,
        lease: Lease,
        log: Log,
        clock: Clock,
        teller: Teller,
        *,
        figures: Figures | None = None,
    ) -> None:
        self.game = game
        self.lease = lease
        self._log = log
        self._clock = clock
        self._teller = teller
        self._figures = figures or Figures()
        self._bell = asyncio.Event()
        self._stopping = False

    async def run(self) -> None:
        """Play on until the match is done or `stop` is called. Raises LeaseLostError."""
        while not self._stopping:
            self._bell.clear()
            now = self._clock.now()
            step = self.game.step(now)
            if step:
                await self._commit(step)
            if self.game.phase == FINISHED and self.game.next is None:
                await self._play_again(now)
            done = self.game.done(now)
            if self.game.news or done:
                await self._tell_state(done)
            if done and not self.game.news:
                return
            if not step:
                await self._clock.wait(self._bell, self.game.due(now))

    def stop(self) -> None:
        """End `run` after what it is doing; the match is left as it is for another host."""
        self._stopping = True
        self._bell.set()

    # Arriving

    def arrive(self, ask: Ask) -> None:
        """Stamp an action; it is answered through the teller."""
        answer = self.game.arrive(ask, self._clock.now())
        if answer:
            self._teller.told(self.lease.match, 0, (), (answer,))
        self._bell.set()

    def wish(self, seat: int, wish: Wish) -> None:
        """Take down what a player wants."""
        if isinstance(wish, Say):
            self.game.say(seat, wish.phrase, self._clock.now())
        else:
            self.game.wish(seat, wish)
        self._bell.set()

    def call(self, roll: Roll) -> None:
        """Note who is connected to a process."""
        self.game.call(roll, self._clock.now())
        if self.game.news:
            self._bell.set()

    def reseat(self, plan: Plan) -> None:
        """Follow a plan that has changed."""
        self.game.reseat(plan, self._clock.now())
        self._bell.set()

    @property
    def clock(self) -> int:
        """What the round's clock shows, in ms."""
        return self.game.clock(self._clock.now())

    # Committing and telling

    async def _commit(self, step: Step) -> None:
        seq = max(self.game.seq, 1)
        if step.entries:
            begun = self._clock.now()
            await self._append(seq, step.entries)
            self._figures.commit.note(self._clock.now() - begun)
        answers = self.game.committed(step, self._clock.now())
        self._teller.told(self.lease.match, seq, step.entries, answers)

    async def _append(self, seq: int, entries: Sequence[Entry]) -> None:
        while True:
            try:
                await self._log.append(self.lease, self.game.plan, seq, entries)
            except LogAwayError:
                self._figures.retries += 1
                await self._clock.wait(asyncio.Event(), self._clock.now() + RETRY_MS)
            else:
                return

    async def _tell_state(self, done: bool) -> None:
        self.game.news = False
        state = self.game.state(self._clock.now())
        self._teller.state(self.lease.match, state)
        try:
            await self._log.keep(self.lease, self.game.keep(), state, done)
            self._teller.kept(self.lease.match)
        except LogAwayError:
            self.game.news = True
            await self._clock.wait(asyncio.Event(), self._clock.now() + RETRY_MS)

    async def _play_again(self, now: int) -> None:
        if not self.game.sitters.agreed("rematch", now):
            return
        try:
            plan = self.game.rematch()
            await self._log.rematch(self.lease, plan)
        except LogAwayError:
            await self._clock.wait(asyncio.Event(), self._clock.now() + RETRY_MS)
        else:
            self.game.next, self.game.news = plan.id, True
