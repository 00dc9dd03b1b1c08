"""Writing, changing, answering, deleting and restoring notes and variations.

Every change names the revision it is based on: a later writer gets the current version (`Conflict`)
and loses nothing. A new item has a key chosen by the client, so repeating a request creates nothing
twice. With other words it is a later change, and a `Conflict` too. Owners can restore deleted
items.
"""

from typing import Any, Final, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from games.engine.events import End
from games.models import Match
from games.people.classes import out_of_reach
from games.people.visitor import Author
from games.records.log import MAX_NOTES
from games.records.log import Note as RecordNote
from games.records.log import Variation as RecordVariation
from replays.models import Note, NoteComplaint, Study, Variation
from replays.models.notes import Annotation
from replays.notes.audience import Sharing, accounts_of, set_readers, set_visibility
from replays.notes.fields import with_hashtags
from replays.notes.hiding import answer
from replays.notes.markdown import render
from replays.notes.mentions import announce, named_in, pages_in
from replays.notes.positions import (
    ValidationFault,
    events_of,
    extent_of,
    verify_note,
    verify_variation,
)

MOST_A_MATCH: Final = MAX_NOTES
"""The most notes, and variations, that one account may have on one match."""
MOST_OF_GUEST: Final = 100
"""The same for a guest. A guest who wants more can make an account."""
_PLACE: Final = ("match_id", "study_id", "round", "event", "line_id", "text", "tags")
_SAID: Final[dict[type[Annotation], tuple[str, ...]]] = {
    Note: (*_PLACE, "until", "glyph", "marks", "arrows", "reply_id"),
    Variation: (*_PLACE, "events"),
}
P = TypeVar("P", bound=Annotation)


class Conflict(Exception):  # noqa: N818 - not an error
    """Someone changed it in the meantime. `args[0]` is the current version."""


def write(
    author: Author,
    match: Match,
    said: RecordNote,
    sharing: Sharing,
    *,
    key: str,
    line: Variation | None = None,
    reply: Note | None = None,
    study: Study | None = None,
) -> Note:
    """Create a note, in a study if one is given. Raises ValidationFault, Conflict."""
    verify_note(extent_of(match, said.round), said, line, reply)
    if reply is not None and reply.study != study:
        raise ValidationFault("reply: that note is not in the same study")
    note = Note(match=match, key=key, line=line, reply=reply, study=study, **_of(author))
    _fill_note(note, said)
    return _added(note, sharing)


def write_variation(
    author: Author,
    match: Match,
    said: RecordVariation,
    sharing: Sharing,
    *,
    key: str,
    line: Variation | None = None,
    study: Study | None = None,
) -> Variation:
    """Create a variation, in a study if one is given. Raises ValidationFault, Conflict."""
    if match.hidden:
        raise ValidationFault("variation: the match is still being played")
    table, events = verify_variation(extent_of(match, said.round), said, line)
    variation = Variation(
        match=match,
        key=key,
        line=line,
        study=study,
        round=said.round,
        event=said.event,
        events=events,
        length=table.events,
        depth=line.depth + 1 if line else 1,
        ended=isinstance(said.events[-1], End),
        **_of(author),
    )
    _fill_words(variation, said)
    return _added(variation, sharing)


def change(
    note: Note,
    revision: int,
    said: RecordNote,
    sharing: Sharing | None,
    by: str | None = None,
) -> Note:
    """Change a note. `by`: its author's present name, if it is to be signed with that.

    Its replies go with it if it moves. If it is hidden, the moderators are asked to look at it
    again. Raises ValidationFault, or Conflict if it has changed in the meantime.
    """
    with transaction.atomic():
        current = _locked(note, revision)
        if current.reply_id and (said.round, said.event) == (note.round, note.event):
            said = said._replace(round=current.round, event=current.event)
        extent = extent_of(current.match, said.round)
        verify_note(extent, said, current.line, current.reply)
        _fill_note(current, said)
        current.by = by or current.by
        answer(current)
        _save(current, sharing)
        _move_replies(current)
        return current


def _move_replies(note: Note) -> None:
    """Move the replies to their note's position."""
    for reply in note.replies.exclude(round=note.round, event=note.event):
        _move(reply, note)
        reply.save(update_fields=["round", "event", "html"])
        _move_replies(reply)


def as_of(note: Note, revision: int) -> RecordNote:
    """An earlier version of a note, for `change`. Raises ValidationFault."""
    history: Any = note.history  # the library has no types
    old = history.filter(revision=revision).order_by("-history_date", "-history_id").first()
    if old is None:
        raise ValidationFault(
            "as_of: there is no revision {revision} of this note any more", revision=revision
        )
    at = note if note.reply_id else old  # a reply is where the note is that it answers
    return RecordNote(
        at.round,
        at.event,
        glyph=old.glyph or None,
        text=old.text,
        marks=tuple(old.marks),
        until=old.until,
        tags=tuple(old.tags),
        arrows=tuple(old.arrows),
    )


def change_variation(
    variation: Variation,
    revision: int,
    said: RecordVariation,
    sharing: Sharing | None,
    order: int | None = None,
) -> Variation:
    """Change a variation's words, its `order` or its events, if any.

    Raises ValidationFault, Conflict.

    The place where it branches off stays, and so does everything that a note or another variation
    depends on.
    """
    with transaction.atomic():
        current = _locked(variation, revision)
        if said.events:
            _fill_events(current, said._replace(round=current.round, event=current.event))
        if order is not None:
            current.order = order
        _fill_words(current, said)
        return _save(current, sharing)


def promote(variation: Variation, revision: int) -> Variation:
    """Move a variation from its parent to where that branches off.

    Raises ValidationFault, Conflict.

    It gets the parent's events up to the branch, so every position along it, and all references to
    one, stay the same. Its own branches are one level less deep.
    """
    with transaction.atomic():
        current = _locked(variation, revision)
        parent = current.line
        if parent is None:
            raise ValidationFault("line: it branches from what happened already")
        before = max(0, current.event - parent.event)
        events = (*events_of(parent)[:before], *events_of(current))
        event = min(current.event, parent.event)
        said = RecordVariation(current.round, event, None, "", events)
        text = verify_variation(extent_of(current.match, current.round), said, parent.line)[1]
        current.events, current.event, current.line = text, event, parent.line
        current.depth -= 1
        _raise_along(current)
        return _save(current, None)


def _raise_along(variation: Variation) -> None:
    """Everything that branches from a variation follows its depth."""
    for branch in variation.variations_along.all():
        branch.depth = variation.depth + 1
        branch.save(update_fields=["depth"])
        _raise_along(branch)


def remove(item: P, revision: int, *, by_owner: bool = True) -> P:
    """Delete it. `restore` brings it back. Raises Conflict.

    An item that a study's writer deletes for someone else stays hidden from others when restored.
    """
    with transaction.atomic():
        current = _locked(item, revision)
        current.deleted = timezone.now()
        current.hidden = current.hidden or not by_owner
        return _save(current, None)


def restore(item: P) -> P:
    with transaction.atomic():
        current = _locked(item)
        current.deleted = None
        return _save(current, None)


def settle(note: Note, *, settled: bool) -> Note:
    with transaction.atomic():
        current = _locked(note)
        current.settled = settled
        return _save(current, None)


def complain(note: Note, author: Author, reason: str = "") -> None:
    """Report a note to the moderators. Repeating it changes nothing."""
    named = {"reporter": author.person, "user": author.user, "reason": reason}
    NoteComplaint.objects.get_or_create(note=note, reporter=author.person, defaults=named)


# --- Their parts ---------------------------------------------------------------------------


def _of(author: Author) -> dict[str, Any]:
    return {"owner": author.person, "by": author.name, "user": author.user}


def _fill_note(note: Note, said: RecordNote) -> None:
    note.round, note.event, note.until = said.round, said.event, said.until
    note.glyph = said.glyph or ""
    note.marks, note.arrows = list(said.marks), list(said.arrows)
    _fill_words(note, said)
    note.tags = with_hashtags(said.tags, said.text)


def _fill_words(item: Note | Variation, said: RecordNote | RecordVariation) -> None:
    item.text, item.tags = said.text, list(said.tags)
    item.html = as_html(said.text, item.round) if said.text else ""


def as_html(text: str, round_number: int) -> str:
    """A text as it is shown, with links to the players that it names."""
    return render(text, round_number, pages_in(text))


def _fill_events(variation: Variation, said: RecordVariation) -> None:
    extent = extent_of(variation.match, variation.round)
    table, events = verify_variation(extent, said, variation.line)
    notes = variation.notes_along.aggregate(event=Max("event"), until=Max("until"))
    variations = variation.variations_along.aggregate(event=Max("event"))
    reached = max(value or 0 for value in (*notes.values(), *variations.values()))
    kept = reached - variation.event
    if kept > 0 and said.events[:kept] != events_of(variation)[:kept]:
        raise ValidationFault("events: a note or variation refers to events that would change")
    variation.events, variation.length = events, table.events
    variation.ended = isinstance(said.events[-1], End)


def _added(item: P, sharing: Sharing) -> P:
    """Store a new item. One already sent with this key is returned.

    Raises ValidationFault, Conflict.
    """
    kind = type(item)
    other = Variation if kind is Note else Note
    if other._default_manager.filter(key=item.key).exists():
        raise ValidationFault("key: already in use")
    most = MOST_A_MATCH if item.user_id else MOST_OF_GUEST
    others = kind._default_manager.filter(match=item.match, owner=item.owner)
    if others.exclude(key=item.key).count() >= most:
        if item.user_id:
            raise ValidationFault("at most {most} per person and match", most=most)
        raise ValidationFault(
            "at most {most} per person and match: with an account you can write more", most=most
        )
    if item.study is None:
        set_visibility(item, sharing)
    try:
        with transaction.atomic():
            _stand_by(item)
            item.save(force_insert=True)
            if item.study is None:
                set_readers(item, sharing)
            _mention(item)
            if isinstance(item, Note):
                announce(item)
    except IntegrityError:
        stored = kind._default_manager.filter(key=item.key, owner=item.owner).first()
        if stored is None:
            raise ValidationFault("key: already in use") from None
        if _differs(item, stored, sharing):
            raise Conflict(stored) from None
        return stored
    return item


def _stand_by(item: Annotation) -> None:
    """Move a reply to its note's position, even if that moves just now."""
    if not isinstance(item, Note) or item.reply is None:
        return
    answered = _locked(item.reply)
    if (item.round, item.event) != (answered.round, answered.event):
        _move(item, answered)


def _move(reply: Note, answered: Note) -> None:
    reply.round, reply.event = answered.round, answered.event
    reply.html = as_html(reply.text, reply.round) if reply.text else ""


def _differs(item: P, stored: P, sharing: Sharing) -> bool:
    """Whether what is sent again is not what is stored."""
    names = _SAID[type(item)]
    if item.study_id is None:
        names = (*names, "visibility", "school_class")
    if any(getattr(item, name) != getattr(stored, name) for name in names):
        return True
    named = (
        stored.visibility == stored.Visibility.PEOPLE and getattr(item, "reply_id", None) is None
    )
    return named and {user.pk for user in stored.readers.all()} != set(sharing.readers)


def _locked(item: P, revision: int | None = None) -> P:
    """The item as it is now. Raises Conflict unless that is the revision, if one is named."""
    current = type(item)._default_manager.select_for_update(of=("self",)).get(pk=item.pk)
    if revision is not None and current.revision != revision:
        raise Conflict(current)
    return current


def _save(item: P, sharing: Sharing | None) -> P:
    item.revision += 1
    before = accounts_of(item)
    sharing = None if item.study_id else sharing
    if sharing is not None:
        set_visibility(item, sharing)
    item.save()
    if sharing is not None:
        set_readers(item, sharing)
    _mention(item)
    if isinstance(item, Note):
        announce(item, before)
    return item


def _mention(item: Annotation) -> None:
    """Keep which accounts a note names, so that each finds it."""
    if isinstance(item, Note) and (item.revision > 1 or "@" in item.text):
        named = {account.user for account in named_in(item.text).values()}
        item.mentions.set(named - out_of_reach(named, item.user_id))
