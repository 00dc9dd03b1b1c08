"""Homework: what a coach gives to a class or to some of it, with a day by which it is due.

Giving a study or a playlist to a class lets it be read there (`replays.notes.access`), so it
takes somebody who may change it, or one that is public anyway.

A day counts until it is over everywhere on Earth: until noon of the next one in UTC. Nobody is late
on the day itself, wherever they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Match
from games.people import changes
from games.people.matches import access_of
from games.people.rights import rights
from games.people.visitor import Visitor
from games.records.plural import counted
from replays.classes.limits import ClassError
from replays.models import (
    Assignment,
    Chapter,
    ClassMember,
    Homework,
    News,
    Playlist,
    SchoolClass,
    Study,
)
from replays.news import tell

MOST_HOMEWORK: Final = 200
"""Of a class, deleted ones apart."""
MOST_WORDS: Final = 1_000
LAST_DAY: Final = timedelta(days=730)
"""How far ahead a day may be; a later one is a slip of the pen."""
_ABOUT: Final = ("study", "chapter", "playlist", "match", "school_class")


class Matches(NamedTuple):
    """So many matches to finish against bots of at least a level."""

    matches: int
    level: int

    def __str__(self) -> str:
        return f"{counted(self.matches, 'match', 'matches')} against bots of level {self.level}"


class Ghost(NamedTuple):
    """A ghost to beat, `name`'s: in a race from a position on."""

    match: Match
    name: str
    round: int
    event: int
    seat: int
    slow: int


Work = Study | Chapter | Playlist | Matches | Ghost


# --- Days ---------------------------------------------------------------------------------------


def ends(day: date) -> datetime:
    """When a day is over everywhere."""
    return datetime.combine(day + timedelta(days=1), time(12), UTC)


def today() -> date:
    """The first day that is not over everywhere."""
    return (timezone.now() - timedelta(hours=12)).date()


def verify_day(day: date) -> None:
    """Raise ClassError unless homework can be due on that day."""
    if day < today():
        raise ClassError("That day is past. Choose today or later.")
    if day > today() + LAST_DAY:
        raise ClassError("That day is more than two years away.")


# --- Giving and taking back ---------------------------------------------------------------------


@transaction.atomic
def give(
    school_class: SchoolClass,
    by: Any,
    task: Work,
    due: date,
    *,
    words: str = "",
    pupils: Sequence[int] = (),
) -> Homework:
    """Give homework to a class, or to these of its pupils. Raises ClassError."""
    verify_day(due)
    words = _verified_words(words)
    what = _what(task, by, school_class)
    locked = _locked_with_room(school_class)
    some = _chosen(locked, pupils)
    made = Homework.objects.create(
        school_class=locked,
        by=by,
        words=words,
        due=due,
        everyone=not pupils,
        **what,
    )
    Assignment.objects.bulk_create(Assignment(homework=made, member=pupil) for pupil in some)
    told = [pupil.user_id for pupil in some]
    tell(told, News.Kind.HOMEWORK, made.key, by.get_username(), but=by.pk)
    _rights_change(made)
    return made


def _locked_with_room(school_class: SchoolClass) -> SchoolClass:
    """The class, for a piece of homework more. Raises ClassError."""
    locked = SchoolClass.objects.select_for_update().get(pk=school_class.pk)
    if locked.homework.filter(deleted=None).count() >= MOST_HOMEWORK:
        raise ClassError(f"A class has at most {MOST_HOMEWORK} pieces of homework; delete some.")
    return locked


def _what(task: Work, by: Any, school_class: SchoolClass) -> dict[str, Any]:
    """What is to be done, as fields. Raises ClassError."""
    if isinstance(task, Ghost):
        _verify_seen(task.match, school_class)
        title = f"Beat the ghost of {task.name}, round {task.round}"
        race = {"match": task.match, "race": list(task[2:])}
        return {"kind": Homework.Kind.GHOST, "given_title": title, **race}
    if isinstance(task, Matches):
        asked = {"count": task.matches, "level": task.level}
        return {"kind": Homework.Kind.MATCHES, "given_title": str(task), **asked}
    if isinstance(task, Playlist):
        _verify_playlist(task, by)
        title = f"Drill: {task.title}"
        return {"kind": Homework.Kind.DRILL, "given_title": title, "playlist": task}
    study, chapter = (task.study, task) if isinstance(task, Chapter) else (task, None)
    verify_open_to_give(study, by)
    title = f"{study.title}: {chapter.title}" if chapter else study.title
    return {"given_title": title, "study": study, "chapter": chapter}


def _verify_seen(match: Match, school_class: SchoolClass) -> None:
    if not rights(Visitor(classes=(school_class.key,)), access_of(match)).see:
        raise ClassError("Pupils can’t see that match: give a public one, or one of the class.")


def _verify_playlist(playlist: Playlist, by: Any) -> None:
    if playlist.deleted:
        raise ClassError("That playlist has been deleted.")
    public = playlist.visibility == Playlist.Visibility.EVERYONE and not playlist.hidden
    if not public and playlist.user_id != by.pk:
        raise ClassError("You can give playlists of your own, and public ones.")


def verify_open_to_give(study: Study, by: Any) -> None:
    """Raise ClassError unless an account may let a class read a study."""
    if study.deleted:
        raise ClassError("That study has been deleted.")
    public = study.visibility == Study.Visibility.EVERYONE and not study.hidden
    writes = study.user_id == by.pk or study.writers.filter(pk=by.pk).exists()
    if not public and not writes:
        raise ClassError("You can give studies that you may edit, and public ones.")


def assign_open(member: ClassMember) -> None:
    """Give a new pupil what everybody has, unless its day is over."""
    _assign([member], Homework.objects.filter(school_class=member.school_class))


def _assign(pupils: Iterable[ClassMember], homework: QuerySet[Homework]) -> None:
    """Give pupils what of this is for everybody and not over, unless they have it."""
    there = homework.filter(everyone=True, deleted=None, due__gte=today())
    rows = [Assignment(homework=given, member=pupil) for given in there for pupil in pupils]
    Assignment.objects.bulk_create(rows, ignore_conflicts=True)


@transaction.atomic
def postpone(homework: Homework, due: date) -> None:
    """Give another day. Raises ClassError."""
    verify_day(due)
    locked = SchoolClass.objects.select_for_update().get(pk=homework.school_class_id)
    Homework.objects.filter(pk=homework.pk).update(due=due)
    _assign_again(homework, locked)


def delete(homework: Homework) -> None:
    """Take homework back, until a coach restores it."""
    Homework.objects.filter(pk=homework.pk).update(deleted=timezone.now())
    _rights_change(homework)


@transaction.atomic
def restore(homework: Homework) -> None:
    """Give it again, with all that was done of it. Raises ClassError."""
    locked = _locked_with_room(homework.school_class)
    Homework.objects.filter(pk=homework.pk).update(deleted=None)
    _assign_again(homework, locked)
    _rights_change(homework)


def _assign_again(homework: Homework, school_class: SchoolClass) -> None:
    """Give it to those, too, who have joined while its day was over or it was deleted."""
    _assign(list(school_class.pupils), Homework.objects.filter(pk=homework.pk))


def _verified_words(words: str) -> str:
    plain = words.replace("\0", "").strip()
    if len(plain) > MOST_WORDS:
        raise ClassError(f"At most {MOST_WORDS:,} characters, not {len(plain):,}.")
    return plain


def _chosen(school_class: SchoolClass, pupils: Sequence[int]) -> list[ClassMember]:
    here = {row.pk: row for row in school_class.pupils}
    twice = next((pk for at, pk in enumerate(pupils) if pk in pupils[:at]), None)
    if twice in here:
        raise ClassError(f"{here[twice].name} is there twice.")
    if set(pupils) - here.keys():
        raise ClassError("One of these pupils is not in the class any more. Choose again.")
    return [here[pk] for pk in pupils] if pupils else list(here.values())


def _rights_change(homework: Homework) -> None:
    if homework.study_id:
        changes.changed(changes.of_study(homework.study_id))


# --- Finding ------------------------------------------------------------------------------------


def homework_of(school_class: SchoolClass) -> QuerySet[Homework]:
    """A class's homework, deleted ones too: what is due last first."""
    rows = school_class.homework.select_related(*_ABOUT)
    return rows.order_by("-due", "-pk")


def deleted_homework(school_class: SchoolClass) -> QuerySet[Homework]:
    """What of it is deleted, the latest first."""
    return homework_of(school_class).exclude(deleted=None).order_by("-deleted", "-pk")


def assignments_of(account: int) -> QuerySet[Assignment]:
    """What an account has to do, in all its classes: what is due first first."""
    mine = Q(member__user=account, member__left=None, member__role=ClassMember.Role.PUPIL)
    rows = Assignment.objects.filter(mine, homework__deleted=None)
    return _whole(rows.filter(homework__school_class__deleted=None))


def assignments_in(homework: Iterable[Homework]) -> QuerySet[Assignment]:
    """The pupils who have to do any of this, former ones too."""
    given = Assignment.objects.filter(homework__in=homework)
    return _whole(given.filter(member__role=ClassMember.Role.PUPIL))


def _whole(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    of_homework = (
        f"homework__{field}" for field in ("study", "chapter", "playlist", "match", "school_class")
    )
    return rows.select_related(*of_homework, "member__user").order_by(
        "homework__due", "homework", "pk"
    )


# --- Opening and reminding ----------------------------------------------------------------------


def opened(assignment: Assignment) -> None:
    """Its pupil has opened it now."""
    Assignment.objects.filter(pk=assignment.pk).update(opened=timezone.now())


def remind(homework: Homework, assignments: Iterable[Assignment], by: Any) -> int:
    """Remind these pupils of it; how many."""
    told = [assignment.member.user_id for assignment in assignments]
    tell(told, News.Kind.REMINDER, homework.key, by.get_username(), but=by.pk, again=True)
    return len(told)
