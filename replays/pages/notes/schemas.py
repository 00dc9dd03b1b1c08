"""What the operations on notes take: bodies, each checked here and nowhere else."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from games.engine.message import WordedError
from games.pages.operations import Key, RequestBody, Text
from games.people.visit import Visit
from games.records import shape
from games.records.log import GLYPHS, MAX_SEQ
from games.records.log import Note as RecordNote
from games.records.log import Variation as RecordVariation
from games.records.parsing import event_from
from replays.models import Note, Shared, Variation
from replays.notes.audience import Sharing
from replays.notes.positions import ValidationFault
from replays.pages.notes.access import KEY, MOST_REASON, verified_accounts

MOST_READERS: Final = 50
MOST_ORDER: Final = 10_000
CLASS: Final = "class:"
"""Before the key of a class as an audience."""
Names = Annotated[list[str], Field(max_length=MOST_READERS)]
Reason = Annotated[
    str, Field(max_length=MOST_REASON), AfterValidator(lambda reason: " ".join(reason.split()))
]
Round = Annotated[int, Field(ge=1, le=MAX_SEQ)]
Event = Annotated[int, Field(ge=0, le=MAX_SEQ)]
_NAMED: Final = ("self", "link", "people", "everyone")


def _audience(said: str) -> str:
    if said not in _NAMED and not (said.startswith(CLASS) and KEY.fullmatch(said[len(CLASS) :])):
        expected = ", ".join(map(repr, _NAMED))
        raise WordedError(
            "expected {expected} or '{prefix}' and a class's key, found {found}",
            expected=expected,
            prefix=CLASS,
            found=f"{said!r:.80}",
        )
    return said


Audience = Annotated[str, AfterValidator(_audience)]


def _if_given(check: Callable[[Any], object]) -> AfterValidator:
    """The record's own check of a field. Empty counts as not given."""

    def checked(value: Any) -> Any:
        if value:
            check(value)
        return value

    return AfterValidator(checked)


def _tags(tags: list[str]) -> tuple[str, ...]:
    return tuple(shape.legible(tag, "tags") for tag in shape.tags(tags))


def _arrows(arrows: list[str]) -> list[str]:
    return [shape.arrow(arrow) for arrow in shape.some(arrows, "arrows")]


class Signed(RequestBody):
    """A body that says for which account its page was loaded."""

    as_: Annotated[str | None, Field(alias="as")] = None


UNSIGNED: Final = Signed()
"""In place of an empty body."""


class Deleted(TypedDict):
    """It is gone."""

    deleted: bool


class Revised(Signed):
    """A body that names the revision on which a change is based."""

    revision: int


class Shares(RequestBody):
    """The possible readers. Not given: as before, or its owner alone."""

    visibility: Audience | None = None
    readers: Names = []

    def sharing(self, visit: Visit) -> Sharing | None:
        """The same with the accounts, if the body says. Raises ValidationFault."""
        if self.visibility is None:
            return None
        if self.visibility.startswith(CLASS):
            return Sharing(Shared.Visibility.CLASS, school_class=_own_class(visit, self.visibility))
        named = self.readers if self.visibility == "people" else []
        return Sharing(self.visibility, verified_accounts(visit, named, "readers"))


def _own_class(visit: Visit, audience: str) -> str:
    """The key of a class that the visitor is in. Raises ValidationFault."""
    key = audience.removeprefix(CLASS)
    if key not in visit.visitor.classes:
        raise ValidationFault("visibility: you are not in that class. Choose again who may read it")
    return key


class Words(Shares, Signed):
    """The words of notes and variations. null or empty means not given."""

    tags: Annotated[list[str], _if_given(_tags)] | None = None
    text: Text | None = None

    def words(self) -> dict[str, Any]:
        """The text and the tags, as in a record."""
        return {"text": self.text or "", "tags": tuple(self.tags or ())}


class NoteWords(Words):
    """A note's own."""

    until: Annotated[int, Field(ge=1, le=MAX_SEQ)] | None = None
    glyph: Annotated[str, _if_given(lambda glyph: shape.one_of(glyph, "glyph", GLYPHS))] | None = (
        None
    )
    marks: Annotated[list[str], _if_given(lambda marks: list(map(shape.mark, marks)))] | None = None
    arrows: Annotated[list[str], _if_given(_arrows)] | None = None
    line: str | None = None
    reply: str | None = None

    def note(self, round_number: int, event: int) -> RecordNote:
        """The note that it says, at a position."""
        return RecordNote(
            round_number,
            event,
            glyph=self.glyph or None,
            marks=tuple(self.marks or ()),
            until=self.until,
            arrows=tuple(self.arrows or ()),
            **self.words(),
        )


class NewNote(NoteWords):
    """A note, on a variation (`line`) or in answer to another (`reply`)."""

    key: Key
    round: Round
    event: Event

    def remark(self) -> RecordNote:
        """It, as in a record."""
        return self.note(self.round, self.event)


class ChangedNote(NoteWords):
    """A note's new content, or `as_of`: the revision to restore.

    Its key, line and reply never change.
    """

    key: str | None = None
    revision: int
    as_of: int | None = None
    round: Round | None = None
    event: Event | None = None

    def remark(self, stored: Note) -> RecordNote:
        """It, as in a record. Without a position it is where the note is."""
        event = stored.event if self.event is None else self.event
        return self.note(self.round or stored.round, event)


class NewVariation(Words):
    """A variation of another one (`line`) or of the match. Its events are as in a record."""

    key: Key
    round: Round
    event: Event
    line: str | None = None
    events: Annotated[list[dict[str, Any]], Field(min_length=1)]

    def remark(self) -> RecordVariation:
        """It, as in a record. Raises Malformed."""
        return _variation(self.round, self.event, self.events, self.words())


class ChangedVariation(Words):
    """A variation's new words, events, or place among those of its line."""

    revision: int
    events: list[dict[str, Any]] | None = None
    order: Annotated[int, Field(ge=-MOST_ORDER, le=MOST_ORDER)] | None = None

    def remark(self, stored: Variation) -> RecordVariation:
        """It, as in a record. Without events they are as before. Raises Malformed."""
        return _variation(stored.round, stored.event, self.events or (), self.words())


def _variation(
    number: int, event: int, events: Iterable[Any], words: dict[str, Any]
) -> RecordVariation:
    return RecordVariation(number, event, None, events=tuple(map(event_from, events)), **words)


class Settled(RequestBody):
    """Whether a thread is settled."""

    settled: bool


class Reasoned(Signed):
    """Why, in one line."""

    reason: Reason = ""


class Hidden(RequestBody):
    """Whether a note is hidden, and why."""

    hidden: bool
    reason: Reason


class Previewed(RequestBody):
    """A text, and the round of the note that it is for."""

    text: Text
    round: int = 1
