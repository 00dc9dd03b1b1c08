"""What the operations on studies take and give: bodies, and a study and its chapters as JSON."""

from collections.abc import Mapping
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from games.pages.operations import Key, RequestBody, Text, Title
from games.people.visitor import Reader
from replays.models import Chapter, Study
from replays.notes.access import writes
from replays.pages.notes.schemas import Names, Shares
from replays.studies.chapters import ChapterBase, Group, fields_of
from replays.studies.questions import Question


class NewStudy(RequestBody):
    """A study, at first for its owner alone."""

    key: Key
    title: Title
    text: Text = ""


class ChangedStudy(Shares):
    """The changes to a study."""

    revision: int
    title: Title | None = None
    text: Text | None = None
    writers: Names | None = None


class PlacedChapter(RequestBody):
    """A chapter in its group."""

    number: Annotated[int, Field(ge=1, le=65_535)]
    group: Group | None = None


class Arranged(RequestBody):
    """All chapters in their order, and the order on which this is based."""

    chapters: list[PlacedChapter]
    was: list[PlacedChapter] | None = None


class StudyFields(TypedDict):
    """A study without its chapters, for one reader. `token` is for its writers."""

    key: str
    title: str
    text: str
    html: str
    by: str
    mine: bool
    may_write: bool
    visibility: str
    revision: int
    token: str
    readers: NotRequired[list[str]]
    """For its owner."""
    writers: NotRequired[list[str]]
    """For its writers."""


class ChapterJson(ChapterBase):
    """A chapter for one reader. Only writers get the question, others whether there is one."""

    number: int
    html: str
    question: Question | bool | None
    revision: int


class StudyJson(StudyFields):
    """A study with its chapters, for one reader."""

    chapters: list[ChapterJson]


def study_json(study: Study, reader: Reader, asked: Mapping[int, int] | None = None) -> StudyJson:
    """A study and its chapters, for this reader. Four queries at most.

    `asked`: the matches about which everything is hidden, and the chapter that asks about each.
    """
    fields = study_fields(study, reader)
    rows = study.chapters.select_related("line").order_by("place", "number")
    shown = [row for row in rows if (asked or {}).get(row.match_id) in (None, row.pk)]
    return {**fields, "chapters": [chapter_json(row, writer=fields["may_write"]) for row in shown]}


def study_fields(study: Study, reader: Reader) -> StudyFields:
    """A study without its chapters, for this reader."""
    mine, writer = study.owner in reader.persons, writes(study, reader)
    fields: StudyFields = {
        "key": study.key,
        "title": study.shown_title,
        "text": study.shown_text,
        "html": study.shown_html,
        "by": study.by,
        "mine": mine,
        "may_write": writer,
        "visibility": study.audience,
        "revision": study.revision,
        "token": study.token if writer and study.visibility == study.Visibility.LINK else "",
    }
    if mine:
        fields["readers"] = sorted(user.get_username() for user in study.readers.all())
    if writer:
        fields["writers"] = sorted(user.get_username() for user in study.writers.all())
    return fields


def chapter_json(chapter: Chapter, *, writer: bool) -> ChapterJson:
    """A chapter. Only writers get a question's right answers."""
    fields = fields_of(chapter)
    return {
        **fields,
        "title": chapter.shown_title,
        "number": chapter.number,
        "text": chapter.shown_text,
        "html": chapter.shown_html,
        "revision": chapter.revision,
        "question": fields["question"] if writer else chapter.question is not None,
    }
