"""Python programs in processes of their own that need not import the libraries first.

Importing them takes a process of the site three quarters of the CPU until it serves. Here a server
that has imported `LIBRARIES`, and nothing that depends on settings, forks: each process reads its
own environment and settings and has its own descriptors, signals and exit status.
"""

import atexit
import os
import runpy
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from multiprocessing.reduction import DupFd
from pathlib import Path
from signal import Signals
from socket import socket
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = [
    *("autobahn.twisted.websocket", "channels_redis.pubsub", "confusable_homoglyphs.confusables"),
    *("django.contrib.admin", "django.core.management.commands.migrate"),
    *("django.core.management.commands.shell", "django.db.backends.postgresql.base"),
    *("django.db.backends.sqlite3.base", "fsrs", "huey.api", "markdown_it", "nh3"),
    *("openskill.models", "prometheus_client", "psycopg_pool", "pydantic.fields"),
    *("pydantic.json_schema", "pydantic.root_model", "resvg_py", "segno", "servestatic"),
    *("twisted.web.http", "unittest.mock", "games.bots.roster", "games.live.fanout"),
    *("games.live.host.match_host", "games.records.check", "replays.analysis.match_report"),
    *("replays.analysis.moments", "replays.charts.fed", "replays.timeline"),
    *("replays.variations.what_if", "tests.forked"),
]
"""What a process of the site takes longest to import; none of it asks for settings."""
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(LIBRARIES)


class Process:
    """A running program, with the part of `subprocess.Popen` that the tests use."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process
        process.start()
        assert process.pid
        self.pid: int = process.pid

    def poll(self) -> int | None:
        """The exit status; None while the program runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, when the program has ended.

        Raises:
            subprocess.TimeoutExpired: it still runs after `timeout` seconds.
        """
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0)
        return status

    def send_signal(self, how: Signals) -> None:
        """Send a signal, unless the program has ended."""
        if self.poll() is None:
            os.kill(self.pid, how)


class _Descriptor:
    """A descriptor that the other process gets too; there, another number may stand for it."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (DupFd(self.number),)


def _received(passed: Any) -> _Descriptor:
    return _Descriptor(passed.detach())


def start(
    program: str,
    *arguments: str,
    environment: Mapping[str, str],
    output: int,
    errors: int,
    listening: socket | None = None,
) -> Process:
    """Run a module (`daphne`) or a file (`manage.py`) as Python's command line does.

    `output` and `errors` are the descriptors to write to. A server gets the socket `listening`
    and its descriptor as ``--fd``.
    """
    streams = (_Descriptor(output), _Descriptor(errors))
    what = (program, arguments, dict(environment), streams, listening)
    return Process(CONTEXT.Process(target=_run, args=what, name=program))


def _run(
    program: str,
    arguments: tuple[str, ...],
    environment: dict[str, str],
    streams: tuple[_Descriptor, _Descriptor],
    listening: socket | None,
) -> None:
    for number, stream in enumerate(streams, 1):
        os.dup2(stream.number, number)
        os.close(stream.number)
    os.environ.clear()
    os.environ.update(environment)
    served = ("--fd", str(listening.fileno())) if listening else ()
    os.chdir(ROOT)
    sys.argv = [program, *served, *arguments]
    try:
        if program.endswith(".py"):
            runpy.run_path(program, run_name="__main__")
        else:
            runpy.run_module(program, run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()
