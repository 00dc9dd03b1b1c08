"""How far pupils are with their homework: read from what they have done, and stored nowhere.

A piece of homework is made of steps: the chapters of a study, the questions of a pupil's own drill,
matches, or a ghost. A chapter that asks nothing is done when it has been opened, a question when it
has been answered, or given up, a match when it is finished, a ghost when it is beaten. What counts
is the first answer; of a former pupil, what they did until they left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from statistics import median
from typing import Any, Final, NamedTuple, cast

from django.db.models import Q
from django.utils import timezone

from games.people.names import in_order
from games.people.person import account, encode
from replays.classes.homework import assignments_in, ends
from replays.classes.played import Played, played
from replays.models import (
    Assignment,
    Attempt,
    Chapter,
    ClassMember,
    GhostRaceEnd,
    Homework,
    Reading,
)
from replays.studies.attempts import with_held
from replays.studies.drills import key_of

NOT_OPENED: Final = "not opened"
BEGUN: Final = "begun"
DONE: Final = "done"
ORDER: Final = (NOT_OPENED, BEGUN, DONE)


class Task(NamedTuple):
    """A chapter of homework, or a match; `chapter` 0: none."""

    chapter: int
    number: int
    title: str
    asks: bool


class Step(NamedTuple):
    """A task as one pupil has done it; times in ms."""

    task: Task
    begun: datetime | None = None
    done: datetime | None = None
    verdict: str = ""
    """Of the first answer to a question; empty while a class is asked it."""
    attempts: int = 0
    hinted: bool = False
    from_start_ms: int | None = None
    """From “Start the question” to the first answer."""
    from_stop_ms: int | None = None
    """From where play stopped."""


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
        """When the last step was done; None: not yet."""
        times = [step.done for step in self.steps if step.done]
        return max(times) if times and len(times) == len(self.steps) else None

    @property
    def state(self) -> str:
        if self.finished:
            return DONE
        come = self.assignment.opened or any(step.begun for step in self.steps)
        return BEGUN if come else NOT_OPENED

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
        did = [at for one in self.steps for at in (one.begun, one.done) if at]
        return max(did, default=self.assignment.opened)

    @property
    def next(self) -> Step | None:
        """What to do now."""
        return next((step for step in self.steps if step.done is None), None)


def is_gone(homework: Homework) -> bool:
    """Whether what it is about is deleted; what was done of it may still be known."""
    if homework.kind == Homework.Kind.MATCHES:
        return False
    if homework.kind == Homework.Kind.GHOST:
        return homework.match is None
    if homework.kind == Homework.Kind.DRILL:
        return homework.playlist is None or homework.playlist.deleted is not None
    study, chapter = homework.study, homework.chapter
    chapter_gone = chapter is not None and chapter.deleted is not None
    return study is None or study.deleted is not None or chapter_gone


def _median_s(times: Iterable[int | None]) -> float | None:
    known = [ms for ms in times if ms is not None]
    return round(median(known) / 1_000, 1) if known else None


def not_come_first(rows: Iterable[Progress]) -> list[Progress]:
    """Who has not come, then who has begun, then who is done; former pupils at the end."""

    def place(row: Progress) -> tuple[bool, int, list[str | int]]:
        return row.member.left is not None, ORDER.index(row.state), in_order(row.member.name)

    return sorted(rows, key=place)


def by_homework(rows: Iterable[Progress]) -> list[Progress]:
    """What is due first first, each by the pupils' names."""

    def place(row: Progress) -> tuple[date, int, list[str | int]]:
        return row.homework.due, row.homework.pk, in_order(row.member.name)

    return sorted(rows, key=place)


def progress_of(assignments: Iterable[Assignment]) -> list[Progress]:
    """How far these are, in their order. A few queries, however many they are."""
    rows = list(assignments)
    if not rows:
        return []
    of_kind = {
        kind: [one for one in rows if one.homework.kind == kind] for kind in Homework.Kind.values
    }
    studies, drills = of_kind["study"], of_kind["drill"]
    given, keys = {one.homework.study_id for one in studies}, _keys(drills)
    steps = {
        **_in_chapters(
            _tasks([one.homework for one in studies]), studies, Q(chapter__study__in=given)
        ),
        **_in_chapters(_drills(drills, keys), drills, Q(chapter__study__key__in=keys)),
        **_in_matches(of_kind["matches"]),
        **_in_races(of_kind["ghost"]),
    }
    return [Progress(one, steps[one.pk]) for one in rows]


def counts_of(homework: Collection[Homework]) -> dict[int, tuple[int, int]]:
    """Of each: how many pupils who are still in the class have done it, and have it to do."""
    done: dict[int, list[bool]] = {one.pk: [] for one in homework}
    for row in progress_of(assignments_in(homework).filter(member__left=None)):
        done[row.homework.pk].append(row.finished is not None)
    return {pk: (sum(found), len(found)) for pk, found in done.items()}


def _in_chapters(
    tasks: Mapping[tuple[int, str], Sequence[Task]], rows: Sequence[Assignment], there: Q
) -> dict[int, list[Step]]:
    """What was done of chapters, which are all `there`. Two queries, if there are any.

    Not by naming the chapters: drills have too many for one query.
    """
    by_them = there & Q(person__in={_person(one) for one in rows})
    done = {**_read(by_them), **_answered(by_them)} if rows else {}
    return {one.pk: [_step(task, one.member, done) for task in _of(tasks, one)] for one in rows}


def _of(tasks: Mapping[tuple[int, str], Sequence[Task]], row: Assignment) -> Sequence[Task]:
    """A pupil's tasks: their own, else everybody's."""
    own = tasks.get((row.homework_id, _person(row)))
    return own if own is not None else tasks.get((row.homework_id, ""), ())


def _person(row: Assignment) -> str:
    return encode(account(row.member.user_id))


def _in_matches(rows: Sequence[Assignment]) -> dict[int, list[Step]]:
    """A step for each match that is to be finished; done in the order in which they ended."""
    if not rows:
        return {}
    since = min(one.homework.given for one in rows)
    finished = played({one.member.user_id for one in rows}, since)
    return {one.pk: _matches(one, finished.get(one.member.user_id, ())) for one in rows}


def _matches(row: Assignment, ended: Iterable[Played]) -> list[Step]:
    asked, left_at = row.homework, row.member.left
    strong = [one for one in ended if one.level >= asked.level and one.begun >= asked.given]
    counting = [one for one in strong if left_at is None or one.ended <= left_at]
    done = [Step(_match_task(at), one.begun, one.ended) for at, one in enumerate(counting, 1)]
    left = range(len(done) + 1, asked.count + 1)
    return [*done[: asked.count], *(Step(_match_task(at)) for at in left)]


def _match_task(number: int) -> Task:
    return Task(0, number, f"Match {number}", asks=False)


def _in_races(rows: Sequence[Assignment]) -> dict[int, list[Step]]:
    """A step for the race, done when it is won. One query, if there are any."""
    found: dict[int, list[GhostRaceEnd]] = {}
    matches = {one.homework.match_id for one in rows}
    raced = GhostRaceEnd.objects.filter(match__in=matches).order_by("pk")
    for race in raced.filter(user__in={one.member.user_id for one in rows}) if rows else ():
        found.setdefault(race.user_id, []).append(race)
    return {one.pk: [_race(one, found.get(one.member.user_id, ()))] for one in rows}


def _race(row: Assignment, raced: Iterable[GhostRaceEnd]) -> Step:
    asked, left_at = row.homework, row.member.left
    *place, slow = cast("list[int]", asked.race)
    there = [one for one in raced if one.match_id == asked.match_id and one.race[:-1] == place]
    fast = [one for one in there if one.race[-1] <= slow]
    counting = [one for one in fast if asked.given <= one.at <= (left_at or one.at)]
    won = next((one.at for one in counting if one.beaten), None)
    begun = counting[0].at if counting else None
    return Step(Task(0, 1, asked.title, asks=False), begun, won)


def _keys(rows: Sequence[Assignment]) -> dict[str, tuple[int, str]]:
    """By the key of each pupil's own drill, the homework and the person."""
    return {
        key_of(_person(one), one.homework.playlist.key): (one.homework_id, _person(one))
        for one in rows
        if one.homework.playlist
    }


def _drills(
    rows: Sequence[Assignment], keys: Mapping[str, tuple[int, str]]
) -> dict[tuple[int, str], list[Task]]:
    """The questions of each pupil's own drill; one task stands for a drill not yet made."""
    found: dict[tuple[int, str], list[Task]] = {
        (one.homework_id, ""): [Task(0, 1, one.homework.title, asks=False)] for one in rows
    }
    asked = Chapter.objects.filter(study__key__in=keys, question__isnull=False)
    said = asked.order_by("place", "number").values_list("study__key", "pk", "number", "title")
    for key, pk, number, title in said if keys else ():
        found.setdefault(keys[key], []).append(Task(pk, number, title, asks=True))
    return found


_Done = dict[tuple[int, str], list[Step]]
"""By chapter and person: what they did there, the first of it first, without its task."""
_NOTHING: Final = Task(0, 0, "", asks=False)


def _step(task: Task, member: ClassMember, done: _Done) -> Step:
    own = done.get((task.chapter, encode(account(member.user_id))), [])
    if member.left:
        own = [one for one in own if one.begun and one.begun <= member.left]
    if not own:
        return Step(task)
    first = next((one for one in own if one.done), own[0])
    tried = sum(one.done is not None for one in own)
    return first._replace(task=task, begun=own[0].begun, attempts=tried if task.asks else 0)


def _tasks(homework: Iterable[Homework]) -> dict[tuple[int, str], list[Task]]:
    """Each homework's tasks, for everybody, in their order. One query, if there is any."""
    every = {one.pk: one for one in homework}
    if not every:
        return {}
    studies = {one.study_id for one in every.values() if one.study_id}
    alone = {one.chapter_id for one in every.values() if one.chapter_id}
    living = Q(study__in=studies, deleted=None) | Q(pk__in=alone)
    rows = Chapter.every.filter(living).annotate(asks=Q(question__isnull=False))
    found: dict[int, list[tuple[int, Task]]] = {}
    said = rows.order_by("place", "number").values_list("study", "pk", "number", "title", "asks")
    for study, pk, number, title, asks in said:
        found.setdefault(study, []).append((pk, Task(pk, number, title, asks)))
    return {
        (pk, ""): [
            task
            for chapter, task in found.get(one.study_id or 0, [])
            if one.chapter_id in (None, chapter)
        ]
        for pk, one in every.items()
    }


def _read(by_them: Q) -> _Done:
    rows = Reading.objects.filter(by_them, chapter__question__isnull=True)
    return {
        (chapter, person): [Step(_NOTHING, begun=first, done=first)]
        for chapter, person, first in rows.values_list("chapter", "person", "first")
    }


def _answered(by_them: Q) -> _Done:
    rows = with_held(Attempt.objects.filter(by_them))
    found: _Done = {}
    for row in rows.filter(chapter__question__isnull=False).order_by("pk"):
        found.setdefault((row.chapter_id, row.person), []).append(_tried(row))
    return found


def _tried(row: Any) -> Step:
    """An attempt `with_held`; nobody is told a verdict before it is revealed to all."""
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
