"""One match and two processes on SQLite: played on one, hosted on the other, taken over.

`tests/processes` has more of them, on PostgreSQL.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from games.tables.plan import Plan
from tests.live.serving import PATIENCE_S, open_table, plan_of, ws
from tests.live.witness import SHORT, Witness, grown, hello, lines_until, record_of, stored_lines
from tests.services import Site

pytestmark = pytest.mark.slow
LONG = {**SHORT, "deck": [9, 9, 9, 9, 9, 3]}


@contextmanager
def pair(var: Path, plan: Plan) -> Iterator[tuple[Site, Site]]:
    """Two processes with one database; the first one hosts the table."""
    first, second = Site(var), Site(var)
    with ExitStack() as stack:
        stack.enter_context(first)
        stack.enter_context(second)
        first.migrate()
        open_table(first, plan)
        first.start()
        hosted(first, plan.id)
        second.start()
        yield first, second


def hosted(site: Site, match: str) -> None:
    """Wait until a process says that it hosts the match."""
    end = time.monotonic() + PATIENCE_S
    while f"hosting {match}" not in site.log.read_text():
        assert time.monotonic() < end, site.log.read_text()
        time.sleep(0.05)


async def play_and_take_over(first: Site, second: Site) -> None:
    """Two play on the second process, one watches there; the first one is ended in mid-round."""
    players = [Witness(ws(second, "/ws/bots/far/"), seat) for seat in range(2)]
    playing = [asyncio.create_task(player.play()) for player in players]
    try:
        async with asyncio.timeout(3 * PATIENCE_S):
            begun = time.monotonic()
            await grown(players, 15)
            busy = time.monotonic() - begun
            watcher, _ = await hello(ws(second, "/ws/watch/far/"), second.url)
            assert await lines_until(watcher, 10)
            await watcher.close()
            assert first.process is not None
            first.process.send_signal(signal.SIGKILL)
            before, since = len(players[0].lines), time.monotonic()
            await grown(players, before + 8)
            assert time.monotonic() - since < 12 + busy
    finally:
        for task in playing:
            task.cancel()
    second.stop(signal.SIGKILL)
    record_of(second, "far")
    lines = stored_lines(second, "far")
    for player in players:
        assert len(set(player.acked.values())) == len(player.acked)
        for seq in player.acked.values():
            assert lines[seq].get("seat") == player.seat or lines[seq]["do"] == "tie"


async def test_another_process_takes_over(tmp_path: Path) -> None:
    with pair(tmp_path, plan_of("far", 2, 1, **LONG)) as (first, second):
        await play_and_take_over(first, second)
