"""Pupils' progress with their homework: read from their work, and stored nowhere.

A piece of homework is made of steps: the chapters of a study, or the questions of a pupil's own
drill. A chapter that asks nothing is done when it has been opened, a question when it has been
answered or given up. The first answer counts. A former pupil's work counts up to the day they left.
For a kind that is no longer given, only the day on which it was done is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from statistics import median
from typing import Any, Final, NamedTuple, assert_never

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.people.names import in_order
from games.people.person import account, encode
from games.people.visitor import Author
from replays.classes.limits import ends
from replays.classes.membership import coaches_in
from replays.homework.giving import assignments_in, assignments_of
from replays.homework.playing import Played, has_played, played
from replays.homework.sight import OutOfSight
from replays.models import Assignment, Attempt, Chapter, ClassMember, Homework, News, Reading
from replays.models.studies import chapter_title
from replays.news import tell
from replays.studies.attempts import with_withheld
from replays.studies.drills import key_of

NOT_BEGUN: Final = "not begun"
BEGUN: Final = "begun"
DONE: Final = "done"
ORDER: Final = (NOT_BEGUN, BEGUN, DONE)
_LATELY: Final = timedelta(days=1)
"""Work done before is no news."""
_OVERDUE: Final = timedelta(days=7)
"""So long after its day no one looks any more whether homework has been played."""


class Task(NamedTuple):
    """A chapter of homework. `chapter` 0: none."""

    chapter: int
    number: int
    title: str
    asks: bool


class Step(NamedTuple):
    """One pupil's result of a task. Times in ms."""

    task: Task
    begun: datetime | None = None
    done: datetime | None = None
    verdict: str = ""
    """Of the first answer to a question. Empty while a class is asked it."""
    attempts: int = 0
    hinted: bool = False
    from_start_ms: int | None = None
    """From “Start the question” to the first answer."""
    from_stop_ms: int | None = None
    """From where play stopped."""
    match: int = 0
    """The one that was played, or raced in. 0: none."""
    race: str = ""
    """The key of the what-if as which the race is kept."""


class Progress(NamedTuple):
    """One pupil's homework."""

    assignment: Assignment
    steps: Sequence[Step]

    @property
    def homework(self) -> Homework:
        return self.assignment.homework

    @property
    def member(self) -> ClassMember:
        return self.assignment.member

    @property
    def done(self) -> int:
        return sum(step.done is not None for step in self.steps)

    @property
    def finished(self) -> datetime | None:
        """When the last step was done. None: not yet."""
        times = [step.done for step in self.steps if step.done]
        return max(times) if times and len(times) == len(self.steps) else None

    @property
    def state(self) -> str:
        if self.finished:
            return DONE
        return BEGUN if any(step.begun for step in self.steps) else NOT_BEGUN

    @property
    def late(self) -> bool:
        """Whether it was done too late, or is late now."""
        return (self.finished or timezone.now()) > ends(self.homework.due)

    @property
    def gone(self) -> bool:
        """Whether there is nothing to do any more: what it was about is deleted."""
        return is_gone(self.homework) or not self.steps

    @property
    def questions(self) -> list[Step]:
        """The questions that have been answered."""
        return [step for step in self.steps if step.task.asks and step.done]

    @property
    def right(self) -> int:
        """The questions that were right at first."""
        return sum(step.verdict == Attempt.Verdict.RIGHT for step in self.questions)

    @property
    def from_start_s(self) -> float | None:
        """The median time of the first answers from Start, in seconds."""
        return _median_s(step.from_start_ms for step in self.questions)

    @property
    def from_stop_s(self) -> float | None:
        """The same from the stop."""
        return _median_s(step.from_stop_ms for step in self.questions)

    @property
    def last(self) -> datetime | None:
        """When they last did something of it."""
        did = [at for step in self.steps for at in (step.begun, step.done) if at]
        return max(did, default=None)

    @property
    def next(self) -> Step | None:
        return next((step for step in self.steps if step.done is None), None)


def is_gone(homework: Homework) -> bool:
    """Whether its material is deleted. Results may still be known."""
    match Homework.Kind(homework.kind):
        case Homework.Kind.DRILL:
            return homework.playlist is None or homework.playlist.deleted is not None
        case Homework.Kind.STUDY:
            study, chapter = homework.study, homework.chapter
            chapter_gone = chapter is not None and chapter.deleted is not None
            return study is None or study.deleted is not None or chapter_gone
        case Homework.Kind.MATCHES | Homework.Kind.RACES:
            return False
        case Homework.Kind.CLOSED:
            return True
        case _ as kind:
            assert_never(kind)


def _median_s(times: Iterable[int | None]) -> float | None:
    known = [ms for ms in times if ms is not None]
    return round(median(known) / 1_000, 1) if known else None


def not_come_first(rows: Iterable[Progress]) -> list[Progress]:
    """Pupils who have not come, then those who have begun, then the done. Former pupils last."""

    def place(row: Progress) -> tuple[bool, int, list[str | int]]:
        return row.member.left is not None, ORDER.index(row.state), in_order(row.member.name)

    return sorted(rows, key=place)


def by_homework(rows: Iterable[Progress]) -> list[Progress]:
    """The earliest due first, each by the pupils' names."""

    def place(row: Progress) -> tuple[date, int, list[str | int]]:
        return row.homework.due, row.homework.pk, in_order(row.member.name)

    return sorted(rows, key=place)


def progress_of(assignments: Iterable[Assignment]) -> list[Progress]:
    """How far these are, in their order. A few queries, however many they are."""
    rows = list(assignments)
    if not rows:
        return []
    of_kind = {
        kind: [row for row in rows if row.homework.kind == kind] for kind in Homework.Kind.values
    }
    studies, drills = of_kind["study"], of_kind["drill"]
    plays = of_kind["matches"] + of_kind["races"]
    times = played(plays)
    given, keys = {row.homework.study_id for row in studies}, _keys(drills)
    steps = {
        **_in_chapters(
            _tasks([row.homework for row in studies]), studies, Q(chapter__study__in=given)
        ),
        **_in_chapters(_drills(drills, keys), drills, Q(chapter__study__key__in=keys)),
        **{row.pk: list(_plays(row, times[row.pk])) for row in plays},
        **{row.pk: [_closed_step(row)] for row in of_kind["closed"]},
    }
    return [Progress(row, steps[row.pk]) for row in rows]


class Tally(NamedTuple):
    """How many of the pupils in the class have done homework, and how many have it to do."""

    done: int = 0
    given: int = 0

    @property
    def left(self) -> int:
        return self.given - self.done


def tally(rows: Iterable[Progress]) -> Tally:
    """The one count that every page shows. Former pupils' results are kept, but not counted."""
    finished = [row.finished is not None for row in rows if row.member.left is None]
    return Tally(sum(finished), len(finished))


def tallies_of(homework: Collection[Homework]) -> dict[int, Tally]:
    """The count of each."""
    by_homework: dict[int, list[Progress]] = {given.pk: [] for given in homework}
    for row in progress_of(assignments_in(homework).filter(member__left=None)):
        by_homework[row.homework.pk].append(row)
    return {pk: tally(rows) for pk, rows in by_homework.items()}


def _in_chapters(
    tasks: Mapping[tuple[int, str], Sequence[Task]], rows: Sequence[Assignment], there: Q
) -> dict[int, list[Step]]:
    """The results of chapters, which are all `there`. Four queries at most, if there are any.

    Not by naming the chapters: drills have too many for one query.
    """
    by_them = there & Q(person__in={_person(row) for row in rows})
    done = {**_read_chapters(by_them), **_answered(by_them)} if rows else {}
    out = OutOfSight.of(rows)
    return {row.pk: list(_steps(row, _of(tasks, row), done, out)) for row in rows}


def _steps(row: Assignment, tasks: Iterable[Task], done: _Done, out: OutOfSight) -> Iterator[Step]:
    """A pupil's steps, without those that they can no longer do."""
    for task in tasks:
        step = _step(task, row.member, done)
        hidden = out.hides(task.chapter, row.homework.school_class.key, row.member.user_id)
        if step.done or not hidden:
            yield step


def _of(tasks: Mapping[tuple[int, str], Sequence[Task]], row: Assignment) -> Sequence[Task]:
    """A pupil's tasks: their own, else the common ones."""
    own = tasks.get((row.homework_id, _person(row)))
    return own if own is not None else tasks.get((row.homework_id, ""), ())


def _person(row: Assignment) -> str:
    return encode(account(row.member.user_id))


def _closed_step(row: Assignment) -> Step:
    """Work of a kind that is no longer given. It was done when its coaches got the news."""
    return Step(Task(0, 1, row.homework.shown_title, asks=False), row.notified_at, row.notified_at)


def _plays(row: Assignment, plays: Sequence[Played]) -> Iterator[Step]:
    """A step for each match or race, those that are done first."""
    for at in range(row.homework.count):
        title = _("Match") if row.homework.kind == Homework.Kind.MATCHES else _("Ghost race")
        step = Step(Task(0, at + 1, title, asks=False))
        if at < len(plays):
            began, done, match, race = plays[at]
            step = step._replace(begun=began, done=done, match=match, race=race)
        yield step


def _keys(rows: Sequence[Assignment]) -> dict[str, tuple[int, str]]:
    """By the key of each pupil's own drill, the homework and the person."""
    return {
        key_of(_person(row), row.homework.playlist.key): (row.homework_id, _person(row))
        for row in rows
        if row.homework.playlist
    }


def _drills(
    rows: Sequence[Assignment], keys: Mapping[str, tuple[int, str]]
) -> dict[tuple[int, str], list[Task]]:
    """The questions of each pupil's own drill. One task replaces a drill not yet made."""
    tasks: dict[tuple[int, str], list[Task]] = {
        (row.homework_id, ""): [Task(0, 1, row.homework.shown_title, asks=False)] for row in rows
    }
    asked = Chapter.objects.filter(study__key__in=keys, question__isnull=False)
    named = "title", "place", "study__owner"
    said = asked.order_by("place", "number").values_list("study__key", "pk", "number", *named)
    for key, pk, number, *title in said if keys else ():
        tasks.setdefault(keys[key], []).append(Task(pk, number, chapter_title(*title), asks=True))
    return tasks


_Done = dict[tuple[int, str], list[Step]]
"""By chapter and person: what they did there, the first of it first, without its task."""
_NOTHING: Final = Task(0, 0, "", asks=False)


def _step(task: Task, member: ClassMember, done: _Done) -> Step:
    own = done.get((task.chapter, encode(account(member.user_id))), [])
    if member.left:
        own = [step for step in own if step.begun and step.begun <= member.left]
    if not own:
        return Step(task)
    first = next((step for step in own if step.done), own[0])
    tried = sum(step.done is not None for step in own)
    return first._replace(task=task, begun=own[0].begun, attempts=tried if task.asks else 0)


def _tasks(homework: Iterable[Homework]) -> dict[tuple[int, str], list[Task]]:
    """Each homework's common tasks, in order. One query, if there is any."""
    every = {given.pk: given for given in homework}
    if not every:
        return {}
    studies = {given.study_id for given in every.values() if given.study_id}
    alone = {given.chapter_id for given in every.values() if given.chapter_id}
    living = Q(study__in=studies, deleted=None) | Q(pk__in=alone)
    rows = Chapter.every.filter(living).annotate(asks=Q(question__isnull=False))
    tasks: dict[int, list[tuple[int, Task]]] = {}
    named = "title", "place", "study__owner"
    said = rows.order_by("place", "number").values_list("study", "pk", "number", "asks", *named)
    for study, pk, number, asks, *title in said:
        tasks.setdefault(study, []).append((pk, Task(pk, number, chapter_title(*title), asks)))
    return {
        (pk, ""): [
            task
            for chapter, task in tasks.get(given.study_id or 0, [])
            if given.chapter_id in (None, chapter)
        ]
        for pk, given in every.items()
    }


def _read_chapters(by_them: Q) -> _Done:
    rows = Reading.objects.filter(by_them, chapter__question__isnull=True)
    return {
        (chapter, person): [Step(_NOTHING, begun=first, done=first)]
        for chapter, person, first in rows.values_list("chapter", "person", "first")
    }


def _answered(by_them: Q) -> _Done:
    rows = with_withheld(Attempt.objects.filter(by_them))
    done: _Done = {}
    for row in rows.filter(chapter__question__isnull=False).order_by("pk"):
        done.setdefault((row.chapter_id, row.person), []).append(_tried(row))
    return done


def _tried(row: Any) -> Step:
    """An attempt `with_withheld`. Its verdict is hidden before it is revealed to all."""
    passed = None
    if row.answered:
        passed = int((row.answered - row.opened).total_seconds() * 1_000)
    return Step(
        _NOTHING,
        begun=row.opened,
        done=row.answered,
        verdict="" if row.held else row.verdict,
        hinted=row.hinted,
        from_start_ms=passed,
        from_stop_ms=row.ms,
    )


def look_round() -> None:
    """Tell coaches of homework that has been played: no page is asked when a match ends. Only of
    pupils who have played lately: others have done nothing that is news."""
    now = timezone.now()
    open_ = Assignment.objects.filter(notified_at=None, homework__deleted=None, member__left=None)
    playing = open_.filter(homework__count__gt=0, homework__due__gt=now - _OVERDUE)
    lately = playing.filter(has_played("member__user", now - 2 * _LATELY))
    for user in list(lately.values_list("member__user", flat=True).distinct()):
        report_done(user)


def report_done(user: int | None) -> None:
    """Tell coaches of homework that an account has just done. One query if it has none to do."""
    if user is None:
        return
    now = timezone.now()
    for row in progress_of(assignments_of(user).filter(notified_at=None)):
        if row.finished is None:
            continue
        with transaction.atomic():  # both or neither: the news comes once
            unheard = Assignment.objects.filter(pk=row.assignment.pk, notified_at=None)
            notified = unheard.update(notified_at=now)
            if notified and row.finished >= now - _LATELY:
                coaches = coaches_in(row.homework.school_class.key)
                tell(coaches, News.Kind.DONE, row.homework.key, Author(), again=True)
