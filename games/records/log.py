"""A match as the lines of its record: a header, then deals, events, a result, remarks.

Every line of a record is one of these values. `games.records.notation` reads and writes them.
`games.records.check` checks that they follow each other as the rules require.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from games.engine.editions import Rules
from games.engine.events import MAX_EVENTS, MAX_ROUNDS, Deal, Event
from games.engine.message import Message, WordedError

VERSIONS: Final = (1, 2, 3)
"""Version 2 differs only in what notes and variations may contain, version 3 in `fair` besides."""
FAIR_VERSION: Final = 3
"""The first version in which a deal may give the source of its decks."""
MAX_LINE_BYTES: Final = 64 * 1024
"""Without the line feed."""
MAX_FILE_BYTES: Final = 64 * 1024 * 1024
MAX_NOTES: Final = 2_000
MAX_VARIATIONS: Final = 500
MAX_SEQ: Final = MAX_ROUNDS * (MAX_EVENTS + 1) + 1 + MAX_NOTES + MAX_VARIATIONS
"""The seq of the last line of the longest record."""
MAX_NAME: Final = 64
MAX_TEXT: Final = 4_000
MAX_TAG: Final = 32
"""Characters in one tag."""
MAX_LISTED: Final = 16
"""Tags, arrows or (since version 2) marks in one note or variation."""
MAX_DEPTH: Final = 16
"""How deeply variations may be nested. A variation of the mainline has depth 1."""

MAX_MESSAGE: Final = 300
"""Characters of a message: it may quote the line, which can be long."""

KINDS: Final = ("human", "bot")
SOURCES: Final = ("live", "simulated", "imported")
GLYPHS: Final = ("!!", "!", "!?", "?!", "?", "??")


class RecordFault(WordedError):  # noqa: N818 - a fault of the record, not of the program
    """The first fault of a record: the line's number, counted from 1, and the fault."""

    def __init__(self, line: int, said: str | Message, /, **values: Any) -> None:
        super().__init__(said, **values)
        self.message = str(self.said)[:MAX_MESSAGE]
        self.line = line

    def __str__(self) -> str:
        return f"{self.line}: {self.message}"

    def __reduce__(self) -> tuple[type[RecordFault], tuple[int, Message]]:
        return type(self), (self.line, self.said)


class Seat(NamedTuple):
    """A seat's player. `kind` is `human` or `bot`, and a `beginner` is spared the one-hand rule."""

    name: str
    kind: str
    beginner: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: the match's identity. `rules` are the edition's, with overrides applied."""

    id: str
    edition: str
    rules: Rules
    seats: tuple[Seat, ...]
    started_at: str | None = None
    """`YYYY-MM-DDTHH:MM:SSZ`"""
    source: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    """Arbitrary pairs, sorted by key."""
    version: int = 1
    """The format's version: 3 if a deal is fair, else 2 if a note or variation uses its keys."""

    def __reduce__(self) -> tuple[type[Header], tuple[Any, ...]]:
        """Support pickle: a compiled instance has no state for pickle to set."""
        return Header, tuple(getattr(self, field.name) for field in fields(self))


class Result(NamedTuple):
    """The match's result: the winning seats in ascending order, none if abandoned."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


class Note(NamedTuple):
    """A remark on the position after the first `event` events of a round, or of a variation.

    `id` and the fields after it belong to version 2. None or empty means not given.
    """

    round: int
    event: int
    by: str | None = None
    glyph: str | None = None
    text: str = ""
    marks: tuple[str, ...] = ()
    """What the note points at: `stack:1`, `card:B5a`, `seat:0`."""
    id: str | None = None
    line: str | None = None
    """The id of the variation in which events are counted. None: the mainline."""
    until: int | None = None
    """The end of a span that begins at `event`."""
    at: str | None = None
    """When it was written: `YYYY-MM-DDTHH:MM:SSZ`."""
    tags: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    """From one mark to another: `seat:1>stack:0`."""
    reply: str | None = None
    """The id of the note that this one replies to."""

    @property
    def newer(self) -> str | None:
        """The first version 2 key in use. None if version 1 can express it."""
        return _first_given(self, ("id", "line", "until", "at", "tags", "arrows", "reply"))

    @property
    def silent(self) -> bool:
        """Whether it is empty. Only version 1 has such notes."""
        return not (self.glyph or self.text or self.marks or self.arrows or self.tags)


class Variation(NamedTuple):
    """An alternative continuation of the match after a position.

    `id` and the fields after it belong to version 2 and mean the same as on a note.
    """

    round: int
    event: int
    by: str | None
    text: str
    events: tuple[Event, ...]
    id: str | None = None
    line: str | None = None
    at: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def newer(self) -> str | None:
        """The first version 2 key in use. None if version 1 can express it."""
        return _first_given(self, ("id", "line", "at", "tags"))


Remark = Note | Variation


def _first_given(remark: Remark, keys: tuple[str, ...]) -> str | None:
    return next((key for key in keys if getattr(remark, key)), None)


Line = Header | Deal | Event | Result | Note | Variation
