"""Making and changing studies: each change names the revision on which it is based.

A later writer gets the current version (`Conflict`) and loses nothing. A new study has a key
chosen by the client, so repeating a request creates nothing twice. A deleted chapter or study
ends its learners' embargoes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import Count, Max, Model, Q
from django.utils import timezone

from games.people import changes, embargoes
from games.records.log import MAX_TEXT
from games.records.shape import Fields, listed, one_line, text, whole
from games.records.strict import Malformed
from replays.annotations.access import by_its_writers
from replays.annotations.audience import Sharing
from replays.annotations.markdown import render
from replays.annotations.notes import Author, Conflict
from replays.annotations.positions import Unfit
from replays.models import Chapter, Note, Study, StudyReport, Variation
from replays.models.sharing import new_key
from replays.studies import versions
from replays.studies.attempts import place
from replays.studies.chapters import Said

MOST_STUDIES: Final = 200
"""Per person, and as many drills."""
MOST_REMARKS: Final = 2_000
"""The most notes, and variations, that are copied with a study."""
M = TypeVar("M", bound=Model)


# --- Studies -----------------------------------------------------------------------------------


def create(
    author: Author, key: str, title: object, words: object = "", *, drill: bool = False
) -> Study:
    """Create a study, at first visible only to its owner. Raises Malformed, Unfit."""
    own = Study.objects.filter(owner=author.person, deleted=None, drill=drill)
    if own.count() >= MOST_STUDIES:
        raise Unfit(f"at most {MOST_STUDIES} {'drills' if drill else 'studies'} per person")
    said = {"title": one_line(title, "title", 100, "a title"), **_words(words)}
    defaults = {"by": author.name, "user": author.user, "drill": drill, **said}
    if Study.objects.filter(key=key).exclude(owner=author.person).exists():
        raise Unfit("key: already in use")
    found, _ = Study.objects.get_or_create(key=key, owner=author.person, defaults=defaults)
    return found


def change(
    study: Study,
    revision: int,
    title: object,
    words: object,
    *,
    sharing: Sharing | None = None,
    writers: Sequence[int] | None = None,
    by: str = "",
) -> Study:
    """Change a study's title, introduction and people. Raises Malformed, Conflict."""
    said = {"title": one_line(title, "title", 100, "a title"), **_words(words)}
    with transaction.atomic():
        found = _locked(study, revision)
        if (found.title, found.text) != (said["title"], said["text"]):
            versions.keep(found, by)
            found.worded_by, found.worded = by, timezone.now()
        for name, value in said.items():
            setattr(found, name, value)
        if sharing is not None:
            found.visibility = sharing.visibility
            found.readers.set(sharing.readers)
        if writers is not None:
            found.writers.set(writers)
        found.revision += 1
        found.save()
        changes.changed(changes.of_study(found.pk))
    return found


def remove(study: Study, revision: int) -> None:
    """Delete a study; its chapters and notes stay stored, out of sight. Raises Conflict."""
    with transaction.atomic():
        found = _locked(study, revision)
        found.deleted = timezone.now()
        found.revision += 1
        found.save()
        changes.changed(changes.of_study(found.pk))
        for chapter in found.chapters.all():
            embargoes.lift(place(chapter))


def restore(study: Study) -> None:
    """Restore a deleted study."""
    Study.objects.filter(pk=study.pk).update(deleted=None)


def report(study: Study, author: Author, reason: str) -> None:
    """Report a study to the moderators; repeating it changes nothing."""
    named = {"user": author.user, "reason": reason}
    StudyReport.objects.get_or_create(study=study, reporter=author.person, defaults=named)


def _words(value: object) -> dict[str, str]:
    words = text(value or "", "text", MAX_TEXT)
    return {"text": words, "html": render(words, 1) if words else ""}


def _locked(item: M, revision: int) -> M:
    found: Any = type(item)._default_manager.select_for_update(of=("self",)).get(pk=item.pk)
    if found.revision != revision:
        raise Conflict(found)
    return found


# --- Chapters ----------------------------------------------------------------------------------


def add(study: Study, said: Said, by: str = "") -> Chapter:
    """Add a chapter at the end, or at the end of its group. Raises Unfit."""
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        rows = list(study.chapters.order_by("place", "number"))
        versions.verify_room(len(rows))
        last = Chapter.every.filter(study=study).aggregate(last=Max("number"))["last"] or 0
        made = Chapter.objects.create(
            study=study,
            number=last + 1,
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


def append(study: Study, said: Said) -> Chapter:
    """Add a chapter at the very end, whatever its group."""
    # A deleted chapter keeps its number.
    known = Chapter.every.filter(study=study).aggregate(
        last=Max("number"), count=Count("pk", filter=Q(deleted=None))
    )
    return Chapter.objects.create(
        study=study,
        number=(known["last"] or 0) + 1,
        place=known["count"],
        match=said.match,
        line=said.line,
        **said.fields,
    )


def amend(chapter: Chapter, revision: int, said: Said, by: str = "") -> Chapter:
    """Change a chapter. Raises Conflict."""
    with transaction.atomic():
        found = _locked(chapter, revision)
        versions.keep(found, by)
        for name, value in said.fields.items():
            setattr(found, name, value)
        found.match, found.line, found.by = said.match, said.line, by
        found.revision += 1
        found.save()
        if found.question is None or _stop(found) != _stop(chapter):
            embargoes.lift(place(chapter))
        _touch(chapter.study)
    return found


def _stop(chapter: Chapter) -> tuple[int, int, int]:
    return chapter.match_id, chapter.round, chapter.event


def drop(chapter: Chapter, revision: int) -> None:
    """Delete a chapter; `versions.restore` brings it back. Raises Conflict."""
    with transaction.atomic():
        found = _locked(chapter, revision)
        found.deleted = timezone.now()
        found.save(update_fields=["deleted"])
        versions.forget_oldest(chapter.study)
        embargoes.lift(place(chapter))
        _touch(chapter.study)


def arrange(study: Study, value: object) -> None:
    """Set the order and the groups: a list of `{"number", "group"}` with every chapter once.

    Raises Malformed, or Unfit if a chapter has come or gone in the meantime.
    """
    said = [_arranged(one, count) for count, one in enumerate(listed(value, "chapters"), 1)]
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        rows = {row.number: row for row in study.chapters.all()}
        if sorted(number for number, _ in said) != sorted(rows):
            raise Unfit("chapters: one was added or deleted in the meantime; reload the page")
        for number, group in said:
            rows[number].group = group
        _place([rows[number] for number, _ in said])
        _touch(study)


def _arranged(value: object, count: int) -> tuple[int, str]:
    fields = Fields(value, f"chapters, {count}")
    number = whole(fields.need("number"), "number", 1, 65_535)
    group = fields.get("group")
    fields.done()
    return number, one_line(group, "group", 100) if group else ""


def _place(rows: Sequence[Chapter]) -> None:
    for at, row in enumerate(rows):
        row.place = at
    Chapter.objects.bulk_update(rows, ["place", "group"])


def _touch(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(edited=timezone.now())
    changes.changed(changes.of_study(study.pk))


# --- Copies ------------------------------------------------------------------------------------


def copy(study: Study, author: Author, may_see: Callable[[Chapter], bool]) -> Study:
    """The author's own study with the same chapters, notes and variations, as far as visible."""
    with transaction.atomic():
        made = create(author, new_key(), f"Copy of {study.title}"[:100], study.text)
        chapters = [row for row in study.chapters.order_by("place") if may_see(row)]
        matches = {row.match_id for row in chapters}
        lines = _copied_remarks(study, made, author, matches)
        for row in chapters:
            row.pk, row.study, row.revision = None, made, 1
            row.line = lines.get(row.line_id or 0)
            row.save(force_insert=True)
    return made


def _copied_remarks(
    study: Study, made: Study, author: Author, matches: set[int]
) -> dict[int, Variation]:
    """Copy a study's variations and notes; each old variation's id with its copy."""
    owned = {"study": made, "owner": author.person, "user": author.user}
    lines: dict[int, Variation] = {}
    for line in _remarks(Variation, study, matches).order_by("depth", "pk"):
        old = line.pk
        if line.line_id is None or line.line_id in lines:
            line.line = lines.get(line.line_id or 0)
            lines[old] = _renewed(line, owned)
    notes: dict[int, Note] = {}
    for note in _remarks(Note, study, matches, by_its_writers(study)).order_by("pk"):
        old = note.pk
        along = note.line_id is None or note.line_id in lines
        if along and (note.reply_id is None or note.reply_id in notes):
            note.line, note.reply = lines.get(note.line_id or 0), notes.get(note.reply_id or 0)
            notes[old] = _renewed(note, owned)
    return lines


def _remarks(kind: Any, study: Study, matches: set[int], where: Q | None = None) -> Any:
    rows = kind.objects.filter(
        where or Q(), study=study, match__in=matches, deleted=None, hidden=False
    )
    if rows.count() > MOST_REMARKS:
        raise Malformed(f"a study with more than {MOST_REMARKS} notes cannot be copied")
    return rows


def _renewed(item: Any, owned: Mapping[str, Any]) -> Any:
    item.pk, item.key, item.token, item.revision = None, new_key(), new_key(), 1
    for name, value in owned.items():
        setattr(item, name, value)
    item.save(force_insert=True)
    return item
