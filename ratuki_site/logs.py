"""What is logged of an expected fault: a line, not the whole way to it."""

from __future__ import annotations

import logging

from django.core.exceptions import PermissionDenied

from games.live.storage.availability import is_outage


class ExpectedFilter(logging.Filter):
    """Logs one line where the database was away, which its operator can mend, and where a visitor
    may not do what they tried."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Accept every record, without a useless traceback."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and is_outage(error):
            said = str(error).strip().partition("\n")[0]
            record.msg, record.args = f"{record.getMessage()}: {type(error).__name__}: {said}", ()
            record.exc_info, record.exc_text = None, None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        elif isinstance(error, PermissionDenied):
            record.exc_info, record.exc_text = None, None
        return True
