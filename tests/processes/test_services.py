"""Redis may go at any time; without PostgreSQL nothing is acknowledged, and then it goes on."""

from __future__ import annotations

import time

import pytest

from tests.processes.clients import met
from tests.processes.conftest import Pair, figure, off_loop
from tests.services import Postgres, Redis

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow]


async def pace(pair: Pair) -> float:
    """How long, in s, a little play takes on this machine while nothing is away."""
    begun = time.monotonic()
    await pair.grown(3)
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


async def test_the_doorbell_rings_again_after_redis_was_away(pair: Pair, redis: Redis) -> None:
    async with pair.playing([pair.a, pair.b], [pair.b]):
        await off_loop(redis.restart)
        await pair.grown(10)
        await met(lambda: figure(pair.b, "ratuki_rings_total") > 0)
        before = figure(pair.b, "ratuki_rings_total")
        await met(lambda: figure(pair.b, "ratuki_rings_total") > before)


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
