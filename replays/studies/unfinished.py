"""Studies that are made in several short transactions, so that live matches write in between.

Until such a study is finished, an owner who is nobody owns it and all that belongs to it, so no
page, list or count shows any of it. What is left of one that was interrupted is deleted later.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from replays.annotations.notes import Author
from replays.models import Note, Study, Variation
from replays.models.sharing import new_key
from replays.studies import writing

KEPT: Final = timedelta(hours=1)
"""For how long something that makes no progress may still be going on."""
BATCH: Final = 50
"""Notes that are stored, or deleted, in one transaction."""
_NOBODY: Final = "unfinished:"
_AFTER: Final = "unfinished;"
"""The next text after everything that begins with `_NOBODY`."""


def begin(author: Author, title: object, words: object) -> Study:
    """A study that nobody sees, for this author to own later. Raises Malformed, Unfit."""
    writing.verify_room(author)
    nobody = Author(f"{_NOBODY}{new_key()}", author.name)
    return writing.create(nobody, new_key(), title, words)


def finish(study: Study, author: Author) -> None:
    """Let the author own the study and all that belongs to it."""
    owned = {"owner": author.person, "user": author.user}
    history: Any = Note.history  # the library has no types
    with transaction.atomic():
        for rows in (Note.objects, Variation.objects, history):
            rows.filter(study=study, owner=study.owner).update(**owned)
        now = timezone.now()
        Study.objects.filter(pk=study.pk).update(**owned, created=now, edited=now)
    study.refresh_from_db()


def forget_old() -> None:
    """Delete what is left of studies that were interrupted."""
    for study in _unfinished().filter(edited__lt=timezone.now() - KEPT):
        discard(study)


def _unfinished() -> QuerySet[Study]:
    return Study.objects.filter(owner__gte=_NOBODY, owner__lt=_AFTER)


def discard(study: Study) -> None:
    """Delete an unfinished study and all that belongs to it, the latest first."""
    history: Any = Note.history
    for kind in (Note, Variation):
        rows = kind._default_manager.filter(study=study).order_by("-pk")
        while some := list(rows.values_list("pk", flat=True)[:BATCH]):
            kind._default_manager.filter(pk__in=some).delete()
    history.filter(study=study).delete()
    study.delete()
