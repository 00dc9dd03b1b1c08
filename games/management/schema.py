"""Whether the database matches the models, and bringing it up to date.

An embedded database belongs to this program, so a command that needs it creates it. A database
server belongs to its operator, and is changed only on request.
"""

from __future__ import annotations

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def is_current() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def migrate() -> None:
    """Apply migrations. Costs almost nothing if there are none."""
    if not is_current():
        call_command("migrate", verbosity=0)


def need_database() -> None:
    """Create a missing embedded database. Raises CommandError for any other."""
    if is_current():
        return
    if connection.vendor != "sqlite":
        raise CommandError("the database is not up to date: python manage.py migrate")
    migrate()
