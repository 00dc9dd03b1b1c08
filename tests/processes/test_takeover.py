"""Whatever becomes of the process that hosts a table, play goes on and nothing is lost."""

import asyncio
import signal

import pytest

from tests.processes.clients import met
from tests.processes.conftest import Pair, figure, off_loop, send

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow]


async def test_played_and_watched_from_either_process(pair: Pair) -> None:
    async with pair.playing([pair.a, pair.b], [pair.a, pair.b]):
        await pair.grown(20)
        await pair.converged()
    assert pair.epoch() == 1
    here, there = pair.watchers
    assert here.notes.times.keys() & there.notes.times.keys()


async def test_the_other_takes_over_from_a_killed_host(pair: Pair) -> None:
    async with pair.playing([pair.a, pair.b], [pair.a, pair.b]):
        await send(pair.a, signal.SIGKILL)
        await pair.grown(5)
        assert pair.epoch() == 2
        await pair.converged()
    assert figure(pair.b, "ratuki_takeovers_total") == 1


async def test_what_is_asked_while_the_host_is_killed_has_one_answer(pair: Pair) -> None:
    """Both players are on the other process, so copies of what they ask outlive the host."""
    async with pair.playing([pair.b, pair.b]):
        for player in pair.players:
            player.still = True
        await met(lambda: not any(player.waiting for player in pair.players))
        await send(pair.a, signal.SIGKILL)
        acts = [
            {"type": "act", "id": "k", "round": player.round, **player.choice()}
            for player in pair.players
        ]
        for player, act in zip(pair.players, acts, strict=True):
            await player.send(act)
        await met(lambda: all("k" in player.told for player in pair.players))
        for player, act in zip(pair.players, acts, strict=True):
            await player.send(act)  # long after: the same answer
            await player.send({"type": "act", "id": "last", "round": 99, "do": "draw"})
        await met(lambda: all("last" in player.told for player in pair.players))
        await pair.converged()


async def test_a_host_that_slept_through_a_takeover_cannot_write(pair: Pair) -> None:
    async with pair.playing([pair.b, pair.b], [pair.b]):
        await send(pair.a, signal.SIGSTOP)
        await pair.grown(5)
        assert pair.epoch() == 2
        await send(pair.a, signal.SIGCONT)
        await met(lambda: figure(pair.a, "ratuki_lost_total"))
        await pair.grown(5)
        assert pair.epoch() == 2
        await pair.converged()


async def test_a_host_asked_to_stop_says_so_and_hands_over(pair: Pair) -> None:
    async with pair.playing([pair.a, pair.b], [pair.a]):
        stopping = asyncio.create_task(off_loop(pair.a.stop, signal.SIGTERM))
        await pair.grown(5)
        assert await stopping == 0
        assert pair.epoch() == 2
        await pair.converged()
    assert pair.players[0].notes.byes == pair.watchers[0].notes.byes == [1012]
    assert pair.players[1].notes.byes == []


async def test_a_host_frozen_in_the_middle_of_a_commit_holds_nobody_up(pair: Pair) -> None:
    async with pair.playing([pair.b, pair.b]):
        with pair.connection() as connection:
            connection.execute("SELECT 1 FROM games_match FOR UPDATE")
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            await met(lambda: pair.request(waiting)[0][0])
            await send(pair.a, signal.SIGSTOP)
        await pair.grown(3)
        await send(pair.a, signal.SIGCONT)
        await met(lambda: figure(pair.a, "ratuki_lost_total"))
        await pair.converged()
