"""Who works on which part: leases in the database, taken in turn. All times are the database's.

The next part is of the person who has waited longest since a worker last took something of
theirs, so people share the workers equally, however much each has asked for; of a person's own
jobs the oldest comes first. The site's own jobs count as one person's, and so do strangers'.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from replays.jobs.kinds import Json, StepResult
from replays.jobs.watchdog import WATCHDOG, Watchdog
from replays.models import Job, JobPart

LEASE_S: Final = 5
"""How long a part stays with a worker that shows no sign of life."""
MOST_LOST: Final = 3
"""A part is given up after so many workers have died of it, or lost it to the database."""
_OFFERED: Final = 8
"""How many parts are tried before another worker's success counts as a lost race."""
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


def claim(worker: str, of_job: int | None = None) -> JobPart | None:
    """The next part, now leased to this worker, with its job; None if there is none to take.

    Of that job, or (None) of the one whose turn it is.
    """
    for job in _in_turn() if of_job is None else [of_job]:
        for part in _free_parts().filter(job=job).order_by("number")[:_OFFERED]:
            if part.lost + bool(part.worker) >= MOST_LOST:
                fail(job, f"It was given up: {MOST_LOST} workers died of it, or lost it.")
                break
            if _lease(part, worker):
                return JobPart.objects.select_related("job").get(pk=part.pk)
    return None


def _in_turn() -> list[int]:
    """The jobs with parts to take, in the order in which they are served."""
    part = Exists(_free_parts().filter(job=OuterRef("pk")))
    waiting = Job.objects.filter(part, state__in=Job.ACTIVE).order_by("created", "pk")
    jobs = list(waiting.values_list("pk", "owner"))
    served = last_served({owner for _, owner in jobs})
    return [pk for pk, _ in sorted(jobs, key=lambda job: served[job[1]])]


def last_served(owners: set[str]) -> dict[str, datetime]:
    """When a worker last took something of each owner's."""
    rows = Job.objects.filter(owner__in=owners).values_list("owner").annotate(last=Max("served"))
    return {owner: last or _NEVER for owner, last in rows}


def _free_parts() -> QuerySet[JobPart]:
    """Parts that nobody works on; the closing one once the others are over."""
    free = JobPart.objects.filter(Q(worker="") | Q(leased_until__lt=Now()), over=False)
    others = JobPart.objects.filter(job=OuterRef("job"), over=False, closes=False)
    return free.filter(Q(closes=False) | ~Exists(others))


def _lease(part: JobPart, worker: str) -> bool:
    """Take the part, unless somebody was quicker."""
    free = JobPart.objects.filter(
        Q(worker="") | Q(leased_until__lt=Now()), pk=part.pk, worker=part.worker, over=False
    )
    lost = F("lost") + (1 if part.worker else 0)
    with transaction.atomic():
        # The job first, as everywhere: two transactions never wait for each other.
        Job.objects.filter(pk=part.job_id).update(served=Now())
        mine = free.update(worker=worker, leased_until=_lease_end(), lost=lost)
        if not mine:
            transaction.set_rollback(True)
    return bool(mine)


def _lease_end() -> Any:
    return Now() + timedelta(seconds=LEASE_S)


def renew(worker: str, watchdog: Watchdog = WATCHDOG) -> None:
    """Keep a part during a long step, but not during one that hangs."""
    if not watchdog.hangs:
        JobPart.objects.filter(worker=worker).update(leased_until=_lease_end())


def release(worker: str, *, lost: bool = False) -> None:
    """Give up whatever this worker has, for others to take at once."""
    mine = JobPart.objects.filter(worker=worker)
    mine.update(worker="", leased_until=None, lost=F("lost") + int(lost))


def save(part: JobPart, worker: str, step: StepResult, result: Json = None) -> bool:
    """Save what a step has done; False if the part is no longer this worker's to do."""
    with transaction.atomic():
        if not Job.objects.filter(pk=part.job_id, state__in=Job.ACTIVE).update(
            state=Job.State.RUNNING, served=Now(), done=F("done") + step.units
        ):
            return False
        mine = JobPart.objects.filter(pk=part.pk, worker=worker, over=False).update(
            state=step.state, over=step.over, leased_until=_lease_end(), lost=0
        )
        if not mine:
            transaction.set_rollback(True)
            return False
        if part.closes:
            _end(part.job_id, Job.State.FINISHED, done=F("total"), result=result)
    return True


def fail(job: int, error: str) -> bool:
    """End a job that cannot be finished, with a sentence for whoever asked."""
    with transaction.atomic():
        return _end(job, Job.State.FAILED, error=error[:300])


def cancel(job: int) -> bool:
    """End a job that nobody wants any more; its workers notice at the end of their step."""
    with transaction.atomic():
        return _end(job, Job.State.CANCELLED)


def _end(job: int, state: Job.State, **fields: Any) -> bool:
    """End a job, unless it has ended already. Its parts are needed no longer."""
    ended = Job.objects.filter(pk=job, state__in=Job.ACTIVE).update(
        state=state, ended=Now(), **fields
    )
    if ended:
        JobPart.objects.filter(job=job).delete()
    return bool(ended)


def wanted(job: int) -> bool:
    """Whether a job has neither ended nor been cancelled."""
    return Job.objects.filter(pk=job, state__in=Job.ACTIVE).exists()


def busy() -> bool:
    """Whether workers have parts that others might still take over."""
    return JobPart.objects.filter(over=False).exclude(worker="").exists()
