"""The queue: Huey, on Redis, PostgreSQL or SQLite (`JOB_QUEUE`), which notifies workers.

Its only message says "there is work". Each means one slice, after which it is sent on; so as
many as are under way at a time, so many workers share a job.
"""

from __future__ import annotations

import logging
from functools import cache
from secrets import token_urlsafe
from threading import Event
from typing import Final, NamedTuple

from django.conf import settings
from django.db import DatabaseError, close_old_connections, transaction
from django.utils.module_loading import import_string
from huey.api import Huey, TaskWrapper, crontab
from huey.serializer import SignedSerializer

from games.people.each import for_each
from games.people.visitor import Author
from replays.jobs.claims import LEASE_S
from replays.jobs.kinds import Asked
from replays.jobs.slices import SliceOutcome, slice_of_work
from replays.jobs.starting import start, tidy
from replays.models import Job, JobPart

MOST_RINGS: Final = 8
"""How many workers a single job can occupy."""
WORKER: Final = token_urlsafe(16)
"""This process, if it is a worker."""
stopping: Final = Event()
"""Set when this worker is to finish its step and end."""
_log: Final = logging.getLogger(__name__)


class _Queue(NamedTuple):
    huey: Huey
    work: TaskWrapper
    """Sends the message."""


@cache
def queue() -> _Queue:
    """The queue, as this process reaches it. Raises what its storage raises if it cannot."""
    options = dict(settings.JOB_QUEUE)
    huey = Huey(
        "ratuki",
        results=False,
        serializer=SignedSerializer(settings.SECRET_KEY, "jobs"),
        storage_class=import_string(options.pop("storage")),
        **options,
    )
    huey.periodic_task(crontab(), name="look_round")(_look_round)
    huey.on_startup(name="look_round")(_look_round)
    return _Queue(huey, huey.task(name="work")(_work))


def ring(times: int = 1) -> None:
    """Notify workers that there is work. If the queue is down, they find it within a minute."""
    try:
        for _ in range(min(times, MOST_RINGS)):
            queue().work()
    except Exception:  # noqa: BLE001 - each storage has errors of its own
        _log.exception("the job queue cannot be reached; workers look for work every minute")


def begin(kind: str, subject: str, title: str, asked: Asked, by: Author) -> Job:
    """Start a job (`replays.jobs.starting.start`) and notify the workers, once it is committed."""
    job = start(kind, subject, title, asked, by)
    parts = job.parts.count()
    transaction.on_commit(lambda: ring(parts))
    return job


def _work() -> None:
    """A slice; then the word goes on, as long as there may be more to do."""
    close_old_connections()
    try:
        outcome = slice_of_work(WORKER, stopping.is_set)
    except DatabaseError:
        _log.exception("the database refused or lost a step; it is done again")
        outcome = SliceOutcome.OTHERS_WORK
    if outcome is SliceOutcome.OTHERS_WORK:
        queue().work.schedule(delay=LEASE_S / 2)
    elif outcome is SliceOutcome.WORK and queue().huey.storage.queue_size() < MOST_RINGS:
        ring()


def _look_round() -> None:
    """Find work of which no word is under way: it was lost, or its worker has died.

    First the rooms that have regular work (`JOBS_EVERY_MINUTE`) start their jobs.
    """
    close_old_connections()
    tidy()
    for_each(settings.JOBS_EVERY_MINUTE, lambda name: import_string(name)(), "regular work")
    if not queue().huey.storage.queue_size():
        ring(JobPart.objects.filter(over=False)[:MOST_RINGS].count())
