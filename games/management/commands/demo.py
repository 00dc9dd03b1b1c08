"""``manage.py demo``: create whatever is missing, then serve the site on 127.0.0.1:$PORT.

A worker for jobs runs beside it.
"""

import os
import shutil
import signal
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final

from django.conf import settings
from django.core.management import BaseCommand, call_command, get_commands
from django.db import connections

from games.management.schema import migrate

DAPHNE: Final = (
    "--ping-interval=5",
    "--ping-timeout=10",
    "--websocket-max-message-size=8192",
    "--websocket-max-frame-size=8192",
    "--no-server-name",
    "--verbosity=0",
)


class Command(BaseCommand):
    help = "Serve the site on 127.0.0.1, with a database and sample matches."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--prepare", action="store_true", help="set everything up and exit")
        parser.add_argument("--bare", action="store_true", help="do not play sample matches")

    def handle(self, *args: Any, prepare: bool, bare: bool, **options: Any) -> None:
        migrate()
        collect()
        if not bare and is_empty():
            self.stdout.write("Playing some sample matches")
            call_command("demo_data")
            if "demo_study" in get_commands():
                call_command("demo_study")
        connections.close_all()
        if not prepare:
            self.stdout.write(f"Serving http://127.0.0.1:{settings.PORT}/ (Ctrl+C to stop)")
            self.stdout.flush()
            os.environ.setdefault("LIVE_HOUSE_MATCHES", "1")
            with worker():
                serve("--bind=127.0.0.1")


def collect() -> None:
    complete = settings.STATIC_ROOT / ".complete"
    if not complete.exists():
        call_command("collectstatic", interactive=False, verbosity=0)
        complete.touch()


def is_empty() -> bool:
    """Whether there is no match yet and a command to create some."""
    if "demo_data" not in get_commands():
        return False
    from games.models import Match

    return not Match.objects.exists()


@contextmanager
def worker() -> Iterator[None]:
    """A process for long work beside the server. Each ends with the other, however that ends."""
    politely = ("nice", "-n", "10") if shutil.which("nice") else ()
    command = (*politely, sys.executable, str(settings.BASE_DIR / "manage.py"), "worker")
    process = subprocess.Popen(
        (*command, "--nice=0", "--until-eof"), stdin=subprocess.PIPE, start_new_session=True
    )
    over = Event()

    def end_together() -> None:
        process.wait()
        if not over.is_set():
            sys.stderr.write("The worker has ended, so the site ends too.\n")
            os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=end_together, daemon=True).start()
    try:
        yield
    finally:
        over.set()
        process.communicate()


def serve(*options: str) -> None:
    """Run Daphne in this process until it is stopped."""
    from daphne.cli import CommandLineInterface

    where = (*options, f"--port={settings.PORT}")
    CommandLineInterface().run([*DAPHNE, *where, "ratuki_site.asgi:application"])
