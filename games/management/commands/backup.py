"""``manage.py backup [--to FOLDER] [--keep DAYS]``: a checked copy of the whole database."""

import signal
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from games.management.backups import BackupError, delete_old, folder_of_backups, make_backup
from games.management.commands.tidy import positive


class Command(BaseCommand):
    help = "Write a backup of the whole database, check it, and delete old backups."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        folder = folder_of_backups()
        parser.add_argument("--to", type=Path, default=folder, help=f"the folder ({folder})")
        days = settings.BACKUP_DAYS
        parser.add_argument(
            "--keep", type=positive, default=days, help=f"for how many days ({days})"
        )

    def handle(self, *args: Any, to: Path, keep: int, **options: Any) -> None:
        now = datetime.now(UTC)
        try:
            with _exit_on_sigterm():
                path, rows = make_backup(to, now)
        except BackupError as error:
            raise CommandError(f"no backup was made: {error}") from None
        deleted = delete_old(to, keep, now)
        self.stdout.write(f"{path}: {rows:,} rows, restored and counted; {deleted} old deleted")


@contextmanager
def _exit_on_sigterm() -> Iterator[None]:
    """Let SIGTERM unwind the stack, so that what is unfinished is deleted."""
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
