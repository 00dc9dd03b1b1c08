"""Hiding notes and studies, and showing them again: what moderators do, here and in the admin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from games.archive.moderation import record_action
from games.models import Moderation
from games.people import changes
from replays.models import Note, Study


@transaction.atomic
def set_hidden(
    kind: type[Note | Study], keys: Iterable[int], moderator: Any, reason: str, *, hidden: bool
) -> int:
    """Hide these from all but their authors, or show them again; return how many changed.

    Settles the complaints about them. Each that changes leaves a row about who did it and why.
    """
    chosen: QuerySet[Any] = kind._default_manager.filter(pk__in=list(keys))
    changed = list(chosen.exclude(hidden=hidden))
    kind._default_manager.filter(pk__in=[row.pk for row in changed]).update(hidden=hidden)
    for row in chosen:
        row.complaints.update(settled=True)
    for row in changed:
        action = Moderation.Action.HIDE if hidden else Moderation.Action.SHOW
        record_action(moderator, action, row.key, reason, _about(row))
        if isinstance(row, Study):
            changes.changed(changes.of_study(row.pk))
    return len(changed)


def _about(row: Note | Study) -> dict[str, str]:
    if isinstance(row, Study):
        return {"title": row.title, "by": row.by}
    return {"match": row.match.record_id, "by": row.by}
