"""Importing a large study file as a job, so that no page waits for it.

The study is there from the start, unfinished; the job stores the items of its file one by one.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from time import monotonic, thread_time
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from games.models import Match
from games.people.visitor import Author
from replays.jobs import queue, workers
from replays.jobs.kinds import Asked, JobFault, JobKind, Json, Part, StepResult
from replays.models import Job, Study, StudyFile
from replays.studies import unfinished
from replays.studies.bundles.exporting import MaySee
from replays.studies.bundles.importing import CHECK_US, Import, Item, begin, header_in, items_of
from replays.studies.bundles.parsing import Bundle, read
from replays.studies.bundles.shape import BadBundleError

KIND: Final = "study"
AT_ONCE_US: Final = 300_000
"""The most CPU time that a page takes to import a file, about."""
ALONE_US: Final = 2_500_000
"""The same while no worker runs."""
_STEP_S: Final = 0.2
"""CPU time after which a step ends; a single item may take longer."""
_TELL_S: Final = 0.5
_LINES: Final = 100
"""How often it is saved how far a record is checked: after so many lines, if so long has passed."""


def is_short(bundle: Bundle) -> bool:
    """Whether a file is to be imported at once."""
    return _us(bundle) <= (AT_ONCE_US if workers.alive() else ALONE_US)


def _us(bundle: Bundle) -> int:
    """About how much CPU time a file takes."""
    return sum(item.us for item in items_of(bundle))


def ask(body: bytes, bundle: Bundle, author: Author, may_see: MaySee) -> Job:
    """The job that imports a file. Raises BadBundleError, TooManyJobsError."""
    made = begin(bundle, author)
    ids = [header.id for record in bundle.records if (header := header_in(record))]
    asked = {
        "study": made.key,
        "user": author.user and author.user.pk,
        "person": author.person,
        "sees": [row.pk for row in Match.objects.filter(record_id__in=ids) if may_see(row)],
        "us": _us(bundle),
    }
    title = f"Import of the study “{made.title}”"
    try:
        with transaction.atomic():
            StudyFile.objects.create(study=made, body=body)
            return queue.begin(KIND, made.key, title, asked, author)
    except BaseException:
        unfinished.discard(made)
        raise


class Imports(JobKind):
    """A file's import; the units are microseconds of CPU time, about."""

    def __init__(self) -> None:
        self._last: tuple[str, int, Import] | None = None

    def plan(self, asked: Asked) -> Sequence[int]:
        return [asked["us"]]

    def step(self, part: Part) -> StepResult:
        asked, (begun, told) = part.asked, _state(part.state)
        work = self._work(asked, begun)
        since, done = thread_time(), begun
        meter = _Meter(part, begun, told)
        try:
            while done < len(work.items) and (done == begun or thread_time() - since < _STEP_S):
                work.store(work.items[done], meter.line)
                meter.stored(work.items[done])
                done += 1
        except BadBundleError as error:
            self._last = None
            unfinished.discard(_study(asked))
            raise JobFault(f"{error}. Nothing was stored.") from None
        self._last = asked["study"], done, work
        return StepResult(done, meter.unsaved, over=done == len(work.items))

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        made, user = _study(asked), User.objects.filter(pk=asked["user"]).first()
        unfinished.finish(made, Author(asked["person"], made.by, user))
        StudyFile.objects.filter(study=made).delete()
        return {"study": made.key}

    def _work(self, asked: Asked, done: int) -> Import:
        """The import after so many items; the last one is kept, as the next step is mostly its."""
        if self._last is None or self._last[:2] != (asked["study"], done):
            made = _study(asked)
            body = bytes(StudyFile.objects.get(study=made).body)
            work = Import(read(io.BytesIO(body)), made, lambda match: match.pk in asked["sees"])
            work.skip(done)
            self._last = asked["study"], done, work
        return self._last[2]


def _state(state: Json) -> tuple[int, int]:
    """How many items are stored, and how many units of the next one are counted already."""
    if isinstance(state, list):
        return state[0], state[1]
    return state or 0, 0


class _Meter:
    """Counts the units of a step, and saves them while a long record is checked."""

    def __init__(self, part: Part, done: int, told: int) -> None:
        self._part = part
        self._done, self._told = done, told
        self._lines = 0
        self._saved = monotonic()
        self.unsaved = 0

    def line(self) -> None:
        """A line of a record is checked."""
        self._lines += 1
        us = self._lines * CHECK_US
        if us <= self._told or self._lines % _LINES or monotonic() - self._saved < _TELL_S:
            return
        units, self._told = self.unsaved + us - self._told, us
        self._part.save(StepResult([self._done, us], units, over=False))
        self.unsaved, self._saved = 0, monotonic()

    def stored(self, item: Item) -> None:
        self.unsaved += item.us - self._told
        self._done, self._told, self._lines = self._done + 1, 0, 0


def _study(asked: Asked) -> Study:
    study = Study.objects.filter(key=asked["study"]).first()
    if study is None:
        raise JobFault("The study has been deleted.")
    return study
