"""Copying a study: its chapters, notes and variations, as far as the copier may see them.

Everything is read first and then stored in batches, each in a transaction of its own, so that live
matches can write in between. Until a copy is finished, a placeholder owner has it and all that
belongs to it, so no page, list or count shows any of it. The remains of an interrupted one are
deleted later.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.people.visitor import Author
from games.records.strict import Malformed
from replays.models import Chapter, Note, Study, Variation
from replays.models.notes import Annotation
from replays.models.sharing import new_key
from replays.notes.access import by_its_writers
from replays.studies import writing
from replays.studies.daily import in_words

KEPT: Final = timedelta(hours=1)
"""For how long a copy that makes no progress may still be going on."""
BATCH: Final = 50
"""Notes that are stored, or deleted, in one transaction."""
_NOBODY: Final = "unfinished:"
MOST_REMARKS: Final = 2_000
"""The most notes, and variations, that are copied with a study."""
A = TypeVar("A", bound=Annotation)
_history: Final[Any] = Note.history  # the library has no types


def copy(study: Study, author: Author, chapters: Sequence[Chapter]) -> Study:
    """The author's own study with these of its chapters, their notes and variations.

    Raises Malformed, ValidationFault.
    """
    matches = {row.match_id for row in chapters}
    lines = list(_remarks(Variation, study, matches).order_by("depth", "pk"))
    notes = list(_remarks(Note, study, matches, by_its_writers(study)).order_by("pk"))
    forget_old()
    writing.verify_room(author)
    made = writing.create(
        Author(f"{_NOBODY}{new_key()}", author.name),
        new_key(),
        _("Copy of {title}").format(title=study.shown_title)[:100],
        study.shown_text,
    )
    copied = _copy_lines(lines, made)
    for some in _copied_notes(notes, made, copied):
        _store(some)
    _copy_chapters(chapters, made, copied)
    highest = max((row.number for row in chapters), default=0)
    Study.objects.filter(pk=made.pk).update(numbered=highest)
    _finish(made, author)
    return made


def _finish(study: Study, author: Author) -> None:
    """Let the author own the study and all that belongs to it."""
    with transaction.atomic():
        owned = {"owner": author.person, "user": author.user}
        for rows in (Note.objects, Variation.objects, _history):
            rows.filter(study=study, owner=study.owner).update(**owned)
        now = timezone.now()
        Study.objects.filter(pk=study.pk).update(**owned, created=now, edited=now)
    study.refresh_from_db()


def forget_old() -> None:
    """Delete what is left of copies that were interrupted, the latest first."""
    old = Study.objects.filter(owner__startswith=_NOBODY, edited__lt=timezone.now() - KEPT)
    for study in old:
        for kind in (Note, Variation):
            rows = kind._default_manager.filter(study=study).order_by("-pk")
            while some := list(rows.values_list("pk", flat=True)[:BATCH]):
                kind._default_manager.filter(pk__in=some).delete()
        _history.filter(study=study).delete()
        study.delete()


def _remarks(kind: Any, study: Study, matches: set[int], where: Q | None = None) -> Any:
    rows = kind.objects.filter(
        where or Q(), study=study, match__in=matches, deleted=None, hidden=False
    )
    if rows.count() > MOST_REMARKS:
        raise Malformed("a study with more than {most} notes cannot be copied", most=MOST_REMARKS)
    return rows


def _copy_lines(lines: Iterable[Variation], made: Study) -> dict[int, Variation]:
    """Copy variations, given in the order of their depth. Returns each copy by the old id."""
    copied: dict[int, Variation] = {}
    for _depth, level in groupby(lines, lambda line: line.depth):
        copyable = [line for line in level if line.line_id is None or line.line_id in copied]
        for some in _batches(copyable):
            old = [line.pk for line in some]
            for line in some:
                line.line = copied.get(line.line_id or 0)
                _renew(line, made)
            copied |= zip(old, Variation.objects.bulk_create(some), strict=True)
    return copied


def _copied_notes(
    notes: Iterable[Note], made: Study, lines: dict[int, Variation]
) -> Iterator[Sequence[Note]]:
    """Copies of notes in batches, given in an order in which answers come after their notes."""
    copied: dict[int, Note] = {}
    for note in notes:
        along = note.line_id is None or note.line_id in lines
        if along and (note.reply_id is None or note.reply_id in copied):
            copied[note.pk] = note
    for some in _batches(list(copied.values())):
        for note in some:
            note.line, note.reply = lines.get(note.line_id or 0), copied.get(note.reply_id or 0)
            _renew(note, made)
        yield some


def _store(some: Sequence[Note]) -> None:
    """Store a batch of notes, with the beginning of their history."""
    replies = [(note, note.reply) for note in some if note.reply]
    for note, _reply in replies:
        note.reply = None  # what it answers may be stored with it, and has no id yet
    with transaction.atomic():
        Note.objects.bulk_create(some)
        for note, answered in replies:
            note.reply = answered
        Note.objects.bulk_update([note for note, _ in replies], ["reply"])
        _history.bulk_history_create(some)


def _copy_chapters(rows: Sequence[Chapter], made: Study, lines: dict[int, Variation]) -> None:
    for row in rows:
        row.title, row.html, row.text = row.shown_title, row.shown_html, row.shown_text
        row.question = row.question and in_words(row.question)
        row.pk, row.study, row.revision = None, made, 1
        row.line = lines.get(row.line_id or 0)
    Chapter.objects.bulk_create(rows)


def _batches(items: Sequence[A]) -> Iterator[Sequence[A]]:
    for since in range(0, len(items), BATCH):
        yield items[since : since + BATCH]


def _renew(item: Annotation, made: Study) -> None:
    item.pk, item.key, item.token, item.revision = None, new_key(), new_key(), 1
    item.study, item.owner, item.user = made, made.owner, None
