"""One match in front of a crowd by pieces, behind the nginx.conf that we ship, without its TLS."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench_live.servers import Server
from tests.deploy.proxies import SBIN, nginx_files, running
from tests.services import ROOT, find_program, free_port

WORKERS = 2
"""A process may open 20,000 files."""
CLIENTS = 2
LIMITS = f"worker_processes {WORKERS}; worker_rlimit_nofile 20000; user root;"
EVENTS = "events { worker_connections 19000; }"


@contextmanager
def nginx(server: Server) -> Iterator[tuple[int, int]]:
    """The proxy in front of a process: its port, and its main process."""
    port = free_port()
    upstream = int(server.url.rpartition(":")[2])
    with TemporaryDirectory() as name:
        folder = Path(name)
        main = nginx_files(folder, port, upstream, upstream)
        main.write_text(LIMITS + main.read_text().replace("events {}", EVENTS))
        shipped = folder / "ratuki.conf"
        shipped.write_text(shipped.read_text().replace(f":{port} ssl;", f":{port} backlog=4096;"))
        with running(find_program("nginx", *SBIN, package="nginx"), "-c", str(main)):
            pid = folder / "pid"
            while not pid.exists():
                time.sleep(0.05)
            yield port, int(pid.read_text())


def cpu_of(main: int) -> float:
    """The CPU seconds that a process and its children have used."""
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    total = 0
    for pid in (str(main), *children):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def connected(port: int, size: int, seconds: float, folder: Path) -> Sequence[Client]:
    """A crowd of that size, ready to ask for so long."""
    each = -(-size // CLIENTS)
    clients = [
        Client(port, first, min(each, size - first), seconds, folder / f"{first}.json")
        for first in range(0, size, each)
    ]
    for client in clients:
        client.wait()
    return clients


class Client:
    """A process with some of the crowd."""

    def __init__(self, port: int, first: int, count: int, seconds: float, file: Path) -> None:
        self.file = file
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.bench_live.asking"),
                *map(str, (port, first, count, seconds, file)),
            ],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def wait(self) -> None:
        """Until it is connected."""
        assert self.process.stdout
        assert self.process.stdout.readline()

    def go(self) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def told(self) -> dict[str, Any]:
        """What it was sent."""
        assert self.process.wait() == 0
        found: dict[str, Any] = json.loads(self.file.read_text())
        return found


def delays(told: Sequence[dict[str, Any]], commits: dict[int, list[int]]) -> list[float]:
    """For each line that each spectator got, the ms from its commit to its receipt."""
    ends = sorted(commits)
    found = []
    for first, end, times in (each for one in told for each in one["came"]):
        committed = [commits[seq][-1] for seq in ends if first < seq <= end]
        found += [(came - at) / 1e6 for at in committed for came in times]
    return found


@contextmanager
def no_proxy(server: Server) -> Iterator[tuple[int, int]]:
    """The process itself, as a proxy without a cache asks it."""
    yield int(server.url.rpartition(":")[2]), server.process.pid


def measured(server: Server, size: int, seconds: float, share: Any, *, cached: bool) -> str:
    """A line of the table."""
    front = nginx if cached else no_proxy
    with front(server) as (port, main), TemporaryDirectory() as folder:
        clients = connected(port, size, seconds, Path(folder))
        before, begun = (server.cpu(), cpu_of(main)), time.monotonic()
        for client in clients:
            client.go()
        told = [client.told() for client in clients]
        lasted = time.monotonic() - begun
        origin, proxy = server.cpu() - before[0], cpu_of(main) - before[1]
        found = delays(told, server.noted("one"))
    asked, answered = (sum(one[name] for one in told) for name in ("asked", "answered"))
    faults, sent = (sum(one[name] for one in told) for name in ("faults", "bytes"))
    what = f", nginx {proxy / lasted:.2f}" if cached else f", {origin / answered * 1e3:.2f} ms each"
    return (
        f"pieces {size:>7,}: {asked:,} asked, {answered:,} answered, {faults} faults, "
        f"{sent / max(answered, 1):.0f} bytes each, "
        f"p50 {share(found, 0.5):.0f} ms, p99 {share(found, 0.99):.0f} ms, "
        f"origin {origin / lasted:.3f} of a core{what}"
    )
