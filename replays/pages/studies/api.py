"""Studies and chapters, above all for their own pages (docs/reference/studies.md)."""

from http import HTTPStatus
from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _
from ninja import Router, Status
from typing_extensions import TypedDict

from games.models import Match
from games.pages.problems import Refused, conflict
from games.people.embargoes import with_embargoes
from games.people.visit import Request, Visit
from replays.models import Chapter, Study
from replays.notes.access import writable_study
from replays.notes.notes import Conflict
from replays.notes.positions import ValidationFault
from replays.pages.notes.access import must_own, verified_accounts
from replays.pages.notes.schemas import Deleted, Revised
from replays.pages.studies.access import (
    CHAPTER,
    chapter_of,
    may_write,
    must_write,
    pending_questions,
    study_of,
    study_to_write,
)
from replays.pages.studies.schemas import (
    Arranged,
    ChangedStudy,
    ChapterJson,
    NewStudy,
    StudyJson,
    chapter_json,
    study_json,
)
from replays.studies import chapters, copying, writing
from replays.studies.attempts import unanswered
from replays.studies.chapters import ChangedChapter, NewChapter

_OFFERED: Final = 200
router: Final = Router(tags=["studies"])


class StudyRow(TypedDict):
    """A study in a list."""

    key: str
    title: str
    revision: int


class Studies(TypedDict):
    """The studies that the visitor may change, without drills. The last changed come first."""

    studies: list[StudyRow]


# --- Studies ---------------------------------------------------------------------------------


@router.get("/studies", url_name="studies", response=Studies)
def list_studies(request: Request) -> Studies:
    """The studies that the visitor may change, without drills."""
    mine = writable_study(request.visit.reader)
    rows = Study.objects.filter(mine, drill=False, asked_in=None).distinct()
    listed: list[StudyRow] = [
        {"key": row.key, "title": row.shown_title, "revision": row.revision}
        for row in rows.order_by("-edited", "pk")[:_OFFERED]
    ]
    return {"studies": listed}


@router.post("/studies", url_name="studies", response={201: StudyJson})
def add_study(request: Request, asked: NewStudy) -> Status[StudyJson]:
    """Add a study."""
    made = writing.create(request.visit.sign(), asked.key, asked.title, asked.text)
    return Status(HTTPStatus.CREATED, study_json(made, request.visit.reader))


@router.get("/studies/{slug:key}", url_name="study", response=StudyJson)
def read_study(request: Request, key: str) -> StudyJson:
    """One study with its table of contents."""
    study = study_of(request.visit, key)
    return study_json(study, request.visit.reader, pending_questions(request.visit, study))


@router.put("/studies/{slug:key}", url_name="study", response=StudyJson)
def change_study(request: Request, key: str, asked: ChangedStudy) -> StudyJson:
    """Change a study's title, introduction and people."""
    visit = request.visit
    study = study_to_write(visit, key)
    sharing = asked.sharing(visit)
    writers = None if asked.writers is None else verified_accounts(visit, asked.writers, "writers")
    if sharing is not None or writers is not None:
        must_own(visit, study)
    try:
        changed = writing.change(
            study,
            asked.revision,
            study.shown_title if asked.title is None else asked.title,
            study.shown_text if asked.text is None else asked.text,
            sharing=sharing,
            writers=writers,
            by=visit.sign().name,
        )
    except Conflict as other:
        worded = asked.title is not None or asked.text is not None
        raise study_overtaken(visit, other.args[0], worded=worded) from None
    return study_json(changed, visit.reader)


@router.delete("/studies/{slug:key}", url_name="study", response=Deleted)
def delete_study(request: Request, key: str, asked: Revised) -> Deleted:
    """Delete a study."""
    study = study_to_write(request.visit, key)
    must_own(request.visit, study)
    writing.remove(study, asked.revision)
    return {"deleted": True}


@router.post("/studies/{slug:key}/copy", url_name="study_copy", response={201: StudyJson})
def copy_study(request: Request, key: str) -> Status[StudyJson]:
    """Copy what the visitor may see, without questions they have not yet answered."""
    study = study_of(request.visit, key)
    asked = unanswered(study.chapters.all(), request.visit.reader.persons)
    kept = set() if may_write(request.visit, study) else {row.pk for row in asked}
    matches = with_embargoes(Match.objects.filter(chapters__study=study).distinct())
    seen = {match.pk for match in matches if request.visit.rights(match).see}
    rows = study.chapters.exclude(pk__in=kept).filter(match__in=seen).order_by("place")
    made = copying.copy(study, request.visit.sign(), list(rows))
    return Status(HTTPStatus.CREATED, study_json(made, request.visit.reader))


def study_overtaken(visit: Visit, other: Study, *, worded: bool = False) -> Refused:
    """Writers change its words, only its owner whom it is for."""
    by, at = other.by, other.edited
    if worded and other.worded:
        by, at = other.worded_by, other.worded
    return conflict(study_json(other, visit.reader), by, at, you=by == visit.sign().name)


# --- Chapters --------------------------------------------------------------------------------


@router.post("/studies/{slug:key}/chapters", url_name="study_chapters", response={201: ChapterJson})
def add_chapter(request: Request, key: str, asked: NewChapter) -> Status[ChapterJson]:
    """Add a chapter."""
    study = study_to_write(request.visit, key)
    said = chapters.verify(asked.model_dump(), request.visit.reader, request.visit.reviewable)
    made = writing.add(study, said, request.visit.sign().name)
    return Status(HTTPStatus.CREATED, chapter_json(made, writer=True))


@router.put("/studies/{slug:key}/chapters", url_name="study_chapters", response=StudyJson)
def arrange_chapters(request: Request, key: str, asked: Arranged) -> StudyJson:
    """Set the order and groups of all chapters, based on the old order `was`."""
    study, reader = study_to_write(request.visit, key), request.visit.reader
    order = [(chapter.number, chapter.group or "") for chapter in asked.chapters]
    was = (
        None
        if asked.was is None
        else [(chapter.number, chapter.group or "") for chapter in asked.was]
    )
    try:
        writing.arrange(study, order, was)
    except Conflict as other:
        now = study_json(study, reader)
        raise conflict(now, "", other.args[0].edited, you=False) from None
    return study_json(study, reader)


@router.get(CHAPTER, url_name="study_chapter", response=ChapterJson)
def read_chapter(request: Request, key: str, number: int) -> ChapterJson:
    """One chapter."""
    chapter = chapter_of(request.visit, key, number)
    asks = pending_questions(request.visit, chapter.study).get(chapter.match_id)
    if asks not in (None, chapter.pk):
        raise Http404(_("there is no such chapter"))
    return chapter_json(chapter, writer=may_write(request.visit, chapter.study))


@router.put(CHAPTER, url_name="study_chapter", response=ChapterJson)
def change_chapter(request: Request, key: str, number: int, asked: ChangedChapter) -> ChapterJson:
    """Change the fields that are named."""
    visit = request.visit
    chapter = _chapter_to_write(visit, key, number)
    if chapter.revision != asked.revision:
        raise chapter_overtaken(visit, chapter)
    fields = {**chapters.fields_of(chapter), **asked.given_fields()}
    said = chapters.verify(fields, visit.reader, visit.reviewable)
    try:
        changed = writing.amend(chapter, asked.revision, said, visit.sign().name)
        return chapter_json(changed, writer=True)
    except Chapter.DoesNotExist:
        raise ValidationFault("the chapter has been deleted") from None


@router.delete(CHAPTER, url_name="study_chapter", response=Deleted)
def delete_chapter(request: Request, key: str, number: int, asked: Revised) -> Deleted:
    """Delete a chapter."""
    chapter = _chapter_to_write(request.visit, key, number)
    try:
        writing.drop(chapter, asked.revision)
    except Chapter.DoesNotExist:
        raise ValidationFault("the chapter has been deleted") from None
    return {"deleted": True}


@router.post(
    f"{CHAPTER}/restore",
    url_name="chapter_restore",
    response=ChapterJson,
)
def restore_chapter(request: Request, key: str, number: int) -> ChapterJson:
    """Restore a deleted chapter."""
    study = study_to_write(request.visit, key)
    return chapter_json(writing.restore_chapter(study, number), writer=True)


def _chapter_to_write(visit: Visit, key: str, number: int) -> Chapter:
    """A chapter that this visitor may change. Raises Http404, PermissionDenied."""
    chapter = chapter_of(visit, key, number)
    must_write(visit, chapter.study)
    return chapter


def chapter_overtaken(visit: Visit, other: Chapter) -> Refused:
    now, by = chapter_json(other, writer=True), other.by
    return conflict(now, by, other.edited, you=by == visit.sign().name)
