"""The content of a chapter, checked against its match.

    {"title": "The five", "match": 7, "round": 1, "event": 41, "until": 60, "group": "Openings",
     "text": "Look at @1:34.1.", "view": "0", "speed": 50, "line": "bX3…", "question": {…}}

Only `title`, `match`, `round` and `event` are required. null counts as not given.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import AfterValidator, Field, ValidationError
from typing_extensions import TypedDict

from games.engine.events import MAX_ROUNDS
from games.models import Match
from games.pages.operations import MOST_TITLE, RequestBody, Text, Title, fault_words
from games.people.visitor import Reader
from games.records.log import Note as RecordNote
from games.records.shape import one_line
from replays.models import Chapter, Variation
from replays.notes.finding import named
from replays.notes.markdown import render
from replays.notes.positions import ValidationFault, extent_of, verify_note
from replays.studies.questions import GivenQuestion, Question, verify_question

_MAX_BIGINT: Final = 10**15
_MatchNumber = Annotated[int, Field(ge=1, le=_MAX_BIGINT)]
_Round = Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
_Event = Annotated[int, Field(ge=0, le=_MAX_BIGINT)]
Group = Annotated[str, AfterValidator(lambda group: group and one_line(group, "group", MOST_TITLE))]
MatchOf = Callable[[int], Match | None]
"""A match by its number, if the writer may see it."""


class _Words(RequestBody):
    """The optional fields of every chapter. null counts as not given."""

    group: Group | None = None
    text: Text | None = None
    until: _Event | None = None
    line: str | None = None
    view: Literal["all", "spectator", "0", "1", "2", "3", "4"] | None = None
    speed: Literal[10, 25, 50, 100, 150, 200, 400, 800] | None = None
    question: GivenQuestion | None = None


class NewChapter(_Words):
    """A chapter."""

    title: Title
    match: _MatchNumber
    round: _Round
    event: _Event


class ChangedChapter(_Words):
    """The fields that are to change."""

    revision: int
    title: Title | None = None
    match: _MatchNumber | None = None
    round: _Round | None = None
    event: _Event | None = None

    def given_fields(self) -> dict[str, Any]:
        """The fields that are given."""
        given = self.model_dump(exclude_unset=True, exclude={"revision"})
        needed = NewChapter.__annotations__
        return {
            name: value for name, value in given.items() if name not in needed or value is not None
        }


class ChapterFields(NamedTuple):
    """A chapter that fits its match. `fields` are those that are stored as they are."""

    match: Match
    line: Variation | None
    fields: dict[str, Any]


def parse(value: Mapping[str, Any], reader: Reader, match_of: MatchOf) -> ChapterFields:
    """A chapter that does not come as a body of the API. Raises ValidationFault."""
    try:
        given = NewChapter.model_validate(value)
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValidationFault(fault_words(fault, fault["loc"])) from None
    return verify(given.model_dump(), reader, match_of)


def verify(given: Mapping[str, Any], reader: Reader, match_of: MatchOf) -> ChapterFields:
    """The fields of a `NewChapter`, if its match has the place that they name.

    Raises ValidationFault.
    """
    match = match_of(given["match"])
    if match is None:
        raise ValidationFault("match: there is no such match, or you cannot see it")
    line = named(Variation, match, reader, given.get("line"), "line")
    place = RecordNote(given["round"], given["event"], text="-", until=given.get("until"))
    extent = extent_of(match, place.round)
    verify_note(extent, place, line, None)
    view, text, asked = given.get("view") or "all", given.get("text") or "", given.get("question")
    if view.isdigit() and int(view) >= match.seat_count:
        raise ValidationFault("view: the match has {count} seats", count=match.seat_count)
    fields = {
        "title": given["title"],
        "group": given.get("group") or "",
        "text": text,
        "html": render(text, place.round) if text else "",
        "round": place.round,
        "event": place.event,
        "until": place.until,
        "view": view,
        "speed": given.get("speed") or 100,
        "question": asked and verify_question(asked, extent, place.event, line),
    }
    return ChapterFields(match, line, fields)


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


class WholeChapter(ChapterBase):
    """A chapter's fields as `verify` takes them."""

    question: Question | None


def fields_of(chapter: Chapter) -> WholeChapter:
    """A chapter's fields as `verify` takes them."""
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
