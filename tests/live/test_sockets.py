"""Live play through real sockets, as Daphne serves it."""

import asyncio
import json
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
import websockets

from tests.live.asyncapi import hold, said_by
from tests.live.example_client import ask, seat_at
from tests.live.serving import PATIENCE_S, connect, plan_of, served, ws
from tests.live.witness import (
    SHORT,
    Witness,
    digest_of,
    grown,
    hello,
    lines_until,
    record_of,
    stored_lines,
)

pytestmark = pytest.mark.slow


async def test_strangers_play_a_whole_round(tmp_path: Path) -> None:
    with served(tmp_path, plan_of("two", 2, 1, **SHORT)) as site:
        players = [Witness(ws(site, "/ws/bots/two/"), seat) for seat in range(2)]
        async with asyncio.timeout(3 * PATIENCE_S):
            await asyncio.gather(*(player.play() for player in players))
        report = record_of(site, "two")
        lines = stored_lines(site, "two")
    assert report.result is not None
    for player in players:
        assert player.result == list(report.result.winners)
        assert len(player.lines) == len(lines) - 1
        assert player.kinds >= {"welcome", "state", "lines", "ack"}
        assert player.kinds <= said_by("hear")
        assert player.chain.digests[len(lines) - 1] == digest_of(lines)
        assert all(line["fair"]["salts"][player.seat] for line in lines if "fair" in line)
        for seq in player.acked.values():
            line = lines[seq]
            assert line.get("seat") == player.seat or line["do"] == "tie"
    assert "Traceback" not in site.log.read_text()


async def test_programs_find_a_table_and_play_a_match_by_the_protocol_s_page_alone(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as site:
        first = await asyncio.to_thread(seat_at, site.url, "Ada", seats=2, rules=SHORT)
        second = await asyncio.to_thread(seat_at, site.url, "Bo")
        assert first.url == second.url
        async with asyncio.timeout(3 * PATIENCE_S):
            await asyncio.gather(first.play(), second.play())
        match = first.match["id"]
        report = record_of(site, match)
        told = await asyncio.to_thread(ask, f"{site.url}/api/v1/tables/{match}")
        log = await asyncio.to_thread(ask, f"{site.url}{told['log']}?from=1")
    assert report.result is not None
    assert first.result == second.result == list(report.result.winners)
    assert [seat["name"] for seat in told["seats"]] == ["Ada (bot)", "Bo (bot)"]
    assert (log["finished"], log["next"]) == (True, report.events + report.rounds + 2)


async def test_a_client_resumes_by_seq(tmp_path: Path) -> None:
    with served(tmp_path, plan_of("bots", 0, 3, **SHORT)) as site:
        url = ws(site, "/ws/watch/bots/")
        socket, _ = await hello(url, site.url)
        async with asyncio.timeout(PATIENCE_S):
            lines = await lines_until(socket, 12)
            await socket.close()
            have = 1 + len(lines)
            again, welcome = await hello(url, site.url, epoch=1, seq=have)
            assert welcome["seq"] == have
            more = await lines_until(again, have + 5)
            await again.close()
            whole, welcome = await hello(url, site.url)
            assert welcome["seq"] == 1
            all_lines = await lines_until(whole, have + 5)
            await whole.close()
    together = lines + more
    count = min(len(together), len(all_lines))
    assert together[:count] == all_lines[:count]


async def test_who_may_not_come_in(tmp_path: Path) -> None:
    hidden = replace(plan_of("hidden", 1, 1), key="the-key-of-the-link")
    closed = replace(plan_of("closed", 1, 1), watching=False)
    with served(tmp_path, hidden, closed) as site:
        for path, more, code in (
            ("/ws/watch/nothing/", {}, 4404),
            ("/ws/watch/hidden/", {"key": "the-key-of-the-lunk"}, 4404),
            ("/ws/watch/closed/", {"v": 2}, 4406),
        ):
            async with websockets.connect(
                ws(site, path),
                origin=site.url,  # type: ignore[arg-type]
                open_timeout=PATIENCE_S,
            ) as socket:
                await socket.send(json.dumps({"type": "hello", "v": 1, **more}))
                bye = hold(str(await socket.recv()), "hear")
                await socket.wait_closed()
                assert (bye["code"], socket.close_code) == (code, code), path
        for origin in ("http://evil.example", None, site.url.replace("http://", "http://evil@")):
            with pytest.raises(websockets.InvalidStatus):
                await connect(ws(site, "/ws/watch/hidden/"), origin=origin)


async def test_kill_nine_and_restart_loses_nothing_acknowledged(tmp_path: Path) -> None:
    plan = plan_of("two", 2, 0, **{**SHORT, "deck": [9, 9, 9, 9, 9, 3]})
    with served(tmp_path, plan) as site:
        players = [Witness(ws(site, "/ws/bots/two/"), seat) for seat in range(2)]
        playing = [asyncio.create_task(player.play()) for player in players]
        try:
            async with asyncio.timeout(3 * PATIENCE_S):
                begun = time.monotonic()
                await grown(players, 20)
                busy = time.monotonic() - begun  # what a start and some play take here
                await asyncio.get_running_loop().run_in_executor(None, site.stop, signal.SIGKILL)
                before = len(players[0].lines)
                killed = time.monotonic()
                site.start()
                await grown(players, before + 10)
                assert time.monotonic() - killed < 15 + busy
                assert "hosting two, epoch 2" in site.log.read_text()
        finally:
            for task in playing:
                task.cancel()
        site.stop(signal.SIGKILL)
        record_of(site, "two")
        lines = stored_lines(site, "two")
    for player in players:
        assert len(set(player.acked.values())) == len(player.acked)
        for seq in player.acked.values():
            assert lines[seq].get("seat") == player.seat or lines[seq]["do"] == "tie"
    longest = max(players, key=lambda player: len(player.lines))
    for player in players:
        assert [line.get("t") for line in player.lines] == [
            line.get("t") for line in longest.lines[: len(player.lines)]
        ]
