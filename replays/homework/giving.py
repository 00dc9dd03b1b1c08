"""Homework: a coach's task for a class or some of it, with a due day.

Giving a study or a playlist to a class makes it readable there (`replays.notes.access`), so its
giver must be able to change it, or it must be public anyway.
"""

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.pages.words import grouped
from games.people import changes
from replays.classes.limits import ClassError, verify_day
from replays.classes.members import assign
from replays.classes.membership import COACH, PUPIL
from replays.homework.playing import Play
from replays.homework.sight import hidden_titles
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
from replays.models.studies import SITE
from replays.news import signed, tell
from replays.studies.drills import key_of

MOST_HOMEWORK: Final = 200
"""Pieces for one class, deleted ones apart."""
MOST_WORDS: Final = 1_000
REMIND_EVERY: Final = timedelta(days=1)
_ABOUT: Final = ("study", "chapter", "playlist", "school_class")


Work = Study | Chapter | Playlist | Play


# --- Giving and taking back ---------------------------------------------------------------------


@transaction.atomic
def give(
    school_class: SchoolClass,
    by: Any,
    task: Work,
    due: date,
    *,
    words: str = "",
    pupils: Collection[int] = (),
) -> Homework:
    """Give homework to a class, or to these of its pupils. Raises ClassError."""
    verify_day(due)
    words = words.replace("\0", "").strip()
    if len(words) > MOST_WORDS:
        raise ClassError(
            _("At most {most} characters, not {count}.").format(
                most=grouped(MOST_WORDS), count=grouped(len(words))
            )
        )
    what = _work_fields(task, by, school_class)
    locked = _locked_with_room(school_class)
    some = _chosen(locked, pupils)
    if not isinstance(task, Playlist | Play):
        _verify_visible(task, locked, some if pupils else ())
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
    tell(told, News.Kind.HOMEWORK, made.key, signed(by))
    _rights_change(made)
    return made


def _locked_with_room(school_class: SchoolClass) -> SchoolClass:
    """The class, for a piece of homework more. Raises ClassError."""
    locked = SchoolClass.objects.select_for_update().get(pk=school_class.pk)
    if locked.homework.filter(deleted=None).count() >= MOST_HOMEWORK:
        raise ClassError(
            _("A class has at most {most} pieces of homework. Delete some.").format(
                most=MOST_HOMEWORK
            )
        )
    return locked


def _work_fields(task: Work, by: Any, school_class: SchoolClass) -> dict[str, Any]:
    """The work, as fields. Raises ClassError."""
    if isinstance(task, Play):
        return {"title": "", "kind": task.kind, "count": task.count}
    if isinstance(task, Playlist):
        if task.deleted:
            raise ClassError(_("That playlist has been deleted."))
        public = task.visibility == Playlist.Visibility.EVERYONE and not task.hidden
        if not public and task.user_id != by.pk:
            raise ClassError(_("You can give playlists of your own, and public ones."))
        return {"kind": Homework.Kind.DRILL, "title": task.title, "playlist": task}
    study, chapter = (task.study, task) if isinstance(task, Chapter) else (task, None)
    verify_open_to_give(study, by)
    if study.owner == SITE:
        title = task.title  # each reader has it in words, also when the chapter is gone
    elif chapter:
        title = _("{study}: {chapter}").format(study=study.shown_title, chapter=chapter.shown_title)
    else:
        title = study.shown_title
    return {"title": title, "study": study, "chapter": chapter}


def _verify_visible(
    task: Study | Chapter, school_class: SchoolClass, pupils: Collection[ClassMember]
) -> None:
    study, chapter = (task.study, task) if isinstance(task, Chapter) else (task, None)
    hidden = hidden_titles(study, chapter, school_class.key, pupils)
    if hidden:
        raise ClassError(
            _(
                "Your pupils can’t see the match of “{title}”. Make that match public, or leave "
                "the chapter out."
            ).format(title=hidden[0])
        )


def verify_open_to_give(study: Study, by: Any) -> None:
    """Raise ClassError unless an account may open a study to a class."""
    if study.deleted:
        raise ClassError(_("That study has been deleted."))
    public = study.visibility == Study.Visibility.EVERYONE and not study.hidden
    writes = study.user_id == by.pk or study.writers.filter(pk=by.pk).exists()
    if not public and not writes:
        raise ClassError(_("You can give studies that you may edit, and public ones."))


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
    assign(list(school_class.pupils), Homework.objects.filter(pk=homework.pk))


def _chosen(school_class: SchoolClass, pupils: Collection[int]) -> list[ClassMember]:
    here = {row.pk: row for row in school_class.pupils}
    if set(pupils) - here.keys():
        raise ClassError(_("One of these pupils is not in the class any more. Choose again."))
    return [row for pk, row in here.items() if not pupils or pk in pupils]


def _rights_change(homework: Homework) -> None:
    if homework.study_id:
        changes.changed(changes.of_study(homework.study_id))


# --- Finding ------------------------------------------------------------------------------------


def homework_of(school_class: SchoolClass) -> QuerySet[Homework]:
    """A class's homework, deleted ones too: what is due last first."""
    rows = school_class.homework.select_related(*_ABOUT)
    return rows.order_by("-due", "-pk")


def living_homework(school_class: SchoolClass) -> QuerySet[Homework]:
    return homework_of(school_class).filter(deleted=None)


def deleted_homework(school_class: SchoolClass) -> QuerySet[Homework]:
    """Its deleted pieces, the latest first."""
    return homework_of(school_class).exclude(deleted=None).order_by("-deleted", "-pk")


def coached(account: int | None) -> QuerySet[Homework]:
    """The homework of the classes that an account coaches, as far as pupils have it to do."""
    here = "school_class__members"
    coaching = {f"{here}__user": account, f"{here}__role": COACH, f"{here}__left": None}
    living = Homework.objects.filter(**coaching, deleted=None, school_class__deleted=None)
    doing = living.filter(assignments__member__role=PUPIL, assignments__member__left=None)
    return doing.select_related(*_ABOUT).distinct()


def assignments_of(account: int) -> QuerySet[Assignment]:
    """An account's homework, in all its classes. The earliest due comes first."""
    mine = Q(member__user=account, member__left=None, member__role=PUPIL)
    rows = Assignment.objects.filter(mine, homework__deleted=None)
    return _whole(rows.filter(homework__school_class__deleted=None))


def homework_ending_with(account: int | None, chapter: Chapter, *, last: bool) -> Homework | None:
    """An account's homework that ends with a chapter, which may be the `last` of its study."""
    if account is None:
        return None
    study, which = chapter.study, Q(homework__chapter=chapter)
    if last:
        which |= Q(homework__study=study, homework__chapter=None)
    if last and study.drill:
        which |= Q(homework__playlist__isnull=False)
    for row in assignments_of(account).filter(which).order_by("-homework__due"):
        given: Homework = row.homework
        if given.playlist is None or key_of(study.owner, given.playlist.key) == study.key:
            return given
    return None


def assignments_in(homework: Iterable[Homework]) -> QuerySet[Assignment]:
    """The pupils who have to do any of this, former ones too."""
    given = Assignment.objects.filter(homework__in=homework)
    return _whole(given.filter(member__role=PUPIL))


def _whole(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    about = (f"homework__{field}" for field in _ABOUT)
    ordered = rows.order_by("homework__due", "homework", "pk")
    return ordered.select_related(*about, "member__user")


# --- Reminding ----------------------------------------------------------------------------------


def reminded(homework: Homework) -> datetime | None:
    """When pupils were last reminded of it. None: never, or it is forgotten. One query."""
    told = News.objects.filter(kind=News.Kind.REMINDER, key=homework.key)
    latest: datetime | None = told.aggregate(latest=Max("at"))["latest"]
    return latest


def remind(homework: Homework, assignments: Collection[Assignment], by: Any) -> None:
    """Remind these pupils of it. Raises ClassError if there are none, or if it is too soon."""
    last = reminded(homework)
    if not assignments:
        raise ClassError(_("Everyone has done it."))
    if last is not None and last > timezone.now() - REMIND_EVERY:
        raise ClassError(_("They were reminded less than a day ago."))
    told = [assignment.member.user_id for assignment in assignments]
    tell(told, News.Kind.REMINDER, homework.key, signed(by), again=True)
