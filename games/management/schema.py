"""Whether the database matches the models, and bringing it up to date.

An embedded database belongs to this program, so a command that needs it creates it. A database
server belongs to its operator, and is changed only on request.
"""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def verify_release(*, databases: Sequence[str] | None, **_: Any) -> list[CheckMessage]:
    """A fault if the database is from between two releases, whose steps are one migration now.

    None of them is asked if `databases` is None, as in `check`, which needs no database.
    """
    if databases is None:
        return []
    applied = MigrationRecorder(connection).applied_migrations()
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    for migration in loader.disk_migrations.values():
        lacks = [step for step in migration.replaces if step not in applied]
        if lacks and len(lacks) < len(migration.replaces):
            found = f"The database is from between two releases: it lacks {' '.join(lacks[0])}."
            return [Error(found, "Restore a backup that a release has made.", id="games.E001")]
    return []


def is_current() -> bool:
    """Raises CommandError for a database from between two releases."""
    for fault in verify_release(databases=[connection.alias]):
        raise CommandError(f"{fault.msg} {fault.hint}")
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
