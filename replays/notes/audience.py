"""The audience of a note or variation. `access` decides whether someone may read it.

Its owner decides, except in a study, which decides itself. A reply is for the readers of its note,
or for its author alone: its visibility, link and readers are that note's, and follow it when they
change.
"""

from typing import NamedTuple

from replays.classes.membership import accounts_in, out_of_reach
from replays.models import Note, Shared
from replays.models.notes import Annotation
from replays.models.sharing import new_key


class Sharing(NamedTuple):
    """The possible readers. `readers` are accounts, if it is for named people.

    `school_class`: a class's key, if it is for a class.
    """

    visibility: str = Shared.Visibility.SELF
    readers: tuple[int, ...] = ()
    school_class: str = ""

    def put(self, item: Shared) -> None:
        """Set it. Named readers are set once the item is saved.

        What is no longer shared by its link gets another one for the next time.
        """
        if item.visibility == Shared.Visibility.LINK != self.visibility:
            item.token = new_key()
        item.visibility, item.school_class = self.visibility, self.school_class


def accounts_of(item: Shared) -> frozenset[int]:
    """The accounts that it is for by name, or as a class. One query, if it is for any."""
    if item.visibility == Shared.Visibility.PEOPLE:
        named = frozenset(item.readers.values_list("pk", flat=True))
        return named - out_of_reach(named, item.user_id)
    of_class = item.visibility == Shared.Visibility.CLASS
    return accounts_in(item.school_class) if of_class else frozenset()


def set_visibility(item: Annotation, sharing: Sharing) -> None:
    """Set who may read it, before it is saved. Call `set_readers` after that."""
    answered = _answered(item)
    if answered is None or sharing.visibility == Annotation.Visibility.SELF:
        sharing.put(item)
    else:
        item.visibility, item.token = answered.visibility, answered.token
        item.school_class = answered.school_class


def set_readers(item: Annotation, sharing: Sharing) -> None:
    """Set the accounts that may read it and its replies."""
    answered = _answered(item)
    if answered is None:
        item.readers.set(sharing.readers)
    else:
        item.readers.set(_readers_of_reply(item, answered))
    if isinstance(item, Note) and item.visibility != Annotation.Visibility.SELF:
        for reply in item.replies.exclude(visibility=Annotation.Visibility.SELF):
            set_visibility(reply, Sharing(item.visibility))
            same = {name: getattr(reply, name) for name in ("visibility", "token", "school_class")}
            Note.objects.filter(pk=reply.pk).update(**same)
            set_readers(reply, Sharing(item.visibility))


def _answered(item: Annotation) -> Note | None:
    return item.reply if isinstance(item, Note) else None


def _readers_of_reply(reply: Annotation, answered: Note) -> set[int]:
    if reply.visibility != Annotation.Visibility.PEOPLE:
        return set()
    readers = set(answered.readers.values_list("pk", flat=True))
    return {pk for pk in (*readers, answered.user_id) if pk not in (None, reply.user_id)}
