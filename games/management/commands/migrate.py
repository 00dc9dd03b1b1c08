"""Migrate, however long a migration takes between two statements.

A serving process that stays idle in a transaction loses its connection, so that a frozen one does
not block others. A migration may well be idle: it loads all models again, and changes rows, in
Python.
"""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET idle_in_transaction_session_timeout = 0")
        super().handle(*args, **options)
