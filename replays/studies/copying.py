"""Copying a study: its chapters, notes and variations, as far as the copier may see them.

Everything is read first and then stored in batches, each in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.people.visitor import Author
from games.records.strict import Malformed
from replays.models import Chapter, Note, Study, Variation
from replays.models.notes import Annotation
from replays.models.sharing import new_key
from replays.notes.access import by_its_writers
from replays.studies import unfinished
from replays.studies.daily import in_words
from replays.studies.unfinished import BATCH

MOST_REMARKS: Final = 2_000
"""The most notes, and variations, that are copied with a study."""
A = TypeVar("A", bound=Annotation)


def copy(study: Study, author: Author, may_see: Callable[[Chapter], bool]) -> Study:
    """The author's own study with the same chapters, notes and variations, as far as visible.

    Raises Malformed, Unfit.
    """
    chapters = [row for row in study.chapters.order_by("place") if may_see(row)]
    matches = {row.match_id for row in chapters}
    lines = list(_remarks(Variation, study, matches).order_by("depth", "pk"))
    notes = list(_remarks(Note, study, matches, by_its_writers(study)).order_by("pk"))
    unfinished.forget_old()
    made = unfinished.begin(
        author, _("Copy of {title}").format(title=study.shown_title)[:100], study.shown_text
    )
    copied = _copy_lines(lines, made)
    for some in _copied_notes(notes, made, copied):
        _store(some)
    _copy_chapters(chapters, made, copied)
    highest = max((row.number for row in chapters), default=0)
    Study.objects.filter(pk=made.pk).update(numbered=highest)
    unfinished.finish(made, author)
    return made


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
    history: Any = Note.history  # the library has no types
    with transaction.atomic():
        Note.objects.bulk_create(some)
        for note, answered in replies:
            note.reply = answered
        Note.objects.bulk_update([note for note, _ in replies], ["reply"])
        history.bulk_history_create(some)


def _copy_chapters(rows: Sequence[Chapter], made: Study, lines: dict[int, Variation]) -> None:
    for row in rows:
        row.title, row.question = row.shown_title, row.question and in_words(row.question)
        row.pk, row.study, row.revision = None, made, 1
        row.line = lines.get(row.line_id or 0)
    Chapter.objects.bulk_create(rows)


def _batches(items: Sequence[A]) -> Iterator[Sequence[A]]:
    for since in range(0, len(items), BATCH):
        yield items[since : since + BATCH]


def _renew(item: Annotation, made: Study) -> None:
    item.pk, item.key, item.token, item.revision = None, new_key(), new_key(), 1
    item.study, item.owner, item.user = made, made.owner, None
