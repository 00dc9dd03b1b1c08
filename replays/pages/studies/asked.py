"""Which study or chapter a request names, whether its visitor may, and both as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, NotRequired

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from pydantic import Field
from typing_extensions import TypedDict

from games.models import Embargo
from games.pages.operations import Asked, Key
from games.pages.problems import must_be_there
from games.people import embargoes
from games.people.visit import Visit
from games.people.visitor import Reader
from replays.models import Chapter, Study
from replays.notes.access import readable_study, writes
from replays.pages.notes.asked import Names, Shares, remember_token
from replays.studies.chapters import ChapterBase, fields_of
from replays.studies.questions import Question

CHAPTER: Final = "/studies/{slug:key}/chapters/{nth:number}"
"""Where the operations on a chapter are."""


def study_of(visit: Visit, key: str) -> Study:
    """A study that this visitor may see. Raises Http404."""
    return _study(visit, key, readable_study)


def _study(visit: Visit, key: str, shown_to: Callable[[Reader], Q]) -> Study:
    remember_token(visit, Study.objects.filter(key=key))  # it makes somebody a reader
    study = Study.objects.filter(shown_to(visit.reader), key=key).distinct().first()
    return must_be_there(study, "there is no such study, or it is not shared with you")


def _asked_in(reader: Reader, number: int) -> Q:
    """The studies shared by link in which that chapter's question keeps a match from this reader.

    They have held the link, and the embargo goes on: so that losing the link neither ends it nor
    keeps them from answering. The rest of the study is closed to them.
    """
    barring = Embargo.objects.filter(person__in=list(reader.persons)).values("chapter")
    asking = Chapter.objects.filter(study=OuterRef("pk"), number=number, pk__in=barring)
    return Q(Exists(asking), visibility=Study.Visibility.LINK, deleted=None, hidden=False)


def chapter_of(visit: Visit, key: str, number: int) -> Chapter:
    """A chapter of such a study. Raises Http404."""
    study = _study(visit, key, lambda reader: readable_study(reader) | _asked_in(reader, number))
    rows = study.chapters.select_related("match", "line")
    chapter = must_be_there(rows.filter(number=number).first(), "there is no such chapter")
    chapter.study = study
    return chapter


def may_write(visit: Visit, study: Study) -> bool:
    """Whether this visitor is the study's owner or one of its writers."""
    return writes(study, visit.reader)


def must_write(visit: Visit, study: Study) -> None:
    """Raise PermissionDenied unless this visitor may change the study."""
    if not may_write(visit, study):
        raise PermissionDenied("only its owner and its writers may change a study")


def study_to_write(visit: Visit, key: str) -> Study:
    """A study that this visitor may change. Raises Http404, PermissionDenied."""
    study = study_of(visit, key)
    must_write(visit, study)
    return study


class NewStudy(Asked):
    """A study, at first for its owner alone."""

    key: Key
    title: str
    text: str = ""


class ChangedStudy(Shares):
    """What of a study is to change."""

    revision: int
    title: str | None = None
    text: str | None = None
    writers: Names | None = None


class AskedQuestion(Asked):
    """What a chapter asks (docs/studies.md)."""

    seat: int
    answers: list[dict[str, Any]]
    timed: bool | None = None
    limit: int | None = None
    hint: str | None = None
    right: str | None = None
    wrong: str | None = None
    late: str | None = None


class ChapterWords(Asked):
    """A chapter's fields; null is as good as nothing."""

    title: str | None = None
    group: str | None = None
    text: str | None = None
    match: int | None = None
    round: int | None = None
    event: int | None = None
    until: int | None = None
    line: str | None = None
    view: str | None = None
    speed: int | None = None
    question: AskedQuestion | None = None

    def said(self) -> dict[str, Any]:
        """The fields that are given."""
        return self.model_dump(exclude_unset=True, exclude={"revision"})


class ChangedChapter(ChapterWords):
    """The fields that are to change."""

    revision: int


class PlacedChapter(Asked):
    """A chapter in its group."""

    number: Annotated[int, Field(ge=1, le=65_535)]
    group: str | None = None


class Arranged(Asked):
    """All chapters in their order, and the order on which this is based."""

    chapters: list[PlacedChapter]
    was: list[PlacedChapter] | None = None


class StudyFields(TypedDict):
    """A study without its chapters, for one reader; `token` is for its writers."""

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
    """A chapter for one reader; who may not write gets whether there is a question."""

    number: int
    html: str
    question: Question | bool | None
    revision: int


class StudyJson(StudyFields):
    """A study with its chapters, for one reader."""

    chapters: list[ChapterJson]


def pending_questions(visit: Visit, study: Study) -> dict[int, int]:
    """The matches about which a study may tell this visitor nothing, and the chapters that ask."""
    if may_write(visit, study):
        return {}
    return embargoes.open_questions(visit.visitor.persons)


def token_of(study: Study, reader: Reader) -> str:
    """What a link to the study needs, for those who may hand it on; empty: nothing."""
    if study.visibility != Study.Visibility.LINK:
        return ""
    return study.token if study.token in reader.tokens or writes(study, reader) else ""


def study_json(study: Study, reader: Reader, asked: Mapping[int, int] | None = None) -> StudyJson:
    """A study and its chapters, for this reader. Four queries at most.

    `asked`: the matches about which nothing may be told, and the chapter that asks about each.
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
        "title": study.title,
        "text": study.text,
        "html": study.html,
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
    """A chapter; only writers get a question's right answers."""
    fields = fields_of(chapter)
    return {
        **fields,
        "number": chapter.number,
        "html": chapter.html,
        "revision": chapter.revision,
        "question": fields["question"] if writer else chapter.question is not None,
    }
