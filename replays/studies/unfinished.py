"""Studies that are made in several short transactions, so that live matches write in between.

Until such a study is finished, a placeholder owner has it and all that belongs to it, so no page,
list or count shows any of it. Matches that come with it are in no list. The remains of an
interrupted one are deleted later.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from games.archive.moderation import delete, show
from games.models import Match, Upload
from games.people.visitor import Author
from replays.models import Job, Note, Study, Variation
from replays.models.sharing import new_key
from replays.studies import writing

KEPT: Final = timedelta(hours=1)
"""For how long something that makes no progress may still be going on."""
BATCH: Final = 50
"""Notes that are stored, or deleted, in one transaction."""
_NOBODY: Final = "unfinished:"


def begin(author: Author, title: str, words: str) -> Study:
    """A hidden study, for this author to own later. Raises Unfit."""
    writing.verify_room(author)
    nobody = Author(f"{_NOBODY}{new_key()}", author.name)
    return writing.create(nobody, new_key(), title, words)


def hold_back(match: Match, study: Study) -> None:
    """Hide a match that came with a study, until that is finished."""
    Upload.objects.create(person=study.owner, name=study.by, bytes=0, match=match)
    show(match, Match.Visibility.LINK)


def came_with(match: Match, study: Study) -> bool:
    """Whether a match came with a study that is not finished."""
    return Upload.objects.filter(match=match, person=study.owner).exists()


def finish(study: Study, author: Author) -> None:
    """Let the author own the study and all that belongs to it, and show its matches."""
    history: Any = Note.history  # the library has no types
    with transaction.atomic():
        current = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
        if not current.owner.startswith(_NOBODY):
            return
        owned = {"owner": author.person, "user": author.user}
        for rows in (Note.objects, Variation.objects, history):
            rows.filter(study=study, owner=current.owner).update(**owned)
        for match in Match.objects.filter(upload__person=current.owner):
            show(match, Match.Visibility.PUBLIC)
        Upload.objects.filter(person=current.owner).update(person=author.person)
        now = timezone.now()
        Study.objects.filter(pk=study.pk).update(**owned, created=now, edited=now)
    study.refresh_from_db()


def forget_old() -> None:
    """Delete what is left of studies that were interrupted, unless a job goes on with them."""
    goes_on = Job.objects.filter(subject=OuterRef("key"), state__in=Job.ACTIVE)
    old = Study.objects.filter(owner__startswith=_NOBODY, edited__lt=timezone.now() - KEPT)
    for study in old.exclude(Exists(goes_on)):
        discard(study)


def discard(study: Study) -> None:
    """Delete an unfinished study and all that came with it, the latest first."""
    assert study.owner.startswith(_NOBODY)
    for kind in (Note, Variation):
        rows = kind._default_manager.filter(study=study).order_by("-pk")
        while some := list(rows.values_list("pk", flat=True)[:BATCH]):
            kind._default_manager.filter(pk__in=some).delete()
    history: Any = Note.history
    history.filter(study=study).delete()
    for match in Match.objects.filter(upload__person=study.owner):
        delete(match)
    Upload.objects.filter(person=study.owner).delete()
    study.delete()
