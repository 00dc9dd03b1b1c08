"""Hiding notes and studies: what moderators do, why, and the author's answer: changing it.

The reason is the moderation log's. An answer reopens the question for the moderators: it is a
complaint by the author, which hiding or showing the note or study settles as any other.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from games.archive.moderation import record_action
from games.models import Moderation
from games.people import changes
from replays.models import Note, NoteComplaint, Study, StudyComplaint

ANSWERED: Final = "Changed by its author since it was hidden."


class Hidden(NamedTuple):
    """The moderator's reason, if there is one, and whether the author has answered."""

    reason: str
    answered: bool


def why_hidden(item: Note | Study) -> Hidden | None:
    if not item.hidden:
        return None
    kinds = Moderation.Action
    rows = Moderation.objects.filter(subject=item.key, action__in=(kinds.HIDE, kinds.SHOW))
    last = rows.order_by("-pk").first()
    reason = last.reason if last and last.action == kinds.HIDE else ""
    answers = item.complaints.filter(reporter=item.owner, settled=False)
    return Hidden(reason, answers.exists())


def answer(item: Note | Study) -> None:
    """Let the moderators look again at what its author has changed, if it is hidden."""
    if not item.hidden:
        return
    said = {"reason": ANSWERED, "settled": False, "user": item.user}
    if isinstance(item, Note):
        NoteComplaint.objects.update_or_create(note=item, reporter=item.owner, defaults=said)
    else:
        StudyComplaint.objects.update_or_create(study=item, reporter=item.owner, defaults=said)


# --- What moderators do, here and in the admin ----------------------------------------------------


@transaction.atomic
def set_hidden(
    kind: type[Note | Study], keys: Iterable[int], moderator: Any, reason: str, *, hidden: bool
) -> int:
    """Hide these from all but their authors, or show them again. Returns how many changed.

    Settles the reports about them. Each change leaves a row with the moderator and the reason.
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
