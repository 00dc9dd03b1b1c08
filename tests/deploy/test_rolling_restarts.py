"""Processes are restarted one after another, and killed, behind the proxies as we ship them."""

import asyncio
import itertools
import json
import random
import signal
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest
import websockets

from games.live.fanout.frames import SPECTATOR
from tests import forked
from tests.deploy.proxies import HOST, fetch, nginx, trusting, wait_for
from tests.live.by_pieces import ByPieces
from tests.live.serving import open_table, plan_of, token
from tests.processes.clients import met, shown_to
from tests.services import OPTIONS, Site, free_port

BACK_S = 3.0
BACK_BY_PIECES_S = 5.0
NO_BOT_S = 10.0
"""Well before a bot plays on for somebody."""
UP_S = 2.0
"""A process is up within this on a free machine; what it takes beyond is the machine's."""
RESTARTS = 3
PACE_S = 0.05
"""Between two pages. No process is back so soon: whoever is sent to one that is away, shows."""
PATHS = ("/", "/play/", "/matches/")
pytestmark = pytest.mark.slow


class Server:
    """One server process on a port of its own, as its unit starts it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.port = free_port()
        self.process: forked.Process | None = None

    def start(self) -> None:
        where = ("-b", "127.0.0.1", "-p", str(self.port), "--proxy-headers", "--no-server-name")
        with self.site.log.open("ab") as log:
            self.process = forked.start(
                *("daphne", *where, *OPTIONS, "ratuki_site.asgi:application"),
                environment=self.site.environment,
                output=log.fileno(),
                errors=log.fileno(),
            )

    def ready(self) -> bool:
        address = f"http://127.0.0.1:{self.port}/health/ready"
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def end(self, how: signal.Signals) -> None:
        assert self.process
        self.process.send_signal(how)
        self.process.wait(timeout=30)


class Visitor:
    """Somebody at the table who comes back as docs/reference/protocol.md says."""

    def __init__(self, port: int, seat: int | None) -> None:
        self.port = port
        self.path = "/ws/watch/m/" if seat is None else "/ws/bots/m/"
        self.headers = {} if seat is None else {"Authorization": f"Bearer {token(seat)}"}
        self.here = False
        self.first: float | None = None
        """How long the first connection took: what this machine needs at least."""
        self.outages: list[float] = []
        self.refused: list[int] = []

    async def stay(self) -> None:
        lost: float | None = None
        backoff = 0.5
        begun = time.monotonic()
        while True:
            wait = backoff
            try:
                async with websockets.connect(
                    f"wss://{HOST}{self.path}",
                    origin=websockets.Origin(f"https://{HOST}"),
                    additional_headers=self.headers,
                    ssl=trusting(),
                    host="127.0.0.1",
                    port=self.port,
                ) as socket:
                    await socket.send('{"type":"hello","v":1}')
                    async for text in socket:
                        frame = json.loads(text)
                        if frame["type"] == "welcome":
                            self.first = self.first or time.monotonic() - begun
                            self.outages += [] if lost is None else [time.monotonic() - lost]
                            self.here, lost, backoff, wait = True, None, 0.5, 0.5
                        elif frame["type"] == "bye":
                            wait = frame["retry_ms"] / 1_000
                        elif frame["type"] == "lines":
                            end = frame["seq"] + len(frame["lines"])
                            await socket.send(json.dumps({"type": "got", "seq": end}))
            except websockets.InvalidStatus as error:
                self.refused.append(error.response.status_code)
            except (OSError, websockets.WebSocketException):
                pass
            if lost is None:
                lost = time.monotonic()
            self.here = False
            backoff = min(10, backoff * 2)
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))


def look_around(url: str, stop: threading.Event, statuses: Counter[int]) -> None:
    """Open pages one after another, with short pauses, and count the answers."""
    for path in itertools.cycle(PATHS):
        try:
            statuses[fetch(url, path)[0]] += 1
        except OSError:
            statuses[0] += 1
        if stop.wait(PACE_S):
            return


@contextmanager
def serving(var: Path) -> Iterator[tuple[Server, Server]]:
    """Two processes on one database, with a table of two people and two bots, and one of bots."""
    environment = {"SITE_ORIGINS": f"https://{HOST}", "TRUST_PROXY": "1", "SECRET_KEY": "4" * 60}
    with Site(var, environment) as site:
        site.prepare()
        open_table(site, plan_of("m", 2, 2, stall_ms=120_000))
        open_table(site, plan_of("bots", 0, 2))
        servers = Server(site), Server(site)
        try:
            yield servers
        finally:
            for server in servers:
                if server.process and server.process.poll() is None:
                    server.end(signal.SIGKILL)


async def test_nobody_sees_an_error_and_everybody_is_back_soon(tmp_path: Path) -> None:
    stop, statuses = threading.Event(), Counter[int]()
    with ExitStack() as stack:
        servers = stack.enter_context(serving(tmp_path))
        port = stack.enter_context(nginx(tmp_path, *(server.port for server in servers)))
        for server in servers:
            server.start()
        await met(lambda: all(server.ready() for server in servers), 120)
        url = f"https://127.0.0.1:{port}"
        await asyncio.to_thread(wait_for, url)
        visitors = [Visitor(port, seat) for seat in (0, 1, None, None, None, None)]
        tasks = [asyncio.create_task(visitor.stay()) for visitor in visitors]
        pages = asyncio.create_task(asyncio.to_thread(look_around, url, stop, statuses))
        crowd = [ByPieces("bots", partial(fetch, url)) for _ in range(3)]
        watching = [asyncio.to_thread(spectator.stay, stop) for spectator in crowd]
        spectators = asyncio.gather(*watching)
        await met(lambda: all(visitor.here for visitor in visitors), 120)
        # Each restart begins the countdown again: on a quick machine there would be no deal.
        await met(lambda: all(spectator.lines for spectator in crowd), 120)
        starts: list[float] = []
        for how in [signal.SIGTERM] * RESTARTS + [signal.SIGKILL]:
            for server in servers[: 1 if how is signal.SIGKILL else 2]:
                await asyncio.to_thread(server.end, how)
                server.start()
                begun = time.monotonic()
                await met(server.ready, 120)
                starts.append(time.monotonic() - begun)
                await met(lambda: all(visitor.here for visitor in visitors), 120)
                # A page asked for before it was up has tried it already, and may be with the other.
                asked = statuses.total() + 2
                await met(lambda: statuses.total() >= asked, 120)  # noqa: B023
        stop.set()
        await asyncio.gather(pages, spectators)
        record = await asyncio.to_thread(servers[0].site.record, "bots")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    shown = shown_to(SPECTATOR, record.splitlines())
    for spectator in crowd:
        seqs = range(min(spectator.lines), max(spectator.lines) + 1)
        assert spectator.lines == {seq: shown[seq] for seq in seqs}
        assert max(spectator.outages) < BACK_BY_PIECES_S + max(starts)
    assert statuses.keys() == {200}
    assert statuses[200] > 20
    assert [visitor.refused for visitor in visitors] == [[]] * len(visitors)
    outages = sorted(seconds for visitor in visitors for seconds in visitor.outages)
    assert len(outages) >= RESTARTS
    busy = max(max(starts) - UP_S, *(visitor.first or 0 for visitor in visitors))
    assert outages[len(outages) * 9 // 10] < BACK_S + busy, (outages, starts)
    assert outages[-1] < NO_BOT_S + busy, (outages, starts)
