"""The relay: between this process's followers and hosts, and those of other processes.

If follower and host are in the same process, nothing here waits. Otherwise a request is left in the
store for the host, which answers through the log and through replies. The doorbell makes the other
side look at once. Without it, it looks every `POLL_MS`. Requests travel as JSON.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Protocol

from pydantic import Field, TypeAdapter

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.live.fanout.doorbell import Doorbell
from games.live.fanout.hub import Hub
from games.live.host.client_frames import Command
from games.live.host.clock import Clock
from games.live.host.leases import LogUpdate, StoreUnavailableError
from games.live.host.match_host import MatchHost
from games.live.host.requests import ActionRequest, Answer, ConnectionId, LogEntry, PresenceReport
from games.records.log import Header
from games.tables.plan import Plan
from games.tables.state import MatchState

POLL_MS: Final = 200
RETRY_MS: Final = 200
WAITING: Final = 1_000
"""The most requests and replies waiting to be stored. Clients repeat lost ones."""
log: Final = logging.getLogger(__name__)


class RelayStore(Protocol):
    """Data exchanged between processes. Every method may raise StoreUnavailableError."""

    async def news(self, known: Mapping[str, tuple[int, int]]) -> list[LogUpdate]:
        """The news of these matches. `known`: for each, its next seq and the state's version."""

    async def plans(self, known: Mapping[int, int]) -> dict[int, tuple[int, Plan]]:
        """The changed plans of these tables, with their versions."""

    async def send(self, match: str, body: Mapping[str, Any]) -> None:
        """Leave a request for the match's host."""

    async def requests(self, tables: Sequence[int]) -> list[tuple[int, Mapping[str, Any]]]:
        """Fetch the requests for these tables, all hosted here."""

    async def reply(self, replies: Sequence[tuple[str, Answer]]) -> None:
        """Leave answers for other processes."""

    async def replies(self) -> list[tuple[str, Answer]]:
        """Fetch the answers left for this process."""


class Relay:
    """Carries requests from followers here to hosts, and news from hosts here to followers."""

    def __init__(self, process: str, store: RelayStore, clock: Clock, doorbell: Doorbell) -> None:
        self.process = process
        self.hub = Hub(process, clock, self)
        self.hosts: dict[str, MatchHost] = {}
        self._store = store
        self._clock = clock
        self._bell = doorbell
        self._out: asyncio.Queue[tuple[str, Callable[[], Awaitable[None]]]]
        self._out = asyncio.Queue(WAITING)
        self._rung = asyncio.Event()
        self._plans: dict[int, int] = {}
        self._states: dict[str, int] = {}

    # For the hub

    def request(self, match: str, request: ActionRequest) -> None:
        self._bring(match, request)

    def command(self, match: str, seat: int, command: Command) -> None:
        self._bring(match, (seat, command))

    def report_presence(self, match: str, report: PresenceReport) -> None:
        self._bring(match, report)

    def _bring(self, match: str, item: Item) -> None:
        host = self.hosts.get(match)
        if host is None:
            self._leave(match, lambda: self._store.send(match, pack(item)))
        else:
            hand_over(host, item)

    def _leave(self, match: str, work: Callable[[], Awaitable[None]]) -> None:
        if not self._out.full():
            self._out.put_nowait((match, work))

    # For hosts

    def begin(self, match: str, header: Header) -> None:
        self.hub.begin(match, header)

    def publish(
        self, match: str, seq: int, entries: Sequence[LogEntry], answers: Sequence[Answer]
    ) -> None:
        self.hub.publish(match, seq, entries, answers)
        away = [(match, part) for answer in answers for part in self._elsewhere(answer)]
        if away:
            self._leave(match, lambda: self._store.reply(away))
        if entries:
            self._bell.ring(match, seq + len(entries))

    def _elsewhere(self, answer: Answer) -> list[Answer]:
        connections = tuple(
            connection for connection in answer.connections if connection.process != self.process
        )
        return [answer._replace(connections=connections)] if connections else []

    def publish_state(self, match: str, state: MatchState) -> None:
        self.hub.publish_state(match, state)

    def state_saved(self, match: str) -> None:
        self._bell.ring(match, -1)

    # Other processes

    def rung(self, match: str, seq: int) -> None:
        """Handle a ring from another process: a match has news."""
        self.hub.metrics.rings.inc()
        broadcast = self.hub.broadcast(match)
        if match in self.hosts or (broadcast is not None and seq != broadcast.end):
            self._rung.set()

    async def send(self) -> None:
        """Store requests and replies, in order, until cancelled."""
        while True:
            match, work = await self._out.get()
            await self._insist(work)
            self._bell.ring(match, -1)

    async def _insist(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                return await work()
            except StoreUnavailableError as error:
                log.warning("the store is away: %s", error)
                await self._clock.wait(asyncio.Event(), self._clock.now() + RETRY_MS)

    async def poll(self) -> None:
        """Fetch what other processes have left, until cancelled."""
        while True:
            self._rung.clear()
            await self._fetch_requests()
            await self.fetch_plans()
            await self._fetch_replies()
            await self._fetch_news()
            await self._clock.wait(self._rung, self._clock.now() + POLL_MS)

    async def _fetch_requests(self) -> None:
        hosts = {host.lease.table: host for host in self.hosts.values()}
        if hosts:
            for table, body in await self._store.requests(list(hosts)):
                try:
                    item = unpack(body)
                except (LookupError, TypeError, ValueError):
                    log.warning("a request of another release: %s", list(body))
                    continue
                hand_over(hosts[table], item)

    async def fetch_plans(self) -> None:
        """Fetch changes of seats at the tables hosted here."""
        seating = {h.lease.table: h for h in self.hosts.values() if h.match.round is None}
        if not seating:
            return
        known = {table: self._plans.get(table, -1) for table in seating}
        for table, (version, plan) in (await self._store.plans(known)).items():
            if version > self._plans.get(table, -1):
                self._plans[table] = version
                host = seating[table]
                host.reseat(plan)
                self.hub.reseat(host.match.plan)
                # A player who has just sat down learns that first: the host says it when it wakes.
                self.hub.publish_state(host.lease.match, host.match.state(self._clock.now()))

    async def _fetch_replies(self) -> None:
        if self.hub.remote():
            for match, answer in await self._store.replies():
                self.hub.answer(match, (answer,))

    async def _fetch_news(self) -> None:
        remote = self.hub.remote()
        if not remote:
            return
        known = {match: (seq, self._states.get(match, -1)) for match, seq in remote.items()}
        for news in await self._store.news(known):
            self._states[news.match] = news.version
            self.hub.update(news)


def hand_over(host: MatchHost, item: Item) -> None:
    if isinstance(item, ActionRequest):
        host.arrive(item)
    elif isinstance(item, PresenceReport):
        host.report_presence(item)
    else:
        host.command(*item)


Item = ActionRequest | PresenceReport | tuple[int, Command]
_ACTIONS: Final[Mapping[str, type[Action]]] = {
    kind.__name__: kind for kind in (Try, DrawOne, DiscardOne, Shout)
}
_COMMAND: Final[TypeAdapter[Command]] = TypeAdapter(Annotated[Command, Field(discriminator="type")])


def pack(item: Item) -> dict[str, Any]:
    """A request as JSON values."""
    if isinstance(item, ActionRequest):
        connection, name, number, action, floor = item
        return {"act": [list(connection), name, number, [type(action).__name__, *action], floor]}
    if isinstance(item, PresenceReport):
        process, lags, watching, names, number = item
        return {"presence": [process, list(lags.items()), watching, list(names), number]}
    seat, command = item
    return {"command": [seat, _COMMAND.dump_python(command, by_alias=True)]}


def unpack(body: Mapping[str, Any]) -> Item:
    if "act" in body:
        connection, name, number, (kind, *fields), floor = body["act"]
        action = _ACTIONS[kind](*fields)
        return ActionRequest(ConnectionId(*connection), name, number, action, floor)
    if "presence" in body:
        process, lags, watching, names, number = body["presence"]
        return PresenceReport(process, dict(map(tuple, lags)), watching, tuple(names), number)
    seat, command = body["command"]
    return seat, _COMMAND.validate_python(command)
