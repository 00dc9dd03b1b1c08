"""A match as the lines of its record: a header, then deals, events, a result, remarks.

Every line of a record is one of these values. `games.records.notation` reads and writes
them, `games.records.check` says whether they follow each other as the rules demand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from games.engine.editions import Rules
from games.engine.events import Deal, Event

VERSION: Final = 1
MAX_LINE_BYTES: Final = 64 * 1024
"""Of one line, without its line feed."""
MAX_FILE_BYTES: Final = 64 * 1024 * 1024
MAX_ROUNDS: Final = 1_000
MAX_NOTES: Final = 10_000
MAX_VARIATIONS: Final = 1_000
MAX_NAME: Final = 64
MAX_TEXT: Final = 4_000

KINDS: Final = ("human", "bot")
SOURCES: Final = ("live", "simulated", "imported")
GLYPHS: Final = ("!!", "!", "!?", "?!", "?", "??")


class RecordFault(ValueError):  # noqa: N818 - a fault of the record, not of the program
    """The first fault of a record: the line's number, counted from 1, and what is wrong."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"{self.line}: {self.message}"


class Seat(NamedTuple):
    """Who sits in a seat; `kind` is `human` or `bot`, `beginner` forgives the one-hand rule."""

    name: str
    kind: str
    beginner: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: which match this is. `rules` are the edition's with the overrides."""

    id: str
    edition: str
    rules: Rules
    seats: tuple[Seat, ...]
    started_at: str | None = None
    """`YYYY-MM-DDTHH:MM:SSZ`"""
    source: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    """Free pairs, sorted by their first."""


class Result(NamedTuple):
    """The last line that plays: the winning seats in rising order, none when abandoned."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


class Note(NamedTuple):
    """A remark on the position after the first `event` events of a round."""

    round: int
    event: int
    by: str | None = None
    glyph: str | None = None
    text: str = ""
    marks: tuple[str, ...] = ()
    """What it points at: `stack:1`, `card:B5a`, `seat:0`."""


class Variation(NamedTuple):
    """What might have happened from a position on, instead of what did."""

    round: int
    event: int
    by: str | None
    text: str
    events: tuple[Event, ...]


Line = Header | Deal | Event | Result | Note | Variation
