"""Whether the database is as the models want it, and making it so.

An embedded database belongs to this program, so a command that needs it makes it. A database
server belongs to whoever runs it, and is changed only by those who say so.
"""

from __future__ import annotations

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def is_current() -> bool:
    """Whether no migration waits."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def migrate() -> None:
    """Bring the database up to date; costs next to nothing when it is."""
    if not is_current():
        call_command("migrate", verbosity=0)


def need_database() -> None:
    """Make an embedded database where it is missing. Raises CommandError for any other."""
    if is_current():
        return
    if connection.vendor != "sqlite":
        raise CommandError("the database is not up to date: python manage.py migrate")
    migrate()
