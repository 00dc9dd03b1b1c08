"""Earlier versions of chapters and of a study's introduction, and restoring deleted chapters.

Both save themselves while somebody types. What one said is kept before a change if it had stood
for a while, or was written by somebody else; the oldest of too many are forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.utils import timezone
from typing_extensions import TypedDict

from replays.models import Chapter, Study
from replays.notes.positions import Unfit
from replays.studies.chapters import fields_of

STANDS: Final = timedelta(minutes=2)
"""What has stood for so long is kept as a version; anything shorter is typing."""
MOST_CHAPTERS: Final = 100
"""In a study."""
MOST_VERSIONS: Final = 50
MOST_DELETED: Final = 50
"""Deleted chapters of a study that can come back."""


class Version(TypedDict):
    """What a chapter or a study said; `at` is when that had been written, in ISO 8601."""

    revision: int
    by: str
    at: str
    title: str
    text: str


def verify_room(chapters: int) -> None:
    """Raise Unfit if a study with so many chapters can have no more."""
    if chapters >= MOST_CHAPTERS:
        raise Unfit(f"at most {MOST_CHAPTERS} chapters in a study")


class _Written(NamedTuple):
    """What a chapter or a study says now, and who wrote it when."""

    by: str
    at: datetime
    fields: Mapping[str, Any]


def _written(item: Chapter | Study) -> _Written:
    if isinstance(item, Chapter):
        return _Written(item.by, item.edited, fields_of(item))
    fields = {"title": item.title, "text": item.text}
    return _Written(item.worded_by or item.by, item.worded or item.created, fields)


def keep(item: Chapter | Study, by: str, *, typed: bool = True) -> None:
    """Keep what a chapter or a study says, which `by` is about to change; `typed`: by typing."""
    written = _written(item)
    if typed and written.by == by and timezone.now() - written.at < STANDS:
        return
    defaults = {"by": written.by, "at": written.at, "fields": written.fields}
    item.versions.get_or_create(revision=item.revision, defaults=defaults)
    kept = item.versions.order_by("-revision").values_list("pk", flat=True)
    item.versions.filter(pk__in=list(kept[MOST_VERSIONS:])).delete()


def history(item: Chapter | Study) -> list[Version]:
    """The earlier versions of a chapter or a study, newest first."""
    return [
        {
            "revision": row.revision,
            "by": row.by,
            "at": row.at.isoformat(),
            "title": row.fields["title"],
            "text": row.fields["text"],
        }
        for row in item.versions.order_by("-revision")
    ]


def as_of(item: Chapter | Study, revision: object) -> dict[str, Any]:
    """What a chapter or a study said at an earlier revision, as the API takes it. Raises Unfit."""
    kept = item.versions.filter(revision=revision).first() if type(revision) is int else None
    if kept is None:
        raise Unfit("as_of: that version is not kept")
    return dict(kept.fields)


def forget_oldest(study: Study) -> None:
    """Really delete what was deleted longest ago, beyond `MOST_DELETED`."""
    gone = Chapter.every.filter(study=study).exclude(deleted=None).order_by("-deleted")
    Chapter.every.filter(pk__in=list(gone.values_list("pk", flat=True)[MOST_DELETED:])).delete()


def deleted_chapters(study: Study) -> list[Chapter]:
    """What can come back, the latest deleted first."""
    gone = Chapter.every.filter(study=study).exclude(deleted=None)
    return list(gone.order_by("-deleted")[:MOST_DELETED])


def restore(study: Study, number: int) -> Chapter:
    """Restore a deleted chapter. Raises Unfit."""
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        chapter = Chapter.every.filter(study=study, number=number).exclude(deleted=None).first()
        if chapter is None:
            raise Unfit("there is no such deleted chapter")
        verify_room(study.chapters.count())
        chapter.deleted = None
        chapter.save(update_fields=["deleted"])
    return chapter
