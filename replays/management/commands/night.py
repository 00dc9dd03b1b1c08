"""``manage.py night``: the night's work, now. A worker runs it every night."""

import os
import signal
import sys
from argparse import ArgumentParser
from threading import Thread
from typing import Any

from django.core.management.base import BaseCommand

from replays.jobs.night import work


class Command(BaseCommand):
    help = "Tidy and back up, as workers do every night. Exits with 1 if no backup was made."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_until_eof(parser)

    def handle(self, *args: Any, until_eof: bool, **options: Any) -> None:
        if until_eof:
            stop_at_eof()
        if not work():
            sys.exit(1)


def add_until_eof(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--until-eof",
        action="store_true",
        help="stop when standard input ends, as it does when the parent process dies",
    )


def stop_at_eof() -> None:
    """End this process by SIGTERM when its standard input ends."""

    def wait() -> None:
        sys.stdin.read()
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=wait, daemon=True).start()
