"""Chromium at a table behind a slow line, and when each frame of the log arrived on its page."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Final

from playwright.sync_api import BrowserContext, sync_playwright

from games.people.person import bearer
from games.records.notation import parse_line
from games.tables.plan import new_plan
from replays.analysis.lag import settled_at
from replays.analysis.screens import ways
from replays.timeline import Timeline
from tests.bench.measure import say, tell
from tests.bench.seeing import LINES, SEED, Line, held
from tests.browser.chromium import launch
from tests.browser.tables import PLAY, begin, sit_down
from tests.live.serving import connect, open_table, token, ws
from tests.services import Site, free_port

PLAYS_S: Final = 60
WATCHED: Final = tuple(LINES)[:4]
RULES: Final = {"deck": [9, 9, 9, 9, 9, 3], "stall_ms": 0}
PACED: Final = PLAY.replace(
    "requestAnimationFrame(act)", "setTimeout(act, 150 + 450 * Math.random())"
)
STAMPS: Final = """const Plain = WebSocket;
window.stamps = [];
window.WebSocket = class extends Plain {
  constructor(...how) {
    super(...how);
    this.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(data);
      const at = performance.timeOrigin + performance.now();
      if (frame.type === "lines") stamps.push([frame.seq, frame.lines.length, at]);
    });
  }
};"""


def bench() -> None:
    """Print the share of events within the band, for a page on each line."""
    with TemporaryDirectory() as folder, sync_playwright() as started:
        proxied = free_port()
        origin = f"http://127.0.0.1:{proxied}"
        with Site(Path(folder)) as site:
            site.environment["SITE_ORIGINS"] += f",{origin}"
            site.prepare()
            site.start()
            browser = launch(started)
            with _background() as loop:
                now: list[Line] = []
                serving = _proxy(proxied, site.port, now)
                asyncio.run_coroutine_threadsafe(serving, loop).result()
                for number, name in enumerate(WATCHED):
                    now[:] = [LINES[name]]
                    context = browser.new_context(base_url=origin)
                    _watch(site, context, loop, (f"screen-{number}", name))


def _watch(
    site: Site, context: BrowserContext, loop: asyncio.AbstractEventLoop, named: tuple[str, str]
) -> None:
    """Let a page play, and hold its stamps against the band; `named`: its match and its line."""
    match, name = named
    plan = new_plan(match, "usaopoly-2009", 5, RULES).sit(bearer(token(1)), "Direct", 1)
    for seat, temper in enumerate(("taker", "builder", "starver"), 2):
        plan = plan.seat_bot(temper, 3, temper, seat)
    open_table(site, plan)
    near: list[tuple[int, int, float, float]] = []
    noting = asyncio.run_coroutine_threadsafe(_note(ws(site, f"/ws/bots/{match}/"), near), loop)
    page = context.new_page()
    page.add_init_script(STAMPS)
    sit_down(page, f"/play/{match}/")
    begin(page)
    page.evaluate(PACED)
    page.wait_for_timeout(PLAYS_S * 1000)
    far = page.evaluate("stamps")
    context.close()
    noting.cancel()
    record = site.record(match).encode().splitlines()
    timeline = Timeline.of(parse_line(raw, number) for number, raw in enumerate(record, 1))
    played = timeline.rounds[0]  # the page plays one
    zero = min(at - now for seq, _, now, at in near if seq <= played.seqs[-1])
    _tell(name, timeline, {s: at - zero for seq, n, at in far for s in range(seq, seq + n)})
    settled = settled_at(played.events, timeline.header.rules)
    sent = {s: at - zero for seq, n, _, at in near for s in range(seq, seq + n)}
    pairs = zip(played.seqs, settled, strict=True)
    say(f"    from settled to sent: {median(sent[s] - at for s, at in pairs if s in sent):.0f} ms")


def _tell(name: str, timeline: Timeline, arrived: dict[int, float]) -> None:
    way = ways(timeline, [None] * 5)[0]
    played = timeline.rounds[0]
    kept = held([played], 0, way, [[arrived.get(seq) for seq in played.seqs]])
    share = 100 * kept.within / kept.of
    words = f"Chromium, {name}: {kept.of} events, band {kept.width:.0f} ms"
    tell(words, share, "%", "95")
    say(f"    {way}")


@contextmanager
def _background() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop in a thread: Playwright keeps this one."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


async def _note(url: str, near: list[tuple[int, int, float, float]]) -> None:
    """Sit beside the page on a line without delay, and note when frames come."""
    headers = {"Authorization": f"Bearer {token(1)}"}
    async with connect(url, additional_headers=headers, ping_interval=None) as socket:
        await socket.send(json.dumps({"type": "hello", "v": 1}))
        await socket.send(json.dumps({"type": "ready", "ready": True}))
        async for text in socket:
            at, frame = 1000 * time.time(), json.loads(text)
            if frame["type"] == "lines":
                near.append((frame["seq"], len(frame["lines"]), frame["now"], at))
                got = frame["seq"] + len(frame["lines"])
                await socket.send(json.dumps({"type": "got", "seq": got}))


async def _proxy(port: int, site: int, now: list[Line]) -> None:
    """Listen on a port, and pass on what comes to the site and back, as late as the line is now."""
    randomness = Random(SEED)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, to_site = await asyncio.open_connection("127.0.0.1", site)
        (line,) = now
        await asyncio.gather(
            _pass(reader, to_site, lambda: randomness.lognormvariate(log(line.up), line.spread)),
            _pass(there, writer, lambda: randomness.lognormvariate(log(line.down), line.spread)),
            return_exceptions=True,
        )

    await asyncio.start_server(serve, "127.0.0.1", port, reuse_address=True)


async def _pass(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: Callable[[], float]
) -> None:
    loop, due = asyncio.get_running_loop(), 0.0
    while chunk := await reader.read(65_536):
        due = max(due + 1e-6, loop.time() + delay() / 1000)
        loop.call_at(due, writer.write, chunk)
    loop.call_at(due + 1e-6, writer.close)
