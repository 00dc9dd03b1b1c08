"""A slice of work: take a part, do steps of it for about a second, save each, give it back."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from functools import partial
from time import monotonic
from typing import Final

from django.db import DatabaseError

from replays.jobs import claims
from replays.jobs.claims import LEASE_S
from replays.jobs.kinds import JobFault, JobKind, Json, Part, StepResult, kind_of
from replays.jobs.repeating import repeated
from replays.jobs.watchdog import WATCHDOG
from replays.models import Job, JobPart

SLICE_S: Final = 1.0
"""After that the next person's turn comes."""
_UNKNOWN: Final = "Something went wrong; it has been logged."
_log: Final = logging.getLogger(__name__)


class SliceOutcome(Enum):
    """What a worker found to do."""

    WORK = "work"
    OTHERS_WORK = "others' work"
    """Nothing to take now, but other workers' parts might become free."""
    NOTHING = "nothing"


def slice_of_work(worker: str, stopping: Callable[[], bool] = lambda: False) -> SliceOutcome:
    """Do a slice of the job whose turn it is, if there is one."""
    part = claims.claim(worker)
    if part is None:
        return SliceOutcome.OTHERS_WORK if claims.busy() else SliceOutcome.NOTHING
    job, begun = part.job, monotonic()

    def enough() -> bool:
        return stopping() or monotonic() - begun >= SLICE_S

    try:
        # Its leases are renewed however long its steps are, unless one hangs.
        with repeated(lambda: claims.renew(worker), LEASE_S / 4, "lease"):
            while part and _work(part, worker, enough, stopping):
                part = claims.claim(worker, job.pk)
    except JobFault as fault:
        claims.fail(job.pk, str(fault))
    except DatabaseError:
        with suppress(DatabaseError):
            claims.release(worker, lost=True)
        raise
    except Exception:  # noqa: BLE001 - shown to the person who asked, and logged
        _log.exception("job %s (%s) failed", job.key, job.kind)
        claims.fail(job.pk, _UNKNOWN)
    claims.release(worker)
    return SliceOutcome.WORK


def _work(
    part: JobPart, worker: str, enough: Callable[[], bool], stopping: Callable[[], bool]
) -> bool:
    """Steps until the part is over; False if it became somebody else's, or the slice is over."""
    kind = kind_of(part.job.kind)
    if part.closes:
        result = _closed(kind, part.job, stopping)
        return result is not None and claims.save(part, worker, StepResult(None, 0), *result)
    while True:
        step = _step(kind, part, worker)
        if not claims.save(part, worker, step) or enough():
            return False
        if step.over:
            return True
        part.state = step.state


def _step(kind: JobKind, part: JobPart, worker: str) -> StepResult:
    save = partial(claims.save, part, worker)
    with WATCHDOG.step():
        return kind.step(Part(part.job.asked, part.number, part.state, save))


def _closed(kind: JobKind, job: Job, stopping: Callable[[], bool]) -> tuple[Json] | None:
    """The job's result; None if the worker is to stop, or the job was cancelled, before it is."""
    states = job.parts.filter(closes=False).order_by("number").values_list("state", flat=True)
    pieces = kind.closing(job.asked, states.iterator(chunk_size=100))
    while True:
        try:
            with WATCHDOG.step():
                next(pieces)
        except StopIteration as done:
            return (done.value,)
        if stopping() or not claims.wanted(job.pk):
            return None
