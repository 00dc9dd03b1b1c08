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
    kind._default_manager.filter(pk__in=[one.pk for one in changed]).update(hidden=hidden)
    for one in chosen:
        one.complaints.update(settled=True)
    for one in changed:
        action = Moderation.Action.HIDE if hidden else Moderation.Action.SHOW
        record_action(moderator, action, one.key, reason, _about(one))
        if isinstance(one, Study):
            changes.changed(changes.of_study(one.pk))
    return len(changed)


def _about(one: Note | Study) -> dict[str, str]:
    if isinstance(one, Study):
        return {"title": one.title, "by": one.by}
    return {"match": one.match.record_id, "by": one.by}
