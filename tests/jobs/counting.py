"""A kind of job for tests: counts, and fails as asked at a number. And many asked at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

from django.db import IntegrityError, connection
from django.utils import timezone

from games.people.visitor import Author
from replays.jobs import claims
from replays.jobs.kinds import Asked, Closing, JobFault, JobKind, Json, Part, StepResult
from replays.jobs.slices import SliceOutcome, slice_of_work
from replays.jobs.starting import TooManyJobsError, start
from replays.jobs.watchdog import WATCHDOG
from replays.models import Job, JobPart

ADA, BO = Author("guest:ada"), Author("guest:bo")


class Counting(JobKind):
    """`parts`: how far to count in each; `fault`, `error`, `refused`: at which number it fails."""

    def plan(self, asked: Asked) -> Sequence[int]:
        return asked["parts"]

    def step(self, part: Part) -> StepResult:
        assert WATCHDOG.since is not None, "a step under way is known"
        counted = [*(part.state or []), len(part.state or [])]
        if part.asked.get("fault") == len(counted):
            raise JobFault("It cannot be counted any further.")
        if part.asked.get("error") == len(counted):
            raise ZeroDivisionError
        if part.asked.get("refused") == len(counted):
            raise IntegrityError
        return StepResult(counted, 1, len(counted) == part.asked["parts"][part.number])

    def closing(self, asked: Asked, states: Iterator[Json]) -> Closing:
        if asked.get("unwanted"):  # somebody cancels it while it is being closed
            claims.cancel(Job.objects.get(subject="unwanted").pk)
        parts = list(states)
        yield
        assert WATCHDOG.since is not None, "so is what joins the parts"
        if asked.get("unwanted"):
            raise ZeroDivisionError
        return parts


def begun_at_once(count: int) -> int:
    """Let a person ask for so many jobs at the same moment; how many were begun."""
    together = Barrier(count)

    def ask(number: int) -> bool:
        asked = {"editions": ["usaopoly-2009"], "matches": 1}
        together.wait(20)
        try:
            start("ladder", f"{number}", "Ladder", asked, Author("guest:ada"))
        except TooManyJobsError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(count) as pool:
        return sum(pool.map(ask, range(count)))


def count(by: Author, subject: str, *parts: int, **asked: int) -> Job:
    """A job that counts up to each of `parts`."""
    return start("count", subject, f"Counting {subject}", {"parts": parts, **asked}, by)


def lapse() -> None:
    """Let the leases of all workers run out."""
    long_ago = timezone.now() - timedelta(minutes=1)
    JobPart.objects.exclude(worker="").update(leased_until=long_ago)


def work(worker: str = "w") -> int:
    """Slices until there is nothing left; how many there were."""
    done = 0
    while slice_of_work(worker) is SliceOutcome.WORK:
        done += 1
    return done


def finished(job: Job | None) -> Job:
    """The job, once it is done."""
    assert job is not None
    work()
    job.refresh_from_db()
    assert job.state == Job.State.FINISHED, job.error
    return job
