"""The queue: Huey, on Redis, PostgreSQL or SQLite (`JOB_QUEUE`). One message for each part.

A message's priority is its part's turn: the more parts its owner had open, the later it is. So each
owner's first part comes before any second one.
"""

import logging
from collections.abc import Iterable
from functools import cache
from secrets import token_urlsafe
from threading import Event
from typing import Final, NamedTuple

from django.conf import settings
from django.db import Error, close_old_connections
from django.utils.module_loading import import_string
from huey.api import Huey, TaskWrapper, crontab
from huey.serializer import SignedSerializer

from games.engine.message import Message
from games.people.each import for_each
from replays.jobs import rows, workers
from replays.jobs.kinds import JobFault, kind_of
from replays.models import JobPart

SWEEP_S: Final = 5
_REGULAR: Final = 1
"""The priority of work of every minute: before all parts."""
WORKER: Final = token_urlsafe(16)
"""This process, if it is a worker."""
stopping: Final = Event()
"""Set when this worker is to leave its part and end."""
_under_way: Final[dict[str, rows.Progress]] = {}
_UNKNOWN: Final = Message("Something went wrong. It has been logged.")
_log: Final = logging.getLogger(__name__)


class _Queue(NamedTuple):
    huey: Huey
    work: TaskWrapper


@cache
def queue() -> _Queue:
    """The queue, as this process reaches it. Raises what its storage raises if it cannot."""
    options = dict(settings.JOB_QUEUE)
    huey = Huey(
        "ratuki_parts",
        results=False,
        serializer=SignedSerializer(settings.SECRET_KEY, "jobs"),
        storage_class=import_string(options.pop("storage")),
        **options,
    )
    huey.pre_execute(name="connections")(lambda task: close_old_connections())
    huey.periodic_task(crontab(), name="every_minute", priority=_REGULAR)(every_minute)
    huey.on_startup(name="every_minute")(every_minute)
    return _Queue(huey, huey.task(name="work")(work))


def send(parts: Iterable[JobPart]) -> None:
    """Send a message for each part. If the queue is down, the workers' sweep does it later."""
    try:
        huey, task = queue()
        for part in parts:
            huey.enqueue(task.s(part.pk, priority=-part.turn))
    except Exception:  # noqa: BLE001 - each storage has errors of its own
        _log.exception("the job queue cannot be reached; workers look for work again and again")


def work(pk: int, worker: str = WORKER) -> None:
    """Do a part, if it is still to be done."""
    part = rows.claim(pk, worker)
    if part is None:
        return
    try:
        _do(part)
    except rows.PartLost:
        if rows.give_back(part):
            send([part])
    except JobFault as fault:
        rows.fail(part, fault.said)
    except Error:
        _log.exception("the database refused a part of job %s; it is tried again", part.job.key)
        close_old_connections()
        if rows.free(part):  # without the database its lease ends, and the sweep sends it again
            send([part])
    except Exception:  # noqa: BLE001 - shown to the person who asked, and logged
        _log.exception("job %s (%s) failed", part.job.key, part.job.kind)
        rows.fail(part, _UNKNOWN)


def _do(part: JobPart) -> None:
    kind, job = kind_of(part.job.kind), part.job
    step = _under_way[WORKER] = rows.Progress(part, stopping.is_set)
    try:
        if part.closes:
            assert kind.close, "only such jobs have a closing part"
            parts = job.parts.filter(closes=False).order_by("number")
            founds = parts.values_list("found", flat=True).iterator(chunk_size=100)
            found = kind.close(job.asked, founds)
        else:
            found = kind.do(job.asked, part.share, part.found, step)
    finally:
        del _under_way[WORKER]
    if closing := rows.finish(part, found):
        send([closing])


def every_minute() -> None:
    """What rooms do regularly (`JOBS_EVERY_MINUTE`), in one of the workers."""
    if not rows.my_turn("minute"):
        return
    for_each(settings.JOBS_EVERY_MINUTE, lambda name: import_string(name)(), "regular work")


def keep_watch(over: Event) -> None:
    """Until then: show that this worker is alive, and send again what was lost."""
    away = False
    while True:
        try:
            show_life()
            sweep()
            if away:
                _log.info("the database and the job queue are back")
            away = False
        except Exception:  # noqa: BLE001 - the database, or the queue
            _log.warning("the database or the job queue is away", exc_info=True)
            away = True
            close_old_connections()
        if over.wait(SWEEP_S):
            return


def show_life() -> None:
    """Show that this worker is alive and has its part, unless it hangs."""
    step = _under_way.get(WORKER)
    if step and step.hangs:
        _log.error("a step has run for over %d s: no sign of life", rows.LIMIT_S)
        return
    workers.beat(WORKER)
    if step:
        rows.renew(step.part)


def sweep() -> None:
    """Send again the parts of workers that are gone and, with an empty queue, all that wait."""
    send(rows.freed())
    if not queue().huey.storage.queue_size():
        send(rows.waiting())
