"""Which study or chapter a request names, whether its visitor may, and both as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NotRequired, TypedDict

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest

from games.people import embargoes
from games.people.sessions import visitor_of
from replays.annotations.access import Reader, readable_study, writes
from replays.annotations.positions import Unfit
from replays.models import Attempt, Chapter, Study
from replays.pages.notes.asked import MOST_READERS, accounts_named, reader_of, remember_token
from replays.studies.attempts import place
from replays.studies.chapters import ChapterBase, fields_of
from replays.studies.questions import Question


def study_of(request: HttpRequest, key: str) -> Study:
    """A study that this visitor may see. Raises Http404."""
    return _study(request, key, readable_study)


def _study(request: HttpRequest, key: str, shown_to: Callable[[Reader], Q]) -> Study:
    remember_token(request, Study.objects.filter(key=key))  # it makes somebody a reader
    found = Study.objects.filter(shown_to(reader_of(request)), key=key).distinct().first()
    if found is None:
        raise Http404("there is no such study, or it is not shared with you")
    return found


def _asked_in(reader: Reader, number: int) -> Q:
    """The studies shared by link in which this reader has that chapter's question open.

    They have held the link, and an embargo on a match goes on: so that losing the link neither
    ends it nor keeps them from answering. The rest of the study is closed to them.
    """
    open_ones = Attempt.objects.filter(
        chapter__study=OuterRef("pk"),
        chapter__number=number,
        chapter__deleted=None,
        person__in=list(reader.persons),
        answered=None,
    )
    return Q(Exists(open_ones), visibility=Study.Visibility.LINK, deleted=None, hidden=False)


def chapter_of(request: HttpRequest, key: str, number: int) -> Chapter:
    """A chapter of such a study. Raises Http404."""
    study = _study(request, key, lambda reader: readable_study(reader) | _asked_in(reader, number))
    rows = study.chapters.select_related("match", "line")
    found = rows.filter(number=number).first()
    if found is None:
        raise Http404("there is no such chapter")
    found.study = study
    return found


def may_write(request: HttpRequest, study: Study) -> bool:
    """Whether this visitor is the study's owner or one of its writers."""
    return writes(study, reader_of(request))


def must_write(request: HttpRequest, study: Study) -> None:
    """Raise PermissionDenied unless this visitor may change the study."""
    if not may_write(request, study):
        raise PermissionDenied("only its owner and its writers may change a study")


def writers_in(body: Mapping[str, Any]) -> tuple[int, ...] | None:
    """The accounts that a body names as writers, if it does. Raises Unfit."""
    if "writers" not in body:
        return None
    names = body["writers"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Unfit("writers: expected a list of names")
    if len(names) > MOST_READERS:
        raise Unfit(f"writers: expected at most {MOST_READERS}")
    return accounts_named(names, "writers")


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


def asked_of(request: HttpRequest, study: Study) -> dict[int, str]:
    """The matches about which a study may tell this visitor nothing, and where each asks."""
    if may_write(request, study):
        return {}
    return embargoes.open_questions(visitor_of(request).persons)


def token_of(study: Study, reader: Reader) -> str:
    """What a link to the study needs, for those who may hand it on; empty: nothing."""
    if study.visibility != Study.Visibility.LINK:
        return ""
    return study.token if study.token in reader.tokens or writes(study, reader) else ""


def study_json(study: Study, reader: Reader, asked: Mapping[int, str] | None = None) -> StudyJson:
    """A study and its chapters, for this reader. Four queries at most.

    `asked`: the matches about which nothing may be told, and where each asks its question.
    """
    fields = study_fields(study, reader)
    rows = study.chapters.select_related("line").order_by("place", "number")
    shown = [row for row in rows if (asked or {}).get(row.match_id) in (None, place(row))]
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
        "visibility": study.visibility,
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
