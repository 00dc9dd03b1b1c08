"""Hiding notes and studies, and showing them again: what moderators do, here and in the admin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from games.archive.moderation import record_action
from games.models import Moderation
from games.people import changes
from replays.models import Note, NoteReport, Study, StudyReport


@transaction.atomic
def set_hidden(notes: Iterable[int], moderator: Any, reason: str, *, hidden: bool) -> int:
    """Hide these notes from all but their authors, or show them again; return how many changed.

    Settles the reports of them. A note that changes leaves a row about who did it and why.
    """
    keys = list(notes)
    changed = list(Note.objects.filter(pk__in=keys).exclude(hidden=hidden).select_related("match"))
    Note.objects.filter(pk__in=[note.pk for note in changed]).update(hidden=hidden)
    NoteReport.objects.filter(note__in=keys).update(settled=True)
    for note in changed:
        about = {"match": note.match.record_id, "by": note.by}
        record_action(moderator, _action(hidden), note.key, reason, about)
    return len(changed)


@transaction.atomic
def set_studies_hidden(studies: Iterable[int], moderator: Any, reason: str, *, hidden: bool) -> int:
    """Hide these studies from all but their owners, or show them again, as `set_hidden` does."""
    keys = list(studies)
    changed = list(Study.objects.filter(pk__in=keys).exclude(hidden=hidden))
    Study.objects.filter(pk__in=[study.pk for study in changed]).update(hidden=hidden)
    StudyReport.objects.filter(study__in=keys).update(settled=True)
    for study in changed:
        about = {"title": study.title, "by": study.by}
        record_action(moderator, _action(hidden), study.key, reason, about)
        changes.changed(changes.of_study(study.pk))
    return len(changed)


def _action(hidden: bool) -> Moderation.Action:
    return Moderation.Action.HIDE if hidden else Moderation.Action.SHOW
