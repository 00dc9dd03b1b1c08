"""The exchange: between this process's followers and hosts, and those of other processes.

Where follower and host are in one process nothing here waits. Otherwise an errand is left in
the store for the host, which answers by the log, and by replies. A doorbell makes the other
side look at once; without it, it looks every `POLL_MS`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from games.live.cluster.messages import Item, pack, unpack
from games.live.fanout.bell import Bell
from games.live.fanout.hub import Hub
from games.live.host.clock import Clock
from games.live.host.leases import LogAwayError, News
from games.live.host.match_host import MatchHost
from games.live.host.messages import Answer, Ask, Entry, Roll, Wish
from games.tables.plan import Plan

POLL_MS: Final = 200
RETRY_MS: Final = 200
WAITING: Final = 1_000
"""The most errands and replies that wait to be left; a client asks again for what is lost."""
log: Final = logging.getLogger(__name__)


class Post(Protocol):
    """What is passed between processes. Everything may raise LogAwayError."""

    async def news(self, known: Mapping[str, tuple[int, int]]) -> list[News]:
        """What is new of these matches; for each its next seq and the state's version."""

    async def plans(self, known: Mapping[int, int]) -> dict[int, tuple[int, Plan]]:
        """The changed plans of these tables, with their versions."""

    async def send(self, match: str, body: Mapping[str, Any]) -> None:
        """Leave an errand for whoever hosts the match."""

    async def errands(self, tables: Sequence[int]) -> list[tuple[int, Mapping[str, Any]]]:
        """Fetch the errands for these tables, which are hosted here."""

    async def reply(self, replies: Sequence[tuple[str, Answer]]) -> None:
        """Leave answers for other processes."""

    async def replies(self) -> list[tuple[str, Answer]]:
        """Fetch the answers that were left for this process."""


class Exchange:
    """What followers here ask for goes to hosts, and what hosts here tell goes to followers."""

    def __init__(self, process: str, post: Post, clock: Clock, bell: Bell) -> None:
        self.process = process
        self.hub = Hub(process, clock, self)
        self.hosts: dict[str, MatchHost] = {}
        self._post = post
        self._clock = clock
        self._bell = bell
        self._out: asyncio.Queue[tuple[str, Callable[[], Awaitable[None]]]]
        self._out = asyncio.Queue(WAITING)
        self._rung = asyncio.Event()
        self._plans: dict[int, int] = {}
        self._states: dict[str, int] = {}

    # The hub's desk

    def ask(self, match: str, ask: Ask) -> None:
        """Bring an action to the match's host."""
        self._bring(match, ask)

    def wish(self, match: str, seat: int, wish: Wish) -> None:
        """Bring a wish to the match's host."""
        self._bring(match, (seat, wish))

    def call(self, match: str, roll: Roll) -> None:
        """Tell the match's host who is here."""
        self._bring(match, roll)

    def _bring(self, match: str, item: Item) -> None:
        host = self.hosts.get(match)
        if host is None:
            self._leave(match, lambda: self._post.send(match, pack(item)))
        else:
            hand_over(host, item)

    def _leave(self, match: str, work: Callable[[], Awaitable[None]]) -> None:
        if not self._out.full():
            self._out.put_nowait((match, work))

    # The hosts' teller

    def told(
        self, match: str, seq: int, entries: Sequence[Entry], answers: Sequence[Answer]
    ) -> None:
        """Lines are committed."""
        self.hub.told(match, seq, entries, answers)
        away = [(match, part) for answer in answers for part in self._elsewhere(answer)]
        if away:
            self._leave(match, lambda: self._post.reply(away))
        if entries:
            self._bell.ring(match, seq + len(entries))

    def _elsewhere(self, answer: Answer) -> list[Answer]:
        askers = tuple(asker for asker in answer.askers if asker.process != self.process)
        return [answer._replace(askers=askers)] if askers else []

    def state(self, match: str, state: Mapping[str, Any]) -> None:
        """What is not history has changed."""
        self.hub.state(match, state)

    def kept(self, match: str) -> None:
        """The state is in the store, for other processes to read."""
        self._bell.ring(match, -1)

    # Other processes

    def rung(self, match: str, seq: int) -> None:
        """Another process says that something is new of a match."""
        self.hub.figures.rings += 1
        channel = self.hub.channel(match)
        if match in self.hosts or (channel is not None and seq != channel.end):
            self._rung.set()

    async def send(self) -> None:
        """Leave errands and replies, in order, until cancelled."""
        while True:
            match, work = await self._out.get()
            await self._insist(work)
            self._bell.ring(match, -1)

    async def _insist(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                return await work()
            except LogAwayError as error:
                log.warning("the store is away: %s", error)
                await self._clock.wait(asyncio.Event(), self._clock.now() + RETRY_MS)

    async def poll(self) -> None:
        """Look for what other processes have left, until cancelled."""
        while True:
            self._rung.clear()
            await self._fetch_errands()
            await self.fetch_plans()
            await self._fetch_replies()
            await self._fetch_news()
            await self._clock.wait(self._rung, self._clock.now() + POLL_MS)

    async def _fetch_errands(self) -> None:
        hosts = {host.lease.table: host for host in self.hosts.values()}
        if hosts:
            for table, body in await self._post.errands(list(hosts)):
                try:
                    item = unpack(body)
                except (LookupError, TypeError, ValueError):
                    log.warning("an errand of another release: %s", list(body))
                    continue
                hand_over(hosts[table], item)

    async def fetch_plans(self) -> None:
        """Learn who has sat down or stood up at the tables hosted here."""
        seating = {h.lease.table: h for h in self.hosts.values() if h.game.round is None}
        if not seating:
            return
        known = {table: self._plans.get(table, -1) for table in seating}
        for table, (version, plan) in (await self._post.plans(known)).items():
            if version > self._plans.get(table, -1):
                self._plans[table] = version
                seating[table].reseat(plan)
                self.hub.reseat(seating[table].game.plan)

    async def _fetch_replies(self) -> None:
        if self.hub.remote():
            for match, answer in await self._post.replies():
                self.hub.answer(match, (answer,))

    async def _fetch_news(self) -> None:
        remote = self.hub.remote()
        if not remote:
            return
        known = {match: (seq, self._states.get(match, -1)) for match, seq in remote.items()}
        for news in await self._post.news(known):
            self._states[news.match] = news.version
            self.hub.heard(news)


def hand_over(host: MatchHost, item: Item) -> None:
    """Bring something to a host that is here."""
    if isinstance(item, Ask):
        host.arrive(item)
    elif isinstance(item, Roll):
        host.call(item)
    else:
        host.wish(*item)
