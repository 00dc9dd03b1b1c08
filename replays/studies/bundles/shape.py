"""What every study file has: names, bounds, and how a bad one is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from games.engine.message import WordedError, message_of
from games.records.strict import Malformed
from replays.notes.positions import Unfit

VERSION: Final = 1
INDEX: Final = "index.json"
MAX_FILE: Final = 2 * 2**20
"""Bytes of the zip."""
MAX_INDEX: Final = 2**19
MAX_RECORD: Final = 4 * 2**20
MAX_ALL: Final = 8 * 2**20
"""Bytes of everything in it, unpacked."""
MAX_RECORDS: Final = 50
MAX_REMARKS: Final = 600
"""Notes and variations of a study in a file."""


class BadBundleError(WordedError):
    """The file is no study. The message gives the fault and its place."""


def record_name(at: int) -> str:
    """The name of the record with that number, counted from 1."""
    return f"records/{at}.ratuki"


def mapping(value: Any, name: str) -> dict[str, Any]:
    """A JSON object. Raises Malformed."""
    if type(value) is not dict:
        raise Malformed("{name}: expected objects", name=name)
    return value


@contextmanager
def blaming(place: str) -> Iterator[None]:
    """Turn what is wrong inside into a BadBundleError that begins with a place."""
    try:
        yield
    except (Malformed, Unfit) as error:
        raise BadBundleError("{place}: {error}", place=place, error=message_of(error)) from None
