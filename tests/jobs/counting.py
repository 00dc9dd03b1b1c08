"""Kinds of jobs for tests: one counts, and fails as asked at a number. And ways to work."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from hashlib import pbkdf2_hmac
from threading import Barrier

from django.db import IntegrityError, connection
from django.utils import timezone

from games.engine.message import Message
from games.people.visitor import Author
from replays.jobs import queue, rows
from replays.jobs.kinds import Asked, JobFault, Json, Kind, Share, Step, kind_of
from replays.jobs.starting import TooManyJobsError, begin
from replays.models import Job, JobPart

ADA, BO = Author("guest:ada"), Author("guest:bo")


def _count(asked: Asked, share: Json, found: Json, step: Step) -> Json:
    """`fault`, `error`, `refused`: at which number it fails; `cancels`: what is cancelled then."""
    counted = list(found or [])
    while len(counted) < share:
        if asked.get("fault") == len(counted):
            raise JobFault("It cannot be counted any further.")
        if asked.get("error") == len(counted):
            raise ZeroDivisionError
        if asked.get("refused") == len(counted):
            raise IntegrityError
        counted.append(len(counted))
        step(1, counted)
    return counted


def _close(asked: Asked, founds: Iterator[Json]) -> Json:
    return list(founds)


def _tick(asked: Asked, share: Json, found: Json, step: Step) -> Json:
    """Some hundredths of a second for each unit."""
    for done in range(found or 0, share):
        pbkdf2_hmac("sha256", b"tick", b"", 100_000)
        step(1, done + 1)
    return share


KIND, TICKING = Kind(_count, _close), Kind(_tick, _close)


def begun_at_once(count: int) -> int:
    """Let a person ask for so many jobs at the same moment; how many were begun."""
    together = Barrier(count)

    def ask(number: int) -> bool:
        together.wait(20)
        try:
            begin("report", f"{number}", Message("Matches"), {}, [Share([0, 1], 1)], by=ADA)
        except TooManyJobsError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(count) as pool:
        return sum(pool.map(ask, range(count)))


def count(by: Author, subject: str, *parts: int, **asked: int) -> Job:
    """A job that counts up to each of `parts`."""
    shares = [Share(part, part) for part in parts]
    return begin(
        "count", subject, Message("Counting {subject}", subject=subject), asked, shares, by=by
    )


def lapse() -> None:
    """Let all workers have shown no sign of life for long."""
    long_ago = timezone.now() - timedelta(minutes=1)
    JobPart.objects.exclude(worker="").update(seen=long_ago)


def work(worker: str = "w") -> int:
    """Do all that waits, in turn; how many parts that were."""
    done = 0
    while parts := rows.waiting():
        queue.work(parts[0].pk, worker)
        done += 1
    return done


def die(worker: str, steps: int) -> JobPart:
    """Die after so many steps of the part whose turn it is."""
    part = rows.claim(rows.waiting()[0].pk, worker)
    assert part is not None
    left = iter(range(steps - 1))
    step = rows.Progress(part, lambda: next(left, None) is None)
    if steps:
        with suppress(rows.PartLost):
            kind_of(part.job.kind).do(part.job.asked, part.share, part.found, step)
    part.refresh_from_db()
    return part


def finished(job: Job | None) -> Job:
    """The job, once it is done."""
    assert job is not None
    work()
    job.refresh_from_db()
    assert job.state == Job.State.FINISHED, job.error
    return job
