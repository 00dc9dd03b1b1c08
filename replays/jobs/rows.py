"""The rows of jobs: who has which part, how far it is, and which parts to send again.

All times but the night's are the database's. A part is claimed by its own columns only, and a
job's row is changed before its parts' rows: two workers never claim one part or wait for each
other.
"""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from time import monotonic
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Min, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from games.engine.message import Message
from replays.jobs.kinds import Json
from replays.models import Job, JobPart, LastRun

LEASE_S: Final = 20
"""How long a worker keeps a part without a sign of life."""
MOST_TRIES: Final = 3
LIMIT_S: Final = 300
"""Steps take well under a second, with the largest matches a minute."""
SAVE_S: Final = 1.0
IDLE_TURN: Final = 1_000_000
"""The first turn of parts that nobody has asked for. A worker leaves one for any other."""
_RESENT: Final = 100
"""Parts sent again at once, when the queue is empty."""
_EVERY: Final = timedelta(seconds=50)
"""How often regular work is done at most. The queue's clock ticks once a minute."""

NIGHT_AGAIN: Final = timedelta(minutes=15)
"""After which the night's work is tried again, if it failed or was interrupted."""
_NIGHT, _NIGHT_TRY = "night", "night try"


class PartLost(Exception):  # noqa: N818 - no error
    """The part is another's now, or free, or the worker is to leave it."""


def claim(pk: int, worker: str) -> JobPart | None:
    """The part, now this worker's. None if it is over, gone, or another's."""
    free = JobPart.objects.filter(pk=pk, worker="", over=False)
    if not free.update(worker=worker, seen=Now(), moved=Now(), tries=F("tries") + 1):
        return None
    return JobPart.objects.select_related("job").filter(pk=pk, worker=worker).first()


class Progress:
    """The `Step` of a part: at most once a second it saves how far the part is."""

    def __init__(self, part: JobPart, stopping: Callable[[], bool]) -> None:
        self.part, self._stopping = part, stopping
        self._done = 0 if part.found is None else part.done
        self._found = part.found
        self._begun = self._saved = monotonic()

    def __call__(self, units: int = 1, found: Json = None) -> None:
        self._begun = monotonic()
        self._done += units
        if found is not None:
            self._found = found
        stops = self._stopping()
        if stops or self._begun - self._saved >= SAVE_S:
            save(self.part, self._done, self._found)
            self._saved = self._begun
            stops = stops or (self.part.turn >= IDLE_TURN and _others_wait())
        if stops:
            raise PartLost

    @property
    def hangs(self) -> bool:
        """Whether its step has run for longer than any should."""
        return monotonic() - self._begun > LIMIT_S


def _others_wait() -> bool:
    parts = JobPart.objects.filter(worker="", over=False, closes=False, turn__lt=IDLE_TURN)
    return parts.exists()


def save(part: JobPart, done: int, found: Json) -> None:
    """Save how far a part is. Raises PartLost if it is no longer its worker's."""
    with transaction.atomic():
        _count(part, min(done, part.units))
        if not _of_worker(part).update(done=part.done, found=found, seen=Now(), moved=Now()):
            raise PartLost


def finish(part: JobPart, found: Json) -> JobPart | None:
    """Mark a part as over. Returns the closing part, if it is to be done now. Raises PartLost."""
    with transaction.atomic():
        _count(part, part.units)
        if not _of_worker(part).update(done=part.units, found=found, seen=Now(), over=True):
            raise PartLost
        left = list(part.job.parts.filter(over=False)[:2])
        if not left:
            result = found if part.closes else None
            _end(part.job_id, Job.State.FINISHED, done=F("total"), result=result)
    return left[0] if len(left) == 1 and left[0].closes else None


def _count(part: JobPart, done: int) -> None:
    """Count finished units. Raises PartLost if the job is no longer wanted."""
    more, part.done = done - part.done, done
    active = Job.objects.filter(pk=part.job_id, state__in=Job.ACTIVE)
    if not active.update(state=Job.State.RUNNING, done=F("done") + more):
        raise PartLost


def _of_worker(part: JobPart) -> QuerySet[JobPart]:
    return JobPart.objects.filter(pk=part.pk, worker=part.worker, tries=part.tries, over=False)


def renew(part: JobPart) -> None:
    """Show that the worker of the part under way is alive. Its other parts become free."""
    _of_worker(part).update(seen=Now())


def give_back(part: JobPart) -> bool:
    """Free the part for others. False if it is another's already."""
    return bool(_of_worker(part).update(worker="", tries=F("tries") - 1))


def give_back_all(worker: str) -> None:
    JobPart.objects.filter(worker=worker, over=False).update(worker="", tries=F("tries") - 1)


def fail(part: JobPart, fault: Message) -> None:
    """End a part's job with a sentence for the person who asked, unless the part is another's."""
    with transaction.atomic():
        if _of_worker(part).exists():
            _end(part.job_id, Job.State.FAILED, fault=fault.plain())


def cancel(job: int) -> bool:
    """End a job that is no longer wanted. False if it has ended already."""
    with transaction.atomic():
        return _end(job, Job.State.CANCELLED)


def _end(job: int, state: Job.State, **fields: Any) -> bool:
    ended = Job.objects.filter(pk=job, state__in=Job.ACTIVE).update(
        state=state, ended=Now(), **fields
    )
    if ended:
        JobPart.objects.filter(job=job).delete()
    return bool(ended)


def freed() -> list[JobPart]:
    """Parts taken away from workers without a sign of life, to be sent again."""
    silent = JobPart.objects.exclude(worker="").filter(
        over=False, seen__lt=Now() - timedelta(seconds=LEASE_S)
    )
    return [part for part in silent if _free(part, silent)]


def free(part: JobPart) -> bool:
    """Free a part that failed, to be sent again. False if it is another's, or is given up."""
    return _free(part, _of_worker(part))


def _free(part: JobPart, held: QuerySet[JobPart]) -> bool:
    if part.tries >= MOST_TRIES:
        words = Message(
            "It was given up: {count} workers failed in the middle of it.", count=MOST_TRIES
        )
        fail(part, words)
        return False
    return bool(held.filter(pk=part.pk, tries=part.tries).update(worker=""))


def stands_still() -> timedelta:
    """For how long the part that a worker has, and that has not got further for longest, has not.

    Zero without one. Beyond `LIMIT_S` something is wrong: by then another worker has it.
    """
    held = JobPart.objects.exclude(worker="").filter(over=False, moved__isnull=False)
    moved = held.aggregate(first=Min("moved"))["first"]
    return max(timezone.now() - moved, timedelta()) if moved else timedelta()


def waiting() -> list[JobPart]:
    """The parts that can be done next, in turn."""
    parts = JobPart.objects.filter(worker="", over=False).order_by("turn", "pk")
    return [part for part in parts[:_RESENT] if not part.closes or _alone(part)]


def _alone(part: JobPart) -> bool:
    """Whether the others of its job are over."""
    others = JobPart.objects.filter(job=part.job_id, over=False)
    return not others.exclude(pk=part.pk).exists()


def my_turn(name: str) -> bool:
    """Whether this worker is the one that does some regular work this minute."""
    LastRun.objects.get_or_create(name=name)
    row = LastRun.objects.filter(name=name).exclude(at__gte=Now() - _EVERY)
    return bool(row.update(at=Now()))


def claim_night(begins: time, now: datetime) -> bool:
    """Whether this worker begins the night's work: after each `begins`, in UTC, until it is done.

    A new site's first night is now. A try that failed, or whose sign of life is missing, is
    followed by another one after `NIGHT_AGAIN`.
    """
    began = datetime.combine(now.date(), begins, UTC)
    if began > now:
        began -= timedelta(days=1)
    last = last_night()
    if last is not None and last >= began:
        return False
    LastRun.objects.get_or_create(name=_NIGHT_TRY)
    free = LastRun.objects.filter(name=_NIGHT_TRY).exclude(at__gte=Now() - NIGHT_AGAIN)
    return bool(free.update(at=Now()))


def renew_night() -> None:
    """Show that the night's work is under way."""
    LastRun.objects.filter(name=_NIGHT_TRY).update(at=Now())


def end_night(began: datetime) -> None:
    """Mark the night's work, begun then, as done."""
    LastRun.objects.update_or_create(name=_NIGHT, defaults={"at": began})


def last_night() -> datetime | None:
    """When the last night's work that was done was begun. None without one."""
    return LastRun.objects.filter(name=_NIGHT).values_list("at", flat=True).first()
