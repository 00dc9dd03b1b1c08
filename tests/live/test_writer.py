"""The writer: what waits together is committed together, and each work fails alone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from threading import Event

import pytest
from django.db import IntegrityError, OperationalError, connection

from games.live.host.leases import StoreUnavailableError
from games.live.storage.writer import MAX_JOBS, Writer
from games.models import LiveTable

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def writer() -> AsyncIterator[Writer]:
    made = Writer()
    yield made
    made.close()


def table(name: str) -> Callable[[], None]:
    def work() -> None:
        LiveTable.objects.create(record_id=name, plan={})

    return work


async def tables() -> set[str]:
    return {name async for name in LiveTable.objects.values_list("record_id", flat=True)}


class Held:
    """A first work that keeps the writer busy until it is let go."""

    def __init__(self, writer: Writer) -> None:
        self._go = Event()
        self._done = asyncio.ensure_future(writer.do(self._wait))

    def _wait(self) -> None:
        self._go.wait(10)

    async def let_go(self) -> None:
        self._go.set()
        await self._done


async def behind(writer: Writer, *works: Callable[[], None]) -> list[BaseException | None]:
    """What comes of works that wait together."""
    held = Held(writer)
    waiting = [asyncio.ensure_future(writer.do(work)) for work in works]
    await asyncio.sleep(0)
    await held.let_go()
    return await asyncio.gather(*waiting, return_exceptions=True)


async def test_what_waits_together_is_one_transaction(writer: Writer) -> None:
    depths: list[int] = []

    def work() -> None:
        depths.append(len(connection.savepoint_ids))

    assert await behind(writer, work, work) == [None, None]
    assert depths == [1, 1]
    await writer.do(work)
    assert depths[2:] == [0]


async def test_a_failed_write_undoes_only_its_own_changes(writer: Writer) -> None:
    def twice() -> None:
        table("twice")()
        table("a")()

    first, second, third = await behind(writer, table("a"), twice, table("b"))
    assert (first, third) == (None, None)
    assert isinstance(second, IntegrityError)
    assert await tables() == {"a", "b"}


async def test_a_single_failed_write_leaves_nothing(writer: Writer) -> None:
    def half() -> None:
        table("half")()
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await writer.do(half)
    assert await tables() == set()
    await writer.do(table("next"))
    assert await tables() == {"next"}


async def test_a_database_that_goes_away_takes_all_that_waits_with_it(writer: Writer) -> None:
    def away() -> None:
        raise OperationalError("the server has gone")

    failures = await behind(writer, table("a"), away, table("b"))
    assert [type(failure) for failure in failures] == [StoreUnavailableError] * 3
    assert await tables() == set()
    await writer.do(table("a"))
    assert await tables() == {"a"}


async def test_a_caller_who_gave_up_delays_nobody(writer: Writer) -> None:
    held = Held(writer)
    gone = asyncio.ensure_future(writer.do(table("a")))
    there = asyncio.ensure_future(writer.do(table("b")))
    await asyncio.sleep(0)
    gone.cancel()
    await held.let_go()
    await there
    assert "b" in await tables()


async def test_more_than_fit_together_come_in_order(writer: Writer) -> None:
    order: list[int] = []
    works = [lambda number=number: order.append(number) for number in range(2 * MAX_JOBS + 3)]
    assert not any(await behind(writer, *works))
    assert order == list(range(2 * MAX_JOBS + 3))
