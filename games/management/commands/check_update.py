"""``manage.py check_update``: whether this release can be put in place without a stop."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand

from games.management.schema import is_current
from games.management.updating import waiting


class Command(BaseCommand):
    help = "Say, before an update, whether the site must stop for it. Changes nothing."
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
        elif found:
            self.stdout.write(f"No stop needed: migrate ({len(found)}), then restart one by one.")
        else:
            self.stdout.write("The database is up to date: restart the processes one by one.")
