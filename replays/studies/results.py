"""Readers of chapters, and learners' results at questions, with their times."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Account
from games.people.names import in_order
from games.people.person import account, encode
from replays.models import Attempt, Chapter, Reading, Study
from replays.studies.questions import Answer

MAX_ATTEMPTS: Final = 2_000
"""The newest attempts that are read."""
MOST_OPENED: Final = 20_000
"""The rows about opened chapters that are read for a study."""
LONG_S: Final = 10
"""From this second on, answers count as one: they took long."""
L = TypeVar("L", Attempt, Reading)


def verdict_words(verdict: str, ms: int | None) -> str:
    """A verdict in words. Without `ms` the answer was shown to a class before they had one."""
    return str(Attempt.Verdict(verdict).label) if ms is not None else _("no answer")


class Learner(NamedTuple):
    """A learner's attempts at a question. Times in ms, at the speed of the attempt."""

    name: str
    verdicts: list[str]
    first_ms: int | None
    answer: Answer | None
    """The first answer. None: none yet, or given up."""
    gave_up: bool
    hinted: bool


class Crowd(NamedTuple):
    """Everyone's results at their first attempt at a question. For each second, the answers that
    were right and those that were not."""

    answered: int
    right: int
    seconds: list[tuple[int, int, int]]
    most: int
    """The most answers of one second."""
    own: int | None
    """The second of the reader's first answer. None: it is not counted."""


def crowd(chapter: Chapter, reader: Attempt) -> Crowd:
    """Everyone's results, without names, and the reader's answer among them."""
    rows = _attempts(chapter).exclude(answered=None).order_by("-pk")
    attempts = rows.values_list("person", "verdict", "ms")[:MAX_ATTEMPTS]
    first = {
        person: (verdict, min((ms or 0) // 1_000, LONG_S)) for person, verdict, ms in attempts
    }  # the oldest comes last
    right = [second for verdict, second in first.values() if verdict == Attempt.Verdict.RIGHT]
    other = [second for verdict, second in first.values() if verdict != Attempt.Verdict.RIGHT]
    _verdict, own = first.get(reader.person, ("", None))
    seconds = [(at, right.count(at), other.count(at)) for at in range(LONG_S + 1)]
    most = max(count + missed for _, count, missed in seconds)
    return Crowd(len(first), len(right), seconds, most, own)


def learners(chapter: Chapter, called: Mapping[str, str]) -> list[Learner]:
    """Each learner's attempts, in the order in which they opened it. `called`: names by person."""
    rows = list(_attempts(chapter).order_by("-pk")[:MAX_ATTEMPTS])[::-1]
    by_person: dict[str, list[Attempt]] = {}
    for row in rows:
        by_person.setdefault(row.person, []).append(row)
    return [_learner(own, called) for own in by_person.values()]


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


def learner_rows(
    study: Study, chapters: Sequence[int], called: Mapping[str, str]
) -> list[LearnerRow]:
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
        LearnerRow(called.get(person, names[person]), [*map(cells[person].get, chapters)])
        for person in sorted(came, key=lambda who: came[who])
    ]
    awaited = _awaited(study, came.keys(), called)
    return [*rows, *(LearnerRow(name, [None] * len(chapters)) for name in awaited)]


def _awaited(study: Study, came: Collection[str], called: Mapping[str, str]) -> list[str]:
    """The named readers of a study who have opened nothing of it, by name. No children."""
    if study.visibility != Study.Visibility.PEOPLE:
        return []
    readers = study.readers.exclude(pk__in=study.writers.all()).exclude(account__supervised=True)
    names = {encode(account(pk)): name for pk, name in readers.values_list("pk", "username")}
    awaited = [called.get(who, name) for who, name in names.items() if who not in came]
    return sorted(awaited, key=in_order)


def _tried(study: Study) -> dict[tuple[str, int], list[Attempt]]:
    """The newest attempts at a study's questions, oldest first, by person and chapter."""
    rows = _by_learners(study).filter(chapter__deleted=None).filter(chapter__question__isnull=False)
    attempts: dict[tuple[str, int], list[Attempt]] = {}
    for row in list(rows.select_related("chapter").order_by("-pk")[:MAX_ATTEMPTS])[::-1]:
        attempts.setdefault((row.person, row.chapter.number), []).append(row)
    return attempts


def _learner(own: Sequence[Attempt], called: Mapping[str, str]) -> Learner:
    first = own[0]
    return Learner(
        called.get(first.person, own[-1].name),
        [verdict_words(row.verdict, row.ms) for row in own if row.answered],
        first.ms if first.answered else None,
        first.answer,
        first.ms is not None and first.verdict == Attempt.Verdict.GIVEN_UP,
        any(row.hinted for row in own),
    )
