"""Doing something for every row of many people's, so that one bad row does not stop the rest."""

import logging
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from django.db import InterfaceError, OperationalError

_log: Final = logging.getLogger(__name__)
T = TypeVar("T")


def for_each(rows: Iterable[T], act: Callable[[T], object], task: str) -> None:
    """Act on each row. An error of a row is logged.

    A database that is away raises, since no other row would fare better.
    """
    for row in rows:
        try:
            act(row)
        except (InterfaceError, OperationalError):
            raise
        except Exception:  # noqa: BLE001 - logged, and the others go on
            _log.exception("%s failed for %s", task, row)
