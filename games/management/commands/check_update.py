"""``manage.py check_update``: whether this release can be put in place without a stop."""

import sys
from typing import Any, Final

from django.core.management import BaseCommand

from games.management.schema import is_current
from games.management.updating import waiting

STOP: Final = 3
"""The exit status where the site must stop. Errors exit with 1."""


class Command(BaseCommand):
    help = "Say whether the site must stop for an update: exit status 3. Changes nothing."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        found = {} if is_current() else dict(waiting())
        stops = {name: reasons for name, reasons in found.items() if reasons}
        for name, reasons in stops.items():
            self.stdout.write(f"{name}: {'; '.join(reasons)}")
        if stops:
            self.stdout.write(
                "This update needs a stop: stop all processes and workers, back up, migrate, start."
            )
            sys.exit(STOP)
        if found:
            self.stdout.write(f"No stop needed: migrate ({len(found)}), then restart one by one.")
        else:
            self.stdout.write("The database is up to date: restart the processes one by one.")
