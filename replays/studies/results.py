"""Readers of chapters, and learners' results at questions, with their times."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from statistics import median
from typing import Final, NamedTuple, TypeVar

from django.db.models import QuerySet

from games.models import Account
from games.people.names import in_order
from games.people.person import account, encode
from replays.models import Attempt, Chapter, Reading, Study
from replays.studies.questions import Answer

MAX_ATTEMPTS: Final = 2_000
"""The newest attempts that are read."""
MOST_OPENED: Final = 20_000
"""The rows about opened chapters that are read for a study."""
BINS: Final = 20
LONG_S: Final = 10
"""From this second on, answers count as one: they took long."""
ENOUGH: Final = 4
"""The fewest right answers of which half are told."""
L = TypeVar("L", Attempt, Reading)
_TIMED: Final = tuple(name for name in Attempt.Verdict if name != Attempt.Verdict.GIVEN_UP)


class Learner(NamedTuple):
    """A learner's attempts at a question. Times in ms, at the speed of the attempt."""

    name: str
    opened: datetime
    attempts: int
    verdicts: list[str]
    first_ms: int | None
    answer: Answer | None
    """The first answer. None: none yet, or given up."""
    hinted: bool


class Bin(NamedTuple):
    """Answers of a range of times: how many were right, wrong and too late."""

    begins_s: str
    ends_s: str
    counts: list[int]
    original: bool
    """Whether the player's own time is in it."""


class Times(NamedTuple):
    """How long the answers took, in bins of equal width. `most`: answers in one of them."""

    median_s: float
    bins: list[Bin]
    most: int


class Crowd(NamedTuple):
    """Everyone's results at their first attempt at a question. For each second, the answers that
    were right and those that were not."""

    answered: int
    right: int
    median_s: float | None
    """Of the right answers. None: there are too few to halve."""
    seconds: list[tuple[int, int, int]]
    slower: int
    """How many were right later than the reader. 0 if the reader was not right."""
    own: int | None
    """The second of the reader's right answer."""


def crowd(chapter: Chapter, reader: Attempt) -> Crowd:
    """Everyone's results, without names, and the reader's answer among them."""
    rows = _attempts(chapter).exclude(answered=None).order_by("-pk")
    attempts = rows.values_list("person", "verdict", "ms")[:MAX_ATTEMPTS]
    first = {
        person: (verdict, ms or 0) for person, verdict, ms in attempts
    }  # the oldest comes last
    times = [ms for verdict, ms in first.values() if verdict == Attempt.Verdict.RIGHT]
    right = list(map(_second, times))
    other = [_second(ms) for verdict, ms in first.values() if verdict != Attempt.Verdict.RIGHT]
    seconds = [(at, right.count(at), other.count(at)) for at in range(LONG_S + 1)]
    half = median(times) / 1_000 if len(times) >= ENOUGH else None
    own = reader.ms if reader.verdict == Attempt.Verdict.RIGHT else None
    slower = sum(ms > own for ms in times) if own is not None else 0
    at = _second(own) if own is not None else None
    return Crowd(len(first), len(right), half, seconds, slower, at)


def _second(ms: int) -> int:
    """In which second it came. All long times are one."""
    return min(ms // 1_000, LONG_S)


def learners(chapter: Chapter) -> list[Learner]:
    """Each learner's attempts, in the order in which they opened it."""
    rows = list(_attempts(chapter).order_by("-pk")[:MAX_ATTEMPTS])[::-1]
    by_person: dict[str, list[Attempt]] = {}
    for row in rows:
        by_person.setdefault(row.person, []).append(row)
    return [_learner(own) for own in by_person.values()]


def _attempts(chapter: Chapter) -> QuerySet[Attempt]:
    return _by_learners(chapter.study).filter(chapter=chapter)


def _by_learners(study: Study) -> QuerySet[Attempt]:
    """The attempts in a study by anyone but its owner and writers, who know the answers."""
    return _not_by_writers(Attempt.objects.filter(chapter__study=study), study)


def _not_by_writers(rows: QuerySet[L], study: Study) -> QuerySet[L]:
    # Children's accounts are shown to their coaches alone, with their homework.
    children = Account.objects.filter(supervised=True).values("user")
    others = rows.exclude(person=study.owner).exclude(user__in=study.writers.all())
    return others.exclude(user__in=children)


def readings(study: Study) -> QuerySet[Reading]:
    """When learners opened a study's chapters that ask nothing, those who came first first."""
    rows = Reading.objects.filter(chapter__study=study, chapter__deleted=None)
    plain = rows.filter(chapter__question__isnull=True)
    return _not_by_writers(plain, study).order_by("first", "pk")


class Tried(NamedTuple):
    """A learner at a question: the first verdict, empty while it is open, and how it went on."""

    verdict: str
    first_ms: int | None
    attempts: int
    solved: bool
    """Whether any answer was right."""


class Opened(NamedTuple):
    """When a learner first and last opened a chapter that asks nothing."""

    first: datetime
    last: datetime


class LearnerRow(NamedTuple):
    """A learner in a study. `cells` in the order of the chapters, None: never opened."""

    name: str
    cells: list[Tried | Opened | None]

    @property
    def solved(self) -> int:
        return sum(isinstance(cell, Tried) and cell.solved for cell in self.cells)


def learner_rows(study: Study, chapters: Sequence[int]) -> list[LearnerRow]:
    """Each learner's results at these chapters of a study, by number. The first to come is first.

    The named readers who have not come are at the end.
    """
    cells: dict[str, dict[int, Tried | Opened]] = {}
    names: dict[str, str] = {}
    came: dict[str, datetime] = {}
    for (person, number), own in _tried(study).items():
        names[person] = own[-1].name
        came[person] = min(own[0].opened, came.get(person, own[0].opened))
        solved = any(row.verdict == Attempt.Verdict.RIGHT for row in own)
        cells.setdefault(person, {})[number] = Tried(own[0].verdict, own[0].ms, len(own), solved)
    for row in readings(study).select_related("chapter")[:MOST_OPENED]:
        names.setdefault(row.person, row.name)
        came[row.person] = min(row.first, came.get(row.person, row.first))
        cells.setdefault(row.person, {})[row.chapter.number] = Opened(row.first, row.last)
    rows = [
        LearnerRow(names[person], [cells[person].get(number) for number in chapters])
        for person in sorted(came, key=lambda who: came[who])
    ]
    awaited = [LearnerRow(name, [None] * len(chapters)) for name in _awaited(study, came.keys())]
    return [*rows, *awaited]


def _awaited(study: Study, came: Collection[str]) -> list[str]:
    """The named readers of a study who have opened nothing of it, by name."""
    if study.visibility != Study.Visibility.PEOPLE:
        return []
    readers = study.readers.exclude(pk__in=study.writers.all()).values_list("pk", "username")
    awaited = [name for pk, name in readers if encode(account(pk)) not in came]
    return sorted(awaited, key=in_order)


def _tried(study: Study) -> dict[tuple[str, int], list[Attempt]]:
    """The newest attempts at a study's questions, oldest first, by person and chapter."""
    rows = _by_learners(study).filter(chapter__deleted=None).filter(chapter__question__isnull=False)
    attempts: dict[tuple[str, int], list[Attempt]] = {}
    for row in list(rows.select_related("chapter").order_by("-pk")[:MAX_ATTEMPTS])[::-1]:
        attempts.setdefault((row.person, row.chapter.number), []).append(row)
    return attempts


def _learner(own: Sequence[Attempt]) -> Learner:
    first = own[0]
    return Learner(
        own[-1].name,
        first.opened,
        len(own),
        [row.verdict for row in own if row.answered],
        first.ms if first.answered else None,
        first.answer,
        any(row.hinted for row in own),
    )


def distribution(chapter: Chapter, original_ms: int | None) -> Times | None:
    """The times of all answers in bins of equal width, by verdict. None without answers."""
    rows = _attempts(chapter).exclude(answered=None)
    rows = rows.exclude(verdict=Attempt.Verdict.GIVEN_UP).order_by("-pk")
    timed = [(row.verdict, row.ms) for row in rows[:MAX_ATTEMPTS] if row.ms is not None]
    if not timed:
        return None
    times = [ms for _, ms in timed]
    bins = _bins(timed, original_ms, _width(max([*times, original_ms or 0])))
    most = max(sum(each.counts) for each in bins)
    return Times(round(median(times) / 1_000, 2), bins, most)


def _width(longest_ms: int) -> int:
    """A round number of ms, so that at most `BINS` bins cover all."""
    for width in (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000):
        if longest_ms < width * BINS:
            return width
    return longest_ms // BINS + 1


def _counts(times: Iterable[int], width: int) -> dict[int, int]:
    counts: dict[int, int] = {}
    for ms in times:
        counts[ms // width] = counts.get(ms // width, 0) + 1
    return counts


def _bins(timed: Sequence[tuple[str, int]], original_ms: int | None, width: int) -> list[Bin]:
    by_verdict = [
        _counts([ms for verdict, ms in timed if verdict == name], width) for name in _TIMED
    ]
    original = None if original_ms is None else original_ms // width
    last = max([*(at for counts in by_verdict for at in counts), original or 0])
    return [
        Bin(
            f"{at * width / 1_000:g}",
            f"{(at + 1) * width / 1_000:g}",
            [counts.get(at, 0) for counts in by_verdict],
            at == original,
        )
        for at in range(last + 1)
    ]
