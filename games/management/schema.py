"""Whether the database matches the models, and bringing it up to date.

An embedded database belongs to this program, so a command that needs it creates it. A database
server belongs to its operator, and is changed only on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.core.checks import CheckMessage, Error
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

OLDER: Final = "the database is of an older version; docs/deploy.md, Updating, says how to go on"


def is_current() -> bool:
    """Whether all migrations are applied. Raises CommandError if some can be no more."""
    executor = MigrationExecutor(connection)
    if _lacks_replaced(executor.loader):
        raise CommandError(OLDER)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def check_age(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """What `migrate` is told, which would leave such a database as it is, and say nothing.

    Other commands check no database.
    """
    older = databases and _lacks_replaced(MigrationLoader(connection))
    return [Error(OLDER)] if older else []


def _lacks_replaced(loader: MigrationLoader) -> bool:
    """Whether some of the migrations that one has replaced are applied, and some not."""
    return bool(set(loader.replacements) - loader.graph.nodes.keys())


def migrate() -> None:
    """Apply migrations; costs almost nothing if there are none."""
    if not is_current():
        call_command("migrate", verbosity=0)


def need_database() -> None:
    """Create a missing embedded database. Raises CommandError for any other."""
    if is_current():
        return
    if connection.vendor != "sqlite":
        raise CommandError("the database is not up to date: python manage.py migrate")
    migrate()
