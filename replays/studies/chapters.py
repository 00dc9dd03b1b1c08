"""What a chapter says, parsed and checked against its match.

    {"title": "The five", "match": 7, "round": 1, "event": 41, "until": 60, "group": "Openings",
     "text": "Look at @1:34.1.", "view": "0", "speed": 50, "line": "bX3…", "question": {…}}

Only `title`, `match`, `round` and `event` are required; null is as good as nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from typing_extensions import TypedDict

from games.engine.events import MAX_ROUNDS
from games.models import Match
from games.people.visitor import Reader
from games.records.log import MAX_TEXT
from games.records.log import Note as RecordNote
from games.records.shape import Fields, legible, one_line, one_of, optional_whole, text, whole
from replays.models import Chapter, Variation
from replays.notes.finding import named
from replays.notes.markdown import render
from replays.notes.positions import ExtentOf, Unfit, extent_of, verify_note
from replays.studies.questions import Question, parse_question

SPEEDS: Final = (10, 25, 50, 100, 150, 200, 400, 800)
"""The speeds of playback, in percent."""
VIEWS: Final = ("all", "spectator", "0", "1", "2", "3", "4")
_MOST: Final = 10**15
MatchOf = Callable[[int], Match | None]
"""A match by its number, if the writer may see it."""


class Said(NamedTuple):
    """A chapter's fields, checked; `fields` are those that are stored as they are."""

    match: Match
    line: Variation | None
    fields: dict[str, Any]


def parse(
    value: Mapping[str, Any], reader: Reader, match_of: MatchOf, extents: ExtentOf = extent_of
) -> Said:
    """Parse a chapter. Raises Malformed or Unfit, saying what is wrong."""
    given = {name: field for name, field in value.items() if field is not None}
    fields = Fields(given, "chapter")
    match = match_of(whole(fields.need("match"), "match", 1, _MOST))
    if match is None:
        raise Unfit("match: there is no such match, or you cannot see it")
    said: dict[str, Any] = {
        "title": legible(one_line(fields.need("title"), "title", 100, "a title"), "title"),
        "group": _optional_line(fields.get("group"), "group", 100),
        "text": text(fields.get("text") or "", "text", MAX_TEXT),
        "round": whole(fields.need("round"), "round", 1, MAX_ROUNDS),
        "event": whole(fields.need("event"), "event", 0, _MOST),
        "until": optional_whole(fields.get("until"), "until", 0, _MOST),
        "view": one_of(fields.get("view") or "all", "view", VIEWS),
        "speed": _speed(fields.get("speed")),
    }
    line = named(Variation, match, reader, fields.get("line"), "line")
    asked = fields.get("question")
    fields.done()
    place = RecordNote(said["round"], said["event"], text="-", until=said["until"])
    extent = extents(match, said["round"])
    verify_note(extent, place, line, None)
    if said["view"].isdigit() and int(said["view"]) >= match.seat_count:
        raise Unfit(f"view: the match has {match.seat_count} seats")
    said["question"] = None if asked is None else parse_question(asked, extent, said, line)
    said["html"] = render(said["text"], said["round"]) if said["text"] else ""
    return Said(match, line, said)


def _speed(value: Any) -> int:
    speed = whole(100 if value is None else value, "speed", SPEEDS[0], SPEEDS[-1])
    if speed not in SPEEDS:
        raise Unfit(f"speed: expected one of {', '.join(map(str, SPEEDS))}, found {speed}")
    return speed


def _optional_line(value: Any, name: str, most: int) -> str:
    return one_line(value, name, most) if value else ""


class ChapterBase(TypedDict):
    """A chapter's fields without its question."""

    title: str
    group: str
    text: str
    match: int
    round: int
    event: int
    until: int | None
    line: str | None
    view: str
    speed: int


class ChapterFields(ChapterBase):
    """A chapter's fields as `parse` takes them."""

    question: Question | None


def fields_of(chapter: Chapter) -> ChapterFields:
    """A chapter's fields as `parse` takes them."""
    return {
        "title": chapter.title,
        "group": chapter.group,
        "text": chapter.text,
        "match": chapter.match_id,
        "round": chapter.round,
        "event": chapter.event,
        "until": chapter.until,
        "line": chapter.line.key if chapter.line else None,
        "view": chapter.view,
        "speed": chapter.speed,
        "question": chapter.question,
    }
