"""The server that is measured.

Run as a program this is one. It notes in a file when something was committed, on the machine's
monotonic clock, which the clients read too.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from games.live.fanout.doorbell import Doorbell
from tests.bench_live.bare import PING_S, PONG_S
from tests.services import ROOT, Site

LEDGER = "RATUKI_LEDGER"
OPTIONS = (f"--ping-interval={PING_S}", f"--ping-timeout={PONG_S}", "--verbosity=0")


class Server:
    """A running server: what it has used, and what it has noted."""

    def __init__(self, process: subprocess.Popen[bytes], ledger: Path, url: str) -> None:
        self.process = process
        self.url = url
        self.ledger = ledger

    def cpu(self) -> float:
        """The CPU seconds used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """MiB in memory now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def noted(self, match: str) -> dict[int, list[int]]:
        """When the line before each seq was committed, in ns; the last time last."""
        times: dict[int, list[int]] = {}
        for line in self.ledger.read_text().splitlines():
            name, seq, at = line.split()
            if name == match:
                times.setdefault(int(seq), []).append(int(at))
        return times


@contextmanager
def serving(site: Site, core: int) -> Iterator[Server]:
    """The site, served by Daphne on one core."""
    ledger = site.var / "ledger"
    ledger.write_text("")
    environment = {**site.environment, LEDGER: str(ledger), "LIVE_SOCKETS_PER_ADDRESS": "20000"}
    command = (sys.executable, "-m", "tests.bench_live.servers", str(site.socket.fileno()))
    with started(command, environment, core, site.socket.fileno(), site.log) as process:
        yield Server(process, ledger, site.url)


@contextmanager
def serving_bare(site: Site, server: Server, core: int) -> Iterator[Server]:
    """Bare `websockets` beside it, which sends what is written to its input."""
    with socket.create_server(("127.0.0.1", 0), backlog=4_096) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        number = listening.fileno()
        command = (sys.executable, "-m", "tests.bench_live.bare", str(number))
        with started(command, site.environment, core, number, site.log) as process:
            yield Server(process, server.ledger, url)


@contextmanager
def started(
    command: tuple[str, ...], environment: Mapping[str, str], core: int, listening: int, log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A process on one core that is given a listening socket."""
    with log.open("ab") as out:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            pass_fds=(listening,),
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
        )
    os.sched_setaffinity(process.pid, {core})
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


# What runs in the server's process


class Ledger(Doorbell):
    """A doorbell that rings in a file: `match seq ns` for each commit."""

    def __init__(self) -> None:
        self._file = Path(os.environ[LEDGER]).open("a", buffering=1)  # noqa: SIM115 - for ever

    def ring(self, match: str, seq: int) -> None:
        """Something was committed, and everything below `seq` is told to the players."""
        if seq >= 0:
            self._file.write(f"{match} {seq} {time.monotonic_ns()}\n")


def serve_site(descriptor: str) -> None:
    """Serve the site, and note commits."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ratuki_site.settings")
    import daphne.server  # noqa: F401 - it chooses the reactor, before the site looks for it
    from daphne.cli import CommandLineInterface

    import ratuki_site.asgi  # noqa: F401 - Django first
    from games.live.wire import routing

    setattr(routing, "Doorbell", Ledger)  # noqa: B010 - mypy has it as a class
    CommandLineInterface().run([*OPTIONS, "--fd", descriptor, "ratuki_site.asgi:application"])


if __name__ == "__main__":
    serve_site(sys.argv[1])
