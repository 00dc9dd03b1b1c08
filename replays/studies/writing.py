"""Making and changing studies: each change names the revision on which it is based.

A later writer gets the current version (`Conflict`) and loses nothing. A new study has a key
chosen by the client, so repeating a request creates nothing twice. A deleted chapter or study
ends its learners' embargoes.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import F, Model
from django.utils import timezone

from games.people import changes, embargoes
from games.people.visitor import Author
from replays.models import Chapter, News, Study, StudyComplaint
from replays.news import tell
from replays.notes import hiding
from replays.notes.audience import Sharing, accounts_of
from replays.notes.markdown import render
from replays.notes.notes import Conflict
from replays.notes.positions import ValidationFault
from replays.studies.chapters import ChapterFields

MOST_STUDIES: Final = 200
"""Per person, and as many drills."""
MOST_CHAPTERS: Final = 100
"""In a study."""
MOST_DELETED: Final = 50
"""Deleted chapters of a study that can come back."""
MOST_NUMBER: Final = 32_767
"""The highest number of a chapter."""
Order = list[tuple[int, str]]
"""Chapters by their numbers, each with its group."""
M = TypeVar("M", bound=Model)


# --- Studies -----------------------------------------------------------------------------------


def create(author: Author, key: str, title: str, words: str = "", *, drill: bool = False) -> Study:
    """Create a study, at first visible only to its owner. Raises ValidationFault."""
    verify_room(author, drill=drill)
    said = {"title": title, **_words(words)}
    defaults = {"by": author.name, "user": author.user, "drill": drill, **said}
    if Study.objects.filter(key=key).exclude(owner=author.person).exists():
        raise ValidationFault("key: already in use")
    return Study.objects.get_or_create(key=key, owner=author.person, defaults=defaults)[0]


def verify_room(author: Author, *, drill: bool = False) -> None:
    """Raise ValidationFault if the author can have no more studies, or drills."""
    own = Study.objects.filter(owner=author.person, deleted=None, drill=drill)
    if own.count() >= MOST_STUDIES:
        if drill:
            raise ValidationFault("at most {most} drills per person", most=MOST_STUDIES)
        raise ValidationFault("at most {most} studies per person", most=MOST_STUDIES)


def change(
    study: Study,
    revision: int,
    title: str,
    words: str,
    *,
    sharing: Sharing | None = None,
    writers: Sequence[int] | None = None,
    by: str = "",
) -> Study:
    """Change a study's title, introduction and people. Raises Conflict."""
    said = {"title": title, **_words(words)}
    with transaction.atomic():
        current = _locked(study, revision)
        if (current.shown_title, current.shown_text) != (title, words):
            current.worded_by, current.worded = by, timezone.now()
            for name, value in said.items():
                setattr(current, name, value)
        before = _people(current)
        if sharing is not None:
            sharing.put(current)
            current.readers.set(sharing.readers)
        if writers is not None:
            current.writers.set(writers)
        current.revision += 1
        current.save()
        new_readers = _people(current) - before
        tell(new_readers, News.Kind.STUDY, current.key, Author(current.owner, current.by))
        hiding.answer(current)
        changes.changed(changes.of_study(current.pk))
    return current


def _people(study: Study) -> frozenset[int]:
    """The accounts that a study is shared with, to read or to write."""
    return accounts_of(study) | set(study.writers.values_list("pk", flat=True))


def remove(study: Study, revision: int) -> None:
    """Delete a study. Its chapters and notes stay stored, out of sight. Raises Conflict."""
    with transaction.atomic():
        current = _locked(study, revision)
        current.deleted = timezone.now()
        current.revision += 1
        current.save()
        changes.changed(changes.of_study(current.pk))
        for chapter in current.chapters.all():
            embargoes.lift(chapter.pk)


def restore(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(deleted=None)


def complain(study: Study, author: Author, reason: str) -> None:
    """Report a study to the moderators. Repeating it changes nothing."""
    named = {"user": author.user, "reason": reason}
    StudyComplaint.objects.get_or_create(study=study, reporter=author.person, defaults=named)


def _words(words: str) -> dict[str, str]:
    return {"text": words, "html": render(words, 1) if words else ""}


def _locked(item: M, revision: int) -> M:
    current: Any = type(item)._default_manager.select_for_update(of=("self",)).get(pk=item.pk)
    if current.revision != revision:
        raise Conflict(current)
    return current


# --- Chapters ----------------------------------------------------------------------------------


def add(study: Study, said: ChapterFields, by: str = "") -> Chapter:
    """Add a chapter at the end, or at the end of its group. Raises ValidationFault."""
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        rows = list(study.chapters.order_by("place", "number"))
        _verify_chapters(len(rows))
        made = Chapter.objects.create(
            study=study,
            number=_next_number(study),
            place=len(rows),
            match=said.match,
            line=said.line,
            by=by,
            **said.fields,
        )
        group = [at for at, row in enumerate(rows) if made.group and row.group == made.group]
        rows.insert(group[-1] + 1 if group else len(rows), made)
        _place(rows)
        _touch(study)
    return made


def append(study: Study, said: ChapterFields) -> Chapter:
    """Add a chapter at the very end, whatever its group. Raises ValidationFault."""
    with transaction.atomic():
        number = _next_number(study)
        return Chapter.objects.create(
            study=study,
            number=number,
            place=number - 1,
            match=said.match,
            line=said.line,
            **said.fields,
        )


def _next_number(study: Study) -> int:
    """A number that no chapter of the study has ever had. Raises ValidationFault."""
    mine = Study.objects.filter(pk=study.pk)
    if not mine.filter(numbered__lt=MOST_NUMBER).update(numbered=F("numbered") + 1):
        raise ValidationFault(
            "a study can have {most:,} chapters in its life: go on in a copy", most=MOST_NUMBER
        )
    return mine.values_list("numbered", flat=True).get()


def amend(chapter: Chapter, revision: int, said: ChapterFields, by: str = "") -> Chapter:
    """Change a chapter. Raises Conflict."""
    with transaction.atomic():
        current = _locked(chapter, revision)
        for name, value in said.fields.items():
            setattr(current, name, value)
        current.match, current.line, current.by = said.match, said.line, by
        current.revision += 1
        current.save()
        if current.question is None or _stop(current) != _stop(chapter):
            embargoes.lift(chapter.pk)
        _touch(chapter.study)
    return current


def _stop(chapter: Chapter) -> tuple[int, int, int]:
    return chapter.match_id, chapter.round, chapter.event


def drop(chapter: Chapter, revision: int) -> None:
    """Delete a chapter. `restore_chapter` brings it back. Raises Conflict."""
    with transaction.atomic():
        current = _locked(chapter, revision)
        current.deleted = timezone.now()
        current.save(update_fields=["deleted"])
        gone = deleted_chapters(chapter.study)[MOST_DELETED:]
        Chapter.every.filter(pk__in=[row.pk for row in gone]).delete()
        embargoes.lift(chapter.pk)
        _touch(chapter.study)


def deleted_chapters(study: Study) -> list[Chapter]:
    """The chapters that can come back, the latest deleted first."""
    gone = Chapter.every.filter(study=study).exclude(deleted=None)
    return list(gone.select_related("study").order_by("-deleted"))


@transaction.atomic
def restore_chapter(study: Study, number: int) -> Chapter:
    """Restore a deleted chapter. Raises ValidationFault."""
    Study.objects.select_for_update().get(pk=study.pk)
    chapter = Chapter.every.filter(study=study, number=number).exclude(deleted=None).first()
    if chapter is None:
        raise ValidationFault("there is no such deleted chapter")
    _verify_chapters(study.chapters.count())
    chapter.deleted = None
    chapter.save(update_fields=["deleted"])
    return chapter


def _verify_chapters(count: int) -> None:
    """Raise ValidationFault if a study with so many chapters can have no more."""
    if count >= MOST_CHAPTERS:
        raise ValidationFault("at most {most} chapters in a study", most=MOST_CHAPTERS)


def arrange(study: Study, order: Order, was: Order | None = None) -> None:
    """Set the order and the groups: every chapter's number once, and its group.

    `was`: the order on which it is based. Raises ValidationFault if a chapter has come or gone in
    the meantime, and Conflict if there is another order than `was`.
    """
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        rows = {row.number: row for row in study.chapters.all()}
        if sorted(number for number, _ in order) != sorted(rows):
            raise ValidationFault(
                "chapters: one was added or deleted in the meantime: reload the page"
            )
        now = sorted(rows.values(), key=lambda row: (row.place, row.number))
        stands = [(row.number, row.group) for row in now]
        if was is not None and stands not in (was, order):
            raise Conflict(study)
        regrouped = [rows[number] for number, group in order if rows[number].group != group]
        groups = dict(order)
        for row in regrouped:
            # A writer who is changing the chapter now has another group in mind.
            row.group, row.revision = groups[row.number], row.revision + 1
        Chapter.objects.bulk_update(regrouped, ["group", "revision"])
        _place([rows[number] for number, _ in order])
        _touch(study)


def move(study: Study, number: int, by: int) -> None:
    """Move a chapter up (-1) or down (1). Across a heading it first joins its neighbour's group.

    Nothing happens where it has no neighbour. Raises ValidationFault as `arrange`.
    """
    order = list(study.chapters.order_by("place", "number").values_list("number", "group"))
    at = next((place for place, (each, _) in enumerate(order) if each == number), None)
    if at is None or not 0 <= at + by < len(order):
        return
    (_, own), (_, group) = order[at], order[at + by]
    del order[at]
    order.insert(at + by if own == group else at, (number, group))
    arrange(study, order)


def _place(rows: Sequence[Chapter]) -> None:
    moved = [row for at, row in enumerate(rows) if row.place != at]
    for at, row in enumerate(rows):
        row.place = at
    Chapter.objects.bulk_update(moved, ["place"])


def _touch(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(edited=timezone.now())
    hiding.answer(study)
    changes.changed(changes.of_study(study.pk))
