"""Keeping a review's moments: as a visitor's own notes, and as chapters of them.

Moments at positions that do not exist, or along variations that this person may not see, are left
out. Their number is reported.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from games.models import Match
from games.pages.words import day
from games.people.visitor import Author, Reader
from games.records.log import Note as RecordNote
from replays.models import Chapter, Note, Review, Study, Variation
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.notes.finding import named
from replays.notes.notes import Conflict
from replays.notes.positions import ValidationFault
from replays.reviews.room import ReviewMoment, ReviewPosition, State
from replays.reviews.state_json import from_json
from replays.studies import chapters
from replays.studies import writing as studies
from replays.studies.chapters import ChapterFields
from replays.studies.questions import question_of

TAG: Final = "review"
_SAME: Final = ("match", "round", "event", "line", "text")
"""What a chapter of the same moment has in common."""


MatchOf = Callable[[ReviewPosition], Match | None]
"""The match of a position, if the person may write notes on it."""


class KeptMoments(NamedTuple):
    """The kept notes, and how many moments were left out."""

    notes: list[Note]
    left_out: int


def moments_of(review: Review) -> State:
    return from_json(review.version, review.state)


def keep(review: Review, author: Author, reader: Reader, match_of: MatchOf) -> KeptMoments:
    """Keep the moments as notes that only their new author sees.

    Keeping again adds only moments that are new, and changes nothing that was kept or deleted
    before.
    """
    prefetch_related_objects([review], "members")
    moments = sorted(
        moments_of(review).moments, key=lambda moment: (moment.position.chapter, moment.position)
    )
    tried = [_save_note(review, moment, author, reader, match_of) for moment in moments]
    kept = [note for note in tried if note is not None and note.deleted is None]
    return KeptMoments(kept, tried.count(None))


def _key(review: Review, what: str, author: Author) -> str:
    """The same for the same moment and person, so keeping twice writes once."""
    return sha256(f"{review.key} {what} {author.person}".encode()).hexdigest()[:32]


def _save_note(
    review: Review, moment: ReviewMoment, author: Author, reader: Reader, match_of: MatchOf
) -> Note | None:
    """A moment as a note, written now or before. None if it cannot be."""
    match = match_of(moment.position)
    if match is None:
        return None
    key = _key(review, str(moment.n), author)
    kept = Note.objects.filter(key=key, owner=author.person).select_related("match").first()
    if kept is not None:
        return kept
    by = (member.name for member in review.members.all() if member.number == moment.by)
    said = RecordNote(
        moment.position.round,
        moment.position.event,
        text=_text(moment, next(by, "somebody")),
        marks=tuple(moment.marks),
        tags=(TAG,),
        arrows=tuple(moment.arrows),
    )
    try:
        line = named(Variation, match, reader, moment.position.line or None, "line")
        return notes.write(author, match, said, Sharing(), key=key, line=line)
    except Conflict as conflict:  # kept at the same moment, when less had been drawn
        stored: Note = conflict.args[0]
        return stored
    except ValidationFault:
        return None


def _text(moment: ReviewMoment, by: str) -> str:
    if moment.drawn:
        return _("Drawn in the review by {name}.").format(name=by)
    if moment.text:
        return f"{by}: {moment.text}"
    return _("Suggested by {name}.").format(name=by)


def study_of(review: Review, kept: KeptMoments, author: Author, reader: Reader) -> Study:
    """The kept moments as a study, a chapter each, which only its owner sees at first.

    The same one as long as there are no more moments. Raises ValidationFault.
    """
    key = _key(review, f"study of {len(kept.notes)}", author)
    with transaction.atomic():
        study = studies.create(
            author, key, _title(review), _("What was drawn and suggested in a review.")
        )
        Study.objects.select_for_update().get(pk=study.pk)  # a second request at once waits
        if study.deleted:
            studies.restore(study)
        if not study.chapters.exists():
            for said in _new_chapters(study, kept, reader):
                studies.append(study, said)
    return study


def saved_question(review: Review, author: Author, reader: Reader) -> Chapter:
    """The last question to a class in a review of a match, as one of the author's own study.

    The study is the same for all questions of a review. If it is kept again, so is the question.
    Raises Chapter.DoesNotExist, ValidationFault.
    """
    asked = Chapter.objects.select_related("match").get(study__asked_in=review, number=review.asked)
    key = _key(review, "questions", author)
    with transaction.atomic():
        study = studies.create(
            author, key, _("Questions of {day}").format(day=day(review.created.date()))
        )
        Study.objects.select_for_update().get(pk=study.pk)
        if study.deleted:
            studies.restore(study)
        place = {name: getattr(asked, name) for name in ("match", "round", "event", "view")}
        kept = study.chapters.filter(**place, question__seat=question_of(asked)["seat"]).first()
        if kept is not None:
            return kept
        matches = {asked.match_id: asked.match}
        said = chapters.verify(chapters.fields_of(asked), reader, matches.get)
        return studies.append(study, said)


def add_to(study: Study, review: Review, kept: KeptMoments, author: Author, reader: Reader) -> None:
    """Add the kept moments to a study as chapters, in a group named after the review.

    Those that the study has already are not added again. Raises ValidationFault.
    """
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        for said in _new_chapters(study, kept, reader, group=_title(review)):
            studies.add(study, said, author.name)


def _new_chapters(
    study: Study, kept: KeptMoments, reader: Reader, **more: str
) -> Iterator[ChapterFields]:
    """The kept moments that a study has not yet, as chapters. Raises ValidationFault."""
    matches = {note.match_id: note.match for note in kept.notes}
    there = set(study.chapters.values_list("match", "round", "event", "line__key", "text"))
    for note in kept.notes:
        fields = _chapter(note)
        if tuple(fields[name] for name in _SAME) not in there:
            yield chapters.parse({**fields, **more}, reader, matches.get)


def _chapter(note: Note) -> dict[str, Any]:
    """A moment as a chapter: the position, and its words."""
    said = note.text.replace("\n", " ").strip()
    return {
        "title": said.removesuffix(".")[:100],
        "match": note.match_id,
        "round": note.round,
        "event": note.event,
        "text": note.text,
        "line": note.line.key if note.line else None,
    }


def _title(review: Review) -> str:
    return _("Review of {day}").format(day=day(review.created.date()))
