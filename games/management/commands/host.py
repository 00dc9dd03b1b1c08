"""``manage.py host``: a whole site in one command: tables, static files, server and worker.

A database that an update changes is backed up first.
"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command
from django.db import connection, connections

from games.management.commands.demo import collect, serve, worker
from games.management.schema import is_current


class Command(BaseCommand):
    help = "Bring the database and static files up to date, then serve the site, with a worker."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--prepare", action="store_true", help="only bring them up to date; see check_update"
        )

    def handle(self, *args: Any, prepare: bool, **options: Any) -> None:
        if not is_current():
            if connection.introspection.table_names():
                call_command("backup", stdout=self.stdout)
            call_command("migrate", interactive=False, stdout=self.stdout)
        collect()
        connections.close_all()
        if prepare:
            return
        where = f"{settings.BIND}, port {settings.PORT}"
        self.stdout.write(f"Serving on {where}: {', '.join(settings.SITE_ORIGINS)}")
        self.stdout.flush()
        with worker():
            # Without a proxy of ours, no header may claim where a request comes from.
            proxied = ("--proxy-headers",) if settings.SECURE_PROXY_SSL_HEADER else ()
            serve(f"--bind={settings.BIND}", *proxied)
