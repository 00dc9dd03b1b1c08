"""Redis may go at any time; without PostgreSQL nothing is acknowledged, and then it goes on."""

import http.client
import time

import pytest

from tests.processes.clients import met
from tests.processes.conftest import Pair, figure, off_loop
from tests.processes.wire import Wire
from tests.services import Postgres, Redis, Site

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow]


async def pace(pair: Pair) -> float:
    """How long, in s, four times as much play as is waited for takes here, with nothing away."""
    begun = time.monotonic()
    await pair.grown(12)
    return time.monotonic() - begun


async def test_no_action_is_refused_while_redis_is_away(pair: Pair, redis: Redis) -> None:
    async with pair.playing([pair.a, pair.b], [pair.b]):
        await off_loop(redis.stop)
        await pair.grown(20)
        await off_loop(redis.start)
        await pair.grown(20)
        await pair.converged()
    assert pair.epoch() == 1
    assert not {"queue-full", "paused"} & {rule for p in pair.players for rule in p.refused}


async def test_no_answer_without_a_commit_while_postgresql_is_away(
    pair: Pair, postgres: Postgres
) -> None:
    async with pair.playing([pair.a, pair.b], [pair.b]):
        usual = await pace(pair)
        await off_loop(postgres.stop, "immediate")
        acked = sum(len(player.acked) for player in pair.players)
        ends = [player.notes.end for player in pair.players]
        await met(lambda: figure(pair.a, "ratuki_retries_total") > 0)
        assert acked == sum(len(player.acked) for player in pair.players)
        assert ends == [player.notes.end for player in pair.players]
        await off_loop(postgres.start)
        back = time.monotonic()
        await pair.grown(3)
        assert time.monotonic() - back < 5 + usual
        await pair.converged()


async def test_play_goes_on_within_five_seconds_of_a_crash_of_postgresql(
    pair: Pair, postgres: Postgres
) -> None:
    async with pair.playing([pair.a, pair.b], [pair.a]):
        usual = await pace(pair)
        await off_loop(postgres.restart, "immediate")
        back = time.monotonic()
        await pair.grown(3)
        assert time.monotonic() - back < 5 + usual
        await pair.converged()


def status(site: Site, path: str) -> int:
    """How a process answers."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    connection.request("GET", path)
    code = connection.getresponse().status
    connection.close()
    return code


async def test_a_process_cut_off_from_postgresql_lets_its_players_go(
    pair: Pair, postgres: Postgres
) -> None:
    """It hosts the table, and nobody closes its connections: writes just do not come back."""
    wire = Wire(postgres.port)
    await wire.start()
    await off_loop(pair.a.stop)
    await off_loop(pair.b.stop)
    taken = pair.epoch()
    before = pair.a.environment["DATABASE_URL"]
    pair.a.environment["DATABASE_URL"] = before.replace(str(postgres.port), str(wire.port))
    pair.a.start()
    await met(lambda: pair.epoch() == taken + 1)
    pair.b.start()
    async with pair.playing([pair.a, pair.a], [pair.a]):
        wire.cut()
        await pair.grown(5)
        assert pair.epoch() == taken + 2
        assert [player.notes.byes for player in pair.players] == [[1012], [1012]]
        assert pair.watchers[0].notes.byes == [1012]
        assert await off_loop(status, pair.a, "/health/ready") == 503
        assert await off_loop(status, pair.a, "/") == 503
        wire.heal()
        while not await off_loop(figure, pair.a, "ratuki_lost_total"):
            pass
        await pair.converged()
    await off_loop(pair.a.stop)
    await wire.stop()
    assert "Traceback" not in pair.a.log.read_text()


async def test_a_process_ends_within_ten_seconds_though_the_database_hangs(
    pair: Pair, postgres: Postgres
) -> None:
    async with pair.playing([pair.a, pair.b], [pair.b]):
        await pair.grown(5)
        with postgres.hanging():
            begun = time.monotonic()
            assert await off_loop(pair.a.stop) == 0
            assert time.monotonic() - begun < 10
        await pair.grown(5)
        await pair.converged()
