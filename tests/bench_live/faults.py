"""What faults cost real players (`python -m tests.bench_live.faults`): a row for each kind.

    python -m tests.bench_live.faults [--only nginx:kill,sqlite:kill] [--times 2]

Three players by a client of our own play without a pause, through the proxy as we ship it, while
processes are killed, frozen, restarted and cut off. A row tells how many actions were
acknowledged; how many of these the record lacks (lost); for how many seqs or lines there are two
(doubled); how many ids had two answers (two); the pages answered by an error, and the slowest page
in s; for how long each player at most got nothing acknowledged (back); and the logs' tracebacks.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from subprocess import run
from typing import Any, Final

import websockets

from tests.deploy.proxies import HOST, caddy, nginx, trusting, wait_for
from tests.deploy.test_rolling_restarts import Server, look_around
from tests.live.example_client import Client
from tests.live.serving import open_table, plan_of, token
from tests.processes.clients import met
from tests.processes.wire import Wire
from tests.services import Postgres, Redis, Site

PEOPLE: Final = 3
PLAN: Final = plan_of("m", PEOPLE, deck=[9, 9, 9, 9, 9, 3], stall_ms=120_000, target=1_000)
SILENT_S: Final = 5.0
OPEN_S: Final = 5.0
PATIENCE_S: Final = 120
FROZEN_S: Final = 12
CUT_S: Final = 12
FULL_S: Final = 8
HEAD: Final = (
    f"{'fault':<18}{'times':>6}{'acked':>8}{'lost':>6}{'doubled':>9}{'two':>5}{'5xx':>5}"
    f"{'pages':>7}{'slowest':>9}{'back s':>8}{'max':>7}{'tracebacks':>12}"
)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Player(Client):
    """A seat, played by docs/reference/protocol.md alone; it notices silence by itself."""

    def __init__(self, port: int, seat: int, secure: bool) -> None:
        super().__init__(f"ws{'s' if secure else ''}://{HOST}/ws/bots/{PLAN.id}/", token(seat))
        self.how: dict[str, Any] = {"host": "127.0.0.1", "port": port}
        if secure:
            self.how["ssl"] = trusting()
        self.answered: dict[str, set[str]] = {}
        self.acks: dict[str, int] = {}
        self.acked_at: list[tuple[float, float]] = []
        """For each acknowledged action: when it was first sent, and when it was acknowledged."""
        self.sent_at: dict[str, float] = {}
        self.heard = 0.0
        self.still = False

    async def play(self) -> None:
        pause = 0.5
        while True:
            headers = {"Authorization": f"Bearer {self.token}"}
            with suppress(OSError, websockets.WebSocketException, TimeoutError):
                async with websockets.connect(
                    self.url,
                    additional_headers=headers,
                    open_timeout=OPEN_S,
                    close_timeout=1,
                    ping_interval=None,
                    **self.how,
                ) as self.socket:
                    self.heard = time.monotonic()
                    watch = asyncio.create_task(self._watch(self.socket))
                    try:
                        await self.follow()
                    finally:
                        watch.cancel()
                    pause = 0.5
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            pause = min(10, pause * 2) if time.monotonic() - self.heard > SILENT_S else 0.5

    async def _watch(self, socket: Any) -> None:
        while True:
            await asyncio.sleep(1)
            silent = time.monotonic() - self.heard
            if silent > SILENT_S:
                socket.transport.abort()
                return
            if silent > SILENT_S / 2:
                await self.send({"type": "ping", "n": 1})

    async def send(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "act":
            self.sent_at.setdefault(frame["id"], time.monotonic())
        await super().send(frame)

    async def hear(self, frame: dict[str, Any]) -> None:
        self.heard = time.monotonic()
        if frame["type"] in ("ack", "refused"):
            name = frame["id"]
            told = json.dumps({k: frame.get(k) for k in ("type", "seq", "rule", "message")})
            self.answered.setdefault(name, set()).add(told)
            if frame["type"] == "ack":
                self.acks.setdefault(name, frame["seq"])
                self.acked_at.append((self.sent_at[name], self.heard))
        await super().hear(frame)

    async def move(self) -> None:
        hand = asyncio.create_task(super().move())
        try:
            await met(lambda: self.still, 36_000)
        finally:
            hand.cancel()

    def acts_again(self, moment: float) -> bool:
        """Whether something that was done since that moment was acknowledged."""
        return any(sent > moment for sent, _ in self.acked_at)

    def gap(self, moment: float) -> float:
        """The longest time since shortly before that moment in which nothing was acknowledged."""
        times = [at for _, at in self.acked_at]
        first = max((at for at in times if at <= moment), default=moment)
        times = [first, *(at for at in times if at > moment)]
        return max((after - before for before, after in pairwise(times)), default=0.0)


class Ground:
    """Processes, what they depend on, and the players."""

    def __init__(self, servers: list[Server], port: int, secure: bool) -> None:
        self.servers = servers
        self.players = [Player(port, seat, secure) for seat in range(PEOPLE)]
        self.url = f"http{'s' if secure else ''}://127.0.0.1:{port}"
        self.postgres: Postgres | None = None
        self.redis: Redis | None = None
        self.wire: Wire | None = None
        self.disk: Path | None = None
        self.turn = 0

    def next(self) -> Server:
        """The processes in turn."""
        self.turn += 1
        return self.servers[self.turn % len(self.servers)]

    async def ready(self) -> None:
        """Wait until all processes are ready."""
        # Off the loop: a process may ask its database through the wire, which runs on it.
        await asyncio.gather(*(off_loop(wait_ready, server) for server in self.servers))

    def all_back(self, moment: float) -> bool:
        """Whether every player has done something since then."""
        return all(player.acts_again(moment) for player in self.players)

    def tracebacks(self) -> int:
        """How many there are in the logs."""
        logs = {server.site.log for server in self.servers}
        return sum(log.read_text().count("Traceback") for log in logs if log.exists())


def wait_ready(server: Server) -> None:
    """Wait until a process is ready. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE_S
    while not server.ready():
        if time.monotonic() > end:
            raise TimeoutError(f"not ready: {server.site.log.read_text()[-2_000:]}")
        time.sleep(0.1)


async def off_loop(work: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.to_thread(work, *arguments)


async def end_and_start(ground: Ground, how: signal.Signals) -> None:
    server = ground.next()
    await off_loop(server.end, how)
    server.start()


async def rolling(ground: Ground) -> None:
    await end_and_start(ground, signal.SIGTERM)


async def kill(ground: Ground) -> None:
    await end_and_start(ground, signal.SIGKILL)


async def freeze(ground: Ground) -> None:
    server = ground.next()
    assert server.process
    server.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(FROZEN_S)
    server.process.send_signal(signal.SIGCONT)


async def redis(ground: Ground) -> None:
    assert ground.redis
    await off_loop(ground.redis.stop)
    await asyncio.sleep(3)
    await off_loop(ground.redis.start)


async def postgres(ground: Ground) -> None:
    assert ground.postgres
    await off_loop(ground.postgres.restart, "immediate")


async def cut(ground: Ground) -> None:
    assert ground.wire
    ground.wire.cut()
    await asyncio.sleep(CUT_S)
    ground.wire.heal()


async def full(ground: Ground) -> None:
    assert ground.disk
    filler = ground.disk / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4_096))
    await asyncio.sleep(FULL_S)
    filler.unlink()


FAULTS: dict[str, tuple[Callable[[Ground], Awaitable[None]], int]] = {
    "rolling": (rolling, 10),
    "kill": (kill, 6),
    "stop": (freeze, 3),
    "redis": (redis, 5),
    "postgres": (postgres, 5),
    "cut": (cut, 4),
}


@asynccontextmanager
async def behind(proxy: Callable[..., AbstractContextManager[int]]) -> AsyncIterator[Ground]:
    """Two processes on one PostgreSQL and one Redis; the first reaches it by a wire of its own."""
    with ExitStack() as stack:
        var = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database, queue = Postgres(), Redis()
        stack.callback(database.close)
        stack.callback(queue.close)
        url = database.url()
        wire = Wire(database.port)
        await wire.start()
        fixed = {"SITE_ORIGINS": f"https://{HOST}", "TRUST_PROXY": "1", "SECRET_KEY": "4" * 60}
        fixed |= {"REDIS_URL": queue.url}
        urls = (url.replace(str(database.port), str(wire.port)), url)
        sites = [stack.enter_context(Site(var, {**fixed, "DATABASE_URL": where})) for where in urls]
        await off_loop(sites[1].prepare)
        await off_loop(open_table, sites[1], PLAN)
        servers = [Server(site) for site in sites]
        stack.callback(end_all, servers)
        port = stack.enter_context(proxy(var, *(server.port for server in servers)))
        ground = Ground(servers, port, secure=True)
        ground.postgres, ground.redis, ground.wire = database, queue, wire
        yield ground


@asynccontextmanager
async def embedded() -> AsyncIterator[Ground]:
    """One process on an SQLite file, without a proxy, on a small disk of its own if possible."""
    with ExitStack() as stack:
        var = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        small = await off_loop(run, ("mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(var)))
        if not small.returncode:
            stack.callback(run, ("umount", "-l", str(var)))
        site = stack.enter_context(
            Site(var, {"SITE_ORIGINS": f"http://{HOST}", "SECRET_KEY": "4" * 60})
        )
        await off_loop(site.migrate)
        await off_loop(open_table, site, PLAN)
        server = Server(site)
        stack.callback(end_all, [server])
        ground = Ground([server], server.port, secure=False)
        ground.disk = None if small.returncode else var
        yield ground


def end_all(servers: list[Server]) -> None:
    """End what still runs."""
    for server in servers:
        if server.process and server.process.poll() is None:
            server.process.send_signal(signal.SIGCONT)
            server.end(signal.SIGKILL)


@contextmanager
def looking(url: str) -> Iterator[tuple[Counter[int], list[float]]]:
    """Somebody opens pages one after another: the answers by status, and the slowest."""
    stop, statuses, slowest = threading.Event(), Counter[int](), [0.0]

    def look() -> None:
        while not stop.is_set():
            begun = time.monotonic()
            once = threading.Event()
            once.set()
            look_around(url, once, statuses)
            slowest[0] = max(slowest[0], time.monotonic() - begun)
            stop.wait(0.2)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield statuses, slowest
    finally:
        stop.set()
        thread.join()


async def row(
    name: str, ground: Ground, fault: Callable[[Ground], Awaitable[None]], times: int
) -> None:
    """Do it that often; print what it cost."""
    acked = sum(len(player.acks) for player in ground.players)
    before = ground.tracebacks()
    backs: list[float] = []
    never = 0
    with looking(ground.url) as (pages, slowest):
        for _ in range(times):
            moment = time.monotonic()
            await fault(ground)
            await ground.ready()
            try:
                await met(partial(ground.all_back, time.monotonic()), PATIENCE_S)
            except TimeoutError:
                never += 1
            backs += [player.gap(moment) for player in ground.players]
    lost, doubled, two = await judged(ground)
    acked = sum(len(player.acks) for player in ground.players) - acked
    traced = ground.tracebacks() - before
    wrong = sum(count for status, count in pages.items() if status == 0 or status >= 500)
    say(
        f"{name:<18}{times:>6}{acked:>8}{lost:>6}"
        f"{doubled:>9}{two:>5}{wrong:>5}{pages.total():>7}{slowest[0]:>9.1f}"
        f"{median(backs or [0]):>8.1f}{max(backs, default=0):>7.1f}{traced:>12}"
        + (f"   not back within {PATIENCE_S} s: {never}" if never else "")
        + (f"   {dict(pages)}" if wrong else "")
    )


async def judged(ground: Ground) -> tuple[int, int, int]:
    """How many acknowledged actions are lost, are doubled, and had two answers, up to now."""
    site = ground.servers[-1].site
    known = [dict(player.acks) for player in ground.players]
    text = await off_loop(site.record, PLAN.id)
    lines = [json.loads(line) for line in text.splitlines()]
    lost = doubled = two = 0
    for seat, acks in enumerate(known):
        mine = {seq for seq, line in enumerate(lines) if line.get("seat") == seat}
        tied = {seq for seq, line in enumerate(lines) if line.get("do") == "tie"}
        lost += len(set(acks.values()) - tied - mine)
        doubled += len(acks) - len(set(acks.values()))
        two += sum(len(told) > 1 for told in ground.players[seat].answered.values())
    return lost, doubled, two


async def measure(where: str, wanted: set[str], times: int | None) -> None:
    """All faults of one ground."""
    ground_of = {"nginx": lambda: behind(nginx), "caddy": lambda: behind(caddy), "sqlite": embedded}
    faults = {"kill": (kill, 10), "full": (full, 2)} if where == "sqlite" else FAULTS
    chosen = {name: fault for name, fault in faults.items() if f"{where}:{name}" in wanted}
    if not chosen:
        return
    async with ground_of[where]() as ground:
        for server in ground.servers:
            server.start()
        await ground.ready()
        await off_loop(wait_for, ground.url)
        tasks = [asyncio.create_task(player.play()) for player in ground.players]
        await met(lambda: all(len(player.acks) > 3 for player in ground.players), PATIENCE_S)
        for name, (fault, usual) in chosen.items():
            if name == "full" and ground.disk is None:
                say("sqlite:full: a small disk cannot be mounted here")
                continue
            await row(f"{where}:{name}", ground, fault, times or usual)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end


async def main() -> None:
    """Measure what is asked for."""
    every = ["sqlite:kill", "sqlite:full"]
    every += [f"{proxy}:{name}" for proxy in ("nginx", "caddy") for name in FAULTS]
    parser = ArgumentParser(prog="python -m tests.bench_live.faults", description=__doc__)
    parser.add_argument("--only", default=",".join(every), help="with commas")
    parser.add_argument("--times", type=int, help="how often each; by default some")
    options = parser.parse_args()
    say(f"load of this machine: {os.getloadavg()[0]:.1f}\n{HEAD}")
    for where in ("sqlite", "nginx", "caddy"):
        await measure(where, set(options.only.split(",")), options.times)


if __name__ == "__main__":
    asyncio.run(main())
