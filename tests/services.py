"""What tests start for themselves: PostgreSQL, Redis and the site, each on a port of its own.

What cannot be had raises `NotInstalledError` with advice; nothing is skipped in silence.
"""

import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path
from typing import Any, Self

import psycopg

from tests import forked

ROOT = Path(__file__).resolve().parent.parent
DATABASE = "ratuki.sqlite3"
TEMPLATE = "ratuki_template"
"""The database that `prepared_cluster` has, to be copied."""


class NotInstalledError(RuntimeError):
    """A program that the tests need is not on this machine; the message says what to do."""


_ports: list[socket.socket] = []


def free_port() -> int:
    """A port for a server of a test, which keeps it while the server is away.

    It is held until this process ends by a socket that never listens: Linux lets a server that says
    SO_REUSEADDR, as all do, listen there too, and gives the port to nobody who asks for any.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _ports.append(holder)
    if sys.platform != "linux":
        holder.close()
    return int(holder.getsockname()[1])


def tried(command: Sequence[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
    """What became of a command."""
    env = {**os.environ, **environment}
    return subprocess.run(command, check=False, cwd=ROOT, env=env, capture_output=True, text=True)


def find_program(name: str, *folders: Path, package: str) -> str:
    """The path of `name` on PATH or in `folders`; `package` is the Debian package with it."""
    path = shutil.which(name) or next((str(f / name) for f in folders if (f / name).exists()), "")
    if not path:
        advice = f"on Debian, as root: apt-get install -y {package}"
        raise NotInstalledError(f"{name} is needed; {advice}")
    return path


class Postgres:
    """A throw-away PostgreSQL server; `url()` gives a new empty database on it.

    It begins as a copy of `prepared_cluster`, unless it is to be `empty`.
    """

    def __init__(self, *, empty: bool = False) -> None:
        folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
        self._initdb = find_program("initdb", *folders, package="postgresql")
        self._pg_ctl = find_program("pg_ctl", *folders, package="postgresql")
        self._user = self._unprivileged_user()
        self._made = 0
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="ratuki-pg-"))
        if self._user:
            shutil.chown(self.folder, self._user)
        if empty:
            whose = ("-A", "trust", "-U", "ratuki", "--no-sync")
            self._as_user(self._initdb, "-D", self.data, *whose)
        else:
            subprocess.run(("cp", "-a", prepared_cluster(), self.data), check=True)
        self.start()

    @property
    def data(self) -> str:
        """The server's folder of data."""
        return str(self.folder / "data")

    @staticmethod
    def _unprivileged_user() -> str:
        """Whom the server must run as, because it refuses root; empty for ourselves."""
        if os.geteuid() != 0:
            return ""
        try:
            return pwd.getpwnam("postgres").pw_name
        except KeyError:
            advice = "user postgres is needed; on Debian: apt-get install -y postgresql"
            raise NotInstalledError(advice) from None

    def _as_user(self, *command: str) -> None:
        prefix = ("runuser", "-u", self._user, "--") if self._user else ()
        subprocess.run((*prefix, *command), check=True, cwd="/", stdout=subprocess.DEVNULL)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = (
            f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 "
            "-c fsync=off -c full_page_writes=off -c max_connections=100"
        )
        log = str(self.folder / "log")
        self._as_user(self._pg_ctl, "-D", self.data, "-w", "-l", log, "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; mode `immediate` is as rude as a crash."""
        self._as_user(self._pg_ctl, "-D", self.data, "-w", "-m", mode, "stop")

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Connections stay open, and nothing is answered, as long as the block lasts."""
        server = int(Path(self.data, "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        processes = [server, *map(int, children)]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                with suppress(ProcessLookupError):  # one that was ending, and is collected now
                    os.kill(process, signal.SIGCONT)

    def restart(self, mode: str = "fast") -> None:
        """Stop and start on the same port."""
        self.stop(mode)
        self.start()

    def url(self) -> str:
        """The address of a new, empty database, as DATABASE_URL takes it."""
        self._made += 1
        url = f"postgresql://ratuki@127.0.0.1:{self.port}/ratuki_{self._made}"
        with beside(url) as connection:
            connection.execute(f"CREATE DATABASE ratuki_{self._made}")
        return url

    def close(self) -> None:
        """Stop the server and remove its files."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def beside(url: str) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection to the server of a database, from where that database can be made."""
    return psycopg.connect(f"{url.rpartition('/')[0]}/postgres", autocommit=True)


def copied(url: str) -> bool:
    """Make a new database a copy of `TEMPLATE`, unless its server has none."""
    name = url.rpartition("/")[2]
    with beside(url) as connection:
        known = connection.execute("SELECT FROM pg_database WHERE datname = %s", [TEMPLATE])
        if known.rowcount:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}"')
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{TEMPLATE}"')
        return known.rowcount > 0


class Redis:
    """A throw-away Redis server that keeps nothing on disk; `url` is its address."""

    def __init__(self) -> None:
        self._program = find_program("redis-server", package="redis-server")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = ("--port", str(self.port), "--bind", "127.0.0.1", "--save", "")
        self.process = subprocess.Popen(
            (self._program, *options), stdout=subprocess.PIPE, text=True, cwd="/tmp"
        )
        assert self.process.stdout
        for line in self.process.stdout:
            if "Ready to accept connections" in line:
                return
        raise RuntimeError(f"redis-server ended with {self.process.wait()}")

    def stop(self) -> None:
        """End the server at once."""
        self.process.kill()
        self.process.communicate()

    def restart(self) -> None:
        """End and start on the same port; everybody's connection breaks."""
        self.stop()
        self.start()

    close = stop


OPTIONS = (
    *("--ping-interval", "5", "--ping-timeout", "10"),
    *("--websocket-max-message-size", "8192", "--websocket-max-frame-size", "8192"),
)


def once(name: str, make: Callable[[Path], None]) -> Path:
    """What `make` puts into a folder: done once for a test run, by whoever needs it first.

    The tests' processes share `$TEST_SHARED` (tests/conftest.py); without it, each makes its own.
    """
    if "TEST_SHARED" not in os.environ:
        os.environ["TEST_SHARED"] = tempfile.mkdtemp(prefix="ratuki-test-")
        atexit.register(shutil.rmtree, os.environ["TEST_SHARED"], ignore_errors=True)
    shared = Path(os.environ["TEST_SHARED"])
    folder = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            half = Path(tempfile.mkdtemp(dir=shared))
            make(half)
            half.rename(folder)
    return folder


@cache
def migrated() -> Path:
    """An embedded database with the site's tables and no rows; made once for a test run."""

    def make(folder: Path) -> None:
        with Site(folder) as site:
            site.manage("migrate", "--verbosity", "0")

    return once("migrated", make) / DATABASE


@cache
def prepared() -> Path:
    """The folder of a site with its tables, static files and no rows; made once for a test run."""

    def make(folder: Path) -> None:
        with Site(folder) as site:
            site.migrate()
            site.manage("demo", "--prepare", "--bare")

    return once("prepared", make)


@cache
def prepared_cluster() -> Path:
    """The data of a stopped PostgreSQL server with the site's tables in its database `TEMPLATE`."""

    def make(folder: Path) -> None:
        server = Postgres(empty=True)
        url = server.url()
        with Site(folder, {"DATABASE_URL": url}) as site:
            site.manage("migrate", "--verbosity", "0")
        with beside(url) as connection:
            connection.execute(f"ALTER DATABASE ratuki_1 RENAME TO {TEMPLATE}")
        server.stop()
        shutil.move(server.data, folder / "data")
        shutil.rmtree(server.folder, ignore_errors=True)

    return once("postgres", make) / "data"


class Site:
    """The site in a process of its own, as it is served in earnest: Daphne, ASGI, DEBUG off.

    `var` is its folder for data; the listening socket is made here and handed over, so
    that requests wait for the start instead of being refused. As a context manager it
    ends with its block; `start` is for the block to call, when its data is ready.
    """

    process: forked.Process | None = None

    def __init__(self, var: Path, environment: Mapping[str, str] | None = None) -> None:
        self.var = var
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.socket.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        inherited = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
        self.environment = {
            **inherited,
            "RATUKI_VAR": str(var),
            "PORT": str(self.port),
            "SITE_ORIGINS": self.url,
            "RELEASE": "test",
            **(environment or {}),
        }
        self.log = var / f"site-{self.port}.log"

    def record(self, match: str) -> str:
        """A match's record, even while it is being played."""
        return self.manage("export_record", "--hidden", "--", match)

    def manage(self, *arguments: str) -> str:
        """Run a management command against this site's data; its output."""
        manage = str(ROOT / "manage.py")
        with tempfile.TemporaryFile("w+") as output:
            process = forked.start(
                manage, *arguments, environment=self.environment, output=output.fileno(), errors=2
            )
            status = process.wait()
            output.seek(0)
            said = output.read()
            if status:
                raise subprocess.CalledProcessError(status, (manage, *arguments), said)
            return said

    def migrate(self) -> None:
        """Give this site's empty database its tables."""
        url = self.environment.get("DATABASE_URL")
        if not url:
            shutil.copyfile(migrated(), self.var / DATABASE)
        elif not copied(url):
            self.manage("migrate", "--verbosity", "0")

    def prepare(self) -> None:
        """Give this site its tables and its static files."""
        self.migrate()
        shutil.copytree(prepared() / "static", self.var / "static", copy_function=os.link)

    def start(self) -> Self:
        """Start serving; requests are taken from now on."""
        with self.log.open("ab") as log:
            self.process = forked.start(
                "daphne",
                *OPTIONS,
                "tests.late:application"
                if "LATE_MS" in os.environ
                else "ratuki_site.asgi:application",
                environment=self.environment,
                output=log.fileno(),
                errors=log.fileno(),
                listening=self.socket,
            )
        return self

    @contextmanager
    def working(self) -> Iterator[subprocess.Popen[bytes]]:
        """A worker for the site, without its regular jobs."""
        environment = {**self.environment, "DJANGO_SETTINGS_MODULE": "tests.quiet_settings"}
        command = (sys.executable, "manage.py", "worker", "--nice=0")
        process = subprocess.Popen(command, cwd=ROOT, env=environment)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; the exit status."""
        assert self.process, "not started"
        self.process.send_signal(how)
        return self.process.wait(timeout=60)

    def close(self) -> None:
        """End the site if it runs, and free its port."""
        if self.process and self.process.poll() is None:
            self.stop(signal.SIGKILL)
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
