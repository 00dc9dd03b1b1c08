"""What every study file has: names, bounds, and how a bad one is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

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
MAX_EVENTS: Final = 100_000
"""In all matches of an exported study."""
MAX_REMARKS: Final = 600
"""Notes and variations of a study in a file."""


MAX_REPLAYED: Final = 300_000
"""Events that are replayed for a file: up to each question and each variation."""


class BadBundleError(ValueError):
    """The file is no study; the message says what is wrong and where."""


def verify_replay(
    chapters: Iterable[Mapping[str, Any]], remarks: Iterable[Mapping[str, Any]]
) -> None:
    """Raise Unfit if too many events would be replayed to check these."""
    asking = [chapter for chapter in chapters if chapter.get("question") or chapter.get("quiz")]
    branching = [remark.get("variation") for remark in remarks]
    count = sum(map(events_before, (*asking, *branching)))
    if count > MAX_REPLAYED:
        raise Unfit(
            f"at most {MAX_REPLAYED:,} events before all questions and variations fit into a file,"
            f" found {count:,}"
        )


def events_before(said: Any) -> int:
    """How many events are before a place, as far as what was sent says so."""
    event = said.get("event") if type(said) is dict else None
    return event if type(event) is int and event > 0 else 0


def record_name(at: int) -> str:
    """The name of the record with that number, counted from 1."""
    return f"records/{at}.ratuki"


def mapping(value: Any, name: str) -> dict[str, Any]:
    """A JSON object. Raises Malformed."""
    if type(value) is not dict:
        raise Malformed(f"{name}: expected objects")
    return value


@contextmanager
def blaming(place: str) -> Iterator[None]:
    """Turn what is wrong inside into a BadBundleError that begins with a place."""
    try:
        yield
    except (Malformed, Unfit) as error:
        raise BadBundleError(f"{place}: {error}") from None
