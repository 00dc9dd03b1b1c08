"""Which study or chapter a request names, whether its visitor may, and both as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest

from replays.annotations.access import Reader, readable_study, writes
from replays.annotations.positions import Unfit
from replays.models import Attempt, Chapter, Study
from replays.pages.notes.asked import MOST_READERS, accounts_named, reader_of, remember_token
from replays.studies.chapters import fields_of


def study_of(request: HttpRequest, key: str) -> Study:
    """A study that this visitor may see. Raises Http404."""
    remember_token(request, Study.objects.filter(key=key))
    reader = reader_of(request)
    rows = Study.objects.filter(readable_study(reader) | _asked_in(reader), key=key)
    found = rows.distinct().first()
    if found is None:
        raise Http404("there is no such study, or it is not shared with you")
    return found


def _asked_in(reader: Reader) -> Q:
    """The studies shared by link in which this reader has a question open.

    They have held the link, and an embargo on a match goes on: so that losing the link neither
    ends it nor keeps them from answering.
    """
    open_ones = Attempt.objects.filter(
        chapter__study=OuterRef("pk"),
        chapter__deleted=None,
        person__in=list(reader.persons),
        answered=None,
    )
    return Q(Exists(open_ones), visibility=Study.Visibility.LINK, deleted=None, hidden=False)


def chapter_of(request: HttpRequest, key: str, number: int) -> Chapter:
    """A chapter of such a study. Raises Http404."""
    study = study_of(request, key)
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


def study_json(study: Study, reader: Reader) -> dict[str, Any]:
    """A study and its chapters, for this reader. Four queries at most."""
    told = study_fields(study, reader)
    rows = study.chapters.select_related("line").order_by("place", "number")
    return {**told, "chapters": [chapter_json(row, writer=told["may_write"]) for row in rows]}


def study_fields(study: Study, reader: Reader) -> dict[str, Any]:
    """A study without its chapters, for this reader."""
    mine, writer = study.owner in reader.persons, writes(study, reader)
    told = {
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
        told["readers"] = sorted(user.get_username() for user in study.readers.all())
    if writer:
        told["writers"] = sorted(user.get_username() for user in study.writers.all())
    return told


def chapter_json(chapter: Chapter, *, writer: bool) -> dict[str, Any]:
    """A chapter; only writers get a question's right answers."""
    told = {
        **fields_of(chapter),
        "number": chapter.number,
        "html": chapter.html,
        "revision": chapter.revision,
    }
    if not writer:
        told["question"] = chapter.question is not None
    return told
