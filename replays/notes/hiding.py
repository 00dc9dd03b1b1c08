"""Why a moderator has hidden a note or study, and its author's answer: changing it.

The reason is the moderation log's. An answer reopens the question for the moderators: it is a
complaint by the author, which hiding or showing the note or study settles as any other.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.models import Moderation
from replays.models import Note, NoteComplaint, Study, StudyComplaint

ANSWERED: Final = "Changed by its author since it was hidden."


class Hidden(NamedTuple):
    """The moderator's reason, if there is one, and whether the author has answered."""

    reason: str
    answered: bool


def why_hidden(item: Note | Study) -> Hidden | None:
    """Why it is hidden; None if it is not."""
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
