"""When a process says that it has lost its database, on a clock turned by hand."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from games.live.cluster.database_watch import PATIENCE, REST_MS, TICK_MS, DatabaseWatch
from games.live.host.leases import Reach, StoreUnavailableError
from tests.clocks import ManualClock

WITHIN_MS = 3_000
"""How soon clients must be let go."""


class Database:
    """Answers as it is told; without an answer it hangs."""

    def __init__(self, *, hangs: bool = True) -> None:
        self.answer: Reach | None = Reach.WHOLE
        self.healed = asyncio.Event()
        self.stuck = False
        self.lost = 0
        self.clock = ManualClock()
        self.watch = DatabaseWatch(
            self.write, self.clock, self.lose, lambda: self.stuck, hangs=hangs
        )

    def lose(self) -> None:
        self.lost += 1

    async def write(self) -> Reach:
        if self.answer is None:
            await self.healed.wait()
            return Reach.WHOLE
        if self.answer is Reach.NONE:
            raise StoreUnavailableError
        return self.answer

    async def turn(self, ms: int) -> None:
        """Let time pass in small steps."""
        for _ in range(0, ms, 50):
            self.clock.advance(50)
            for _ in range(10):
                await asyncio.sleep(0)


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    made = Database()
    running = asyncio.create_task(made.watch.run())
    await made.turn(5_000)
    assert made.watch.reach is Reach.WHOLE
    yield made
    running.cancel()


@pytest.mark.parametrize("answer", [None, Reach.NONE, Reach.READING])
async def test_clients_are_let_go_within_three_seconds_and_admitted_again(
    database: Database, answer: Reach | None
) -> None:
    database.answer = answer
    await database.turn(PATIENCE * TICK_MS - TICK_MS)
    assert database.lost == 0, "a moment is no outage"
    await database.turn(WITHIN_MS - PATIENCE * TICK_MS + TICK_MS)
    assert database.lost > 0
    assert database.watch.reach is (answer or Reach.NONE)
    database.answer = Reach.WHOLE
    database.healed.set()
    await database.turn(REST_MS)
    lost = database.lost
    assert database.watch.reach is Reach.WHOLE
    await database.turn(5_000)
    assert database.lost == lost


async def test_commits_that_fail_are_an_outage_too(database: Database) -> None:
    database.stuck = True
    await database.turn(WITHIN_MS)
    assert (database.watch.reach, database.lost > 0) == (Reach.READING, True)
    database.stuck = False
    await database.turn(REST_MS)
    assert database.watch.reach is Reach.WHOLE


async def test_a_process_that_slept_does_not_blame_its_database(database: Database) -> None:
    database.answer = None
    await database.turn(REST_MS)
    for _ in range(2):
        database.clock.advance(60_000)
        await asyncio.sleep(0)
    assert database.lost == 0


async def test_waiting_for_another_writer_is_no_outage() -> None:
    embedded = Database(hangs=False)
    running = asyncio.create_task(embedded.watch.run())
    embedded.answer = None
    await embedded.turn(20_000)
    assert embedded.lost == 0
    running.cancel()
