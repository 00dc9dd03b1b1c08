"""What is logged of an expected fault: a line, not the whole way to it."""

import logging
import sqlite3
from typing import Final

import psycopg
from django.core.exceptions import PermissionDenied, RequestAborted

from games.live.storage.availability import is_outage

QUIET_S: Final = 60
"""After which an outage of the job queue is a new one, and is logged again."""
_JOBS: Final = ("huey", "replays.jobs")


class ExpectedFilter(logging.Filter):
    """Logs one line where the database was away, which its operator can mend, and where a visitor
    may not do what they tried. A browser that left before it had sent its request is no fault.

    A worker looks at its queue all the time: an outage of it is one line, however long it lasts.
    """

    _last = -float(QUIET_S)

    def filter(self, record: logging.LogRecord) -> bool:
        """Accept a record, without a useless traceback."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, RequestAborted):
            return False
        of_jobs = record.name.startswith(_JOBS)
        if error is not None and (is_outage(error) or (of_jobs and _queue_is_away(error))):
            said = str(error).strip().partition("\n")[0]
            record.msg, record.args = f"{record.getMessage()}: {type(error).__name__}: {said}", ()
            record.exc_info, record.exc_text = None, None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            return not of_jobs or self._is_new(record.created)
        if isinstance(error, PermissionDenied):
            record.exc_info, record.exc_text = None, None
        return True

    def _is_new(self, now: float) -> bool:
        """Whether an outage of the queue is another one than the last."""
        before, self._last = self._last, now
        return now - before > QUIET_S


def _queue_is_away(error: BaseException) -> bool:
    """Whether that is the queue's own error for a store that cannot be used now."""
    from redis.exceptions import ConnectionError as Away
    from redis.exceptions import TimeoutError as Late

    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode != sqlite3.SQLITE_ERROR
    return isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError, Away, Late))
