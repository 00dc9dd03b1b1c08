"""Writing to the database only to see whether that is possible."""

from __future__ import annotations

import sqlite3

from django.db import connection, transaction

from games.live.storage.availability import UNAVAILABLE, guarded
from games.models import RelayReply


def writes() -> bool:
    """Write to the database, and leave nothing behind; False if it can only be read.

    Raises StoreUnavailableError.
    """
    return guarded(_writes)


def _writes() -> bool:
    try:
        with transaction.atomic():
            RelayReply.objects.create(process="probe", body={}).delete()
    except UNAVAILABLE as error:
        if getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            return True  # somebody else is writing
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return False
    return True
