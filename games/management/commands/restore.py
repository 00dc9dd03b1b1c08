"""``manage.py restore FILE``: fill an empty database from a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.management.backups import BackupError, restore


class Command(BaseCommand):
    help = "Fill the site's empty database from a file that `backup` made."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", type=Path, metavar="FILE")

    def handle(self, *args: Any, backup: Path, **options: Any) -> None:
        try:
            rows, release = restore(backup)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{rows:,} rows restored, all counted; made by release {release}. "
            "Now: python manage.py migrate"
        )
