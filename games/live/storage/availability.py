"""Work on a database that may be unavailable, and ending though it hangs."""

import os
import sqlite3
from collections.abc import Callable
from threading import Timer
from typing import Final, ParamSpec, TypeVar

from django.conf import settings
from django.db import InterfaceError, InternalError, OperationalError, connection

from games.live.host.leases import StoreUnavailableError

LEAVE_S: Final = 9
P = ParamSpec("P")
T = TypeVar("T")
UNAVAILABLE: Final = (OperationalError, InterfaceError, InternalError)
"""What a database raises that ended the connection, went away or only reads for now.

PostgreSQL counts the end of a transaction left idle for too long as an internal error.
"""


def guarded(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` on the database. Raises StoreUnavailableError if it cannot be reached."""
    try:
        return work(*args, **kwargs)
    except UNAVAILABLE as error:
        connection.close()
        raise StoreUnavailableError(str(error)) from error
    finally:
        if settings.DATABASES["default"].get("OPTIONS", {}).get("pool"):
            connection.close()  # returns it to the pool, where pages may be waiting for one


def is_outage(error: BaseException) -> bool:
    """Whether that is a database which cannot be used now, and not a fault of the program."""
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    return isinstance(error, UNAVAILABLE) and code != sqlite3.SQLITE_ERROR


def end_in_time() -> None:
    """End this process within `LEAVE_S`, though a thread waits for a database that hangs."""
    last = Timer(LEAVE_S, os._exit, [0])
    last.daemon = True
    last.start()
