"""``manage.py worker``: do jobs until stopped (docs/reference/jobs.md)."""

import gc
import logging
import os
from argparse import ArgumentParser
from threading import Event, Thread
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection
from huey.consumer import Consumer

from games.live.storage.availability import end_in_time
from games.management.schema import need_database
from replays.jobs import night, rows
from replays.jobs.queue import WORKER, keep_watch, queue, stopping
from replays.management.commands.night import add_until_eof, stop_at_eof

PATIENCE_S: Final = 5
"""How long a stopping worker may take to leave its part. Then another does that again."""
LOOK_S: Final = 0.5
"""How often it looks for messages where the queue cannot wake it: on SQLite."""


class _Consumer(Consumer):
    """Huey's, which also leaves the part under way."""

    def stop(self, graceful: bool = False) -> None:
        stopping.set()
        end_in_time()
        super().stop(graceful)


class Command(BaseCommand):
    help = "Do jobs (analyses, patterns, simulations), one at a time, until stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--nice",
            type=int,
            default=10,
            metavar="N",
            help="yield to other processes so much (default: 10)",
        )
        add_until_eof(parser)

    def handle(self, *args: Any, nice: int, until_eof: bool, **options: Any) -> None:
        os.nice(nice)
        gc.set_threshold(*settings.GARBAGE_THRESHOLDS)
        need_database()
        consumer = _Consumer(
            queue().huey,
            workers=1,
            max_delay=LOOK_S,
            shutdown_timeout=PATIENCE_S,
            graceful_signal="TERM",
        )
        if until_eof:
            stop_at_eof()
        over = Event()
        watch = Thread(target=keep_watch, args=(over,), daemon=True)
        watch.start()
        consumer.run()
        over.set()
        night.stop(PATIENCE_S)
        watch.join(PATIENCE_S)
        try:
            rows.give_back_all(WORKER)
        except DatabaseError as error:
            logging.getLogger(__name__).warning(
                "jobs are taken over when their lease ends: %s", error
            )
        connection.close()
