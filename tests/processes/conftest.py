"""Two processes of the site on one PostgreSQL and one Redis, and a table that people play at."""

from __future__ import annotations

import asyncio
import http.client
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from games.tables.plan import Plan
from tests.live.serving import PATIENCE_S, open_table, plan_of
from tests.processes.clients import Player, Watcher, folded, met, shown_to
from tests.services import ROOT, Postgres, Redis, Site

RULES: dict[str, Any] = {"deck": [9, 9, 9, 9, 9, 3], "stall_ms": 120_000}
PLAN = plan_of("far", 2, **RULES)


@pytest.fixture(scope="session")
def template(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with all tables of the site, and one to play at."""
    url = postgres.url()
    with Site(tmp_path_factory.mktemp("template"), {"DATABASE_URL": url}) as site:
        site.migrate()
        open_table(site, PLAN)
    return url.rsplit("/", 1)[1]


@pytest.fixture
def pair(template: str, postgres: Postgres, redis: Redis, tmp_path: Path) -> Iterator[Pair]:
    """Two processes; the first one hosts the table."""
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        name = f"{template}_{tmp_path.name}".replace("-", "_").lower()
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    url = f"postgresql://ratuki@127.0.0.1:{postgres.port}/{name}"
    environment = {"DATABASE_URL": url, "REDIS_URL": redis.url, "SECRET_KEY": "of this test" * 5}
    with Site(tmp_path, environment) as a, Site(tmp_path, environment) as b:
        a.start()
        pair = Pair(a, b, url)
        while not pair.owner():
            assert a.process
            assert a.process.poll() is None, a.log.read_text()
            time.sleep(0.05)
        b.start()
        assert figure(b, "process_start_time_seconds")
        yield pair
        for site in (a, b):
            assert f"{ROOT}/games" not in site.log.read_text()


class Pair:
    """Two processes with one database; `a` hosts the table first."""

    plan: Plan = PLAN

    def __init__(self, a: Site, b: Site, url: str) -> None:
        self.a = a
        self.b = b
        self._url = url
        self.players: list[Player] = []
        self.watchers: list[Watcher] = []

    def connection(self) -> psycopg.Connection[tuple[Any, ...]]:
        """A connection of the test's own to the database."""
        return psycopg.connect(self._url)

    def request(self, query: str) -> list[tuple[Any, ...]]:
        """The rows that the database gives."""
        with self.connection() as connection:
            return connection.execute(query).fetchall()

    def owner(self) -> str:
        """Who holds the table's lease."""
        return str(self.request("SELECT lease_owner FROM games_livetable")[0][0])

    def epoch(self) -> int:
        """How often the table was taken."""
        return int(self.request("SELECT epoch FROM games_livetable")[0][0])

    def lines(self) -> int:
        """How many lines the log has."""
        rows = self.request("SELECT lines FROM games_match")
        return int(rows[0][0]) if rows else 0

    @asynccontextmanager
    async def playing(
        self, seats: Sequence[Site], watching: Sequence[Site] = ()
    ) -> AsyncIterator[None]:
        """People at all seats, each first on that process, and spectators on these."""
        both = {self.a: (self.a, self.b), self.b: (self.b, self.a)}
        self.players = [Player(both[site], seat) for seat, site in enumerate(seats)]
        self.watchers = [Watcher(both[site]) for site in watching]
        clients: list[Player | Watcher] = [*self.players, *self.watchers]
        tasks = [asyncio.create_task(client.play()) for client in clients]
        try:
            await self.grown(10)
            yield
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [end for end in ends if isinstance(end, Exception)]
        if failed:
            raise failed[0]

    async def grown(self, count: int, seconds: float = PATIENCE_S) -> None:
        """Wait until every player has been shown so many more lines."""
        ends = [player.notes.end + count for player in self.players]
        pairs = list(zip(self.players, ends, strict=True))
        await met(lambda: all(player.notes.end >= end for player, end in pairs), seconds)

    async def converged(self) -> None:
        """Let everybody hold still; then all must have the table that the log gives.

        Each line of a seat answers one action of its player, and each answer is that line.
        """
        for player in self.players:
            player.still = True
        await met(lambda: not any(player.waiting for player in self.players))
        end = await off_loop(self.lines)
        clients: list[Player | Watcher] = [*self.players, *self.watchers]
        await met(lambda: all(client.notes.end == end for client in clients))
        site = self.b if self.b.process and self.b.process.poll() is None else self.a
        record = (await off_loop(site.record, "far")).splitlines()
        for client in clients:
            shown = shown_to(client.notes.view, record)
            assert client.notes.lines == {seq: shown[seq] for seq in client.notes.lines}
            assert client.notes.table(self.plan) == folded(self.plan, shown.values())
        for player in self.players:
            self._each_once(player, shown_to(player.seat, record))

    @staticmethod
    def _each_once(player: Player, lines: dict[int, dict[str, Any]]) -> None:
        own = {seq for seq, line in lines.items() if line.get("seat") == player.seat}
        tied = {seq for seq in player.acked.values() if lines[seq].get("do") == "tie"}
        assert len(set(player.acked.values())) == len(player.acked)
        assert set(player.acked.values()) - tied == own


def figure(site: Site, name: str) -> float:
    """The sum of one of the figures that a process tells."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    families = text_string_to_metric_families(text)
    samples = [sample for family in families for sample in family.samples]
    return sum(sample.value for sample in samples if sample.name == name)


async def off_loop(work: Callable[..., Any], *arguments: Any) -> Any:
    """Do something that blocks while the clients go on."""
    return await asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments))


async def send(site: Site, how: signal.Signals) -> None:
    """Send a process a signal; wait until one that cannot be ignored has ended it."""
    assert site.process
    site.process.send_signal(how)
    if how == signal.SIGKILL:
        await off_loop(site.process.wait)
