"""Asking for a job, how far it is, and forgetting old ones."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.people.visitor import Author
from replays.jobs import claims, workers
from replays.jobs.kinds import Asked, kind_of
from replays.models import Job, JobPart

MOST_EACH: Final = 5
"""Jobs that one person can have waiting or running."""
MOST_NOBODYS: Final = 20
"""The same for all strangers together."""
MOST_PARTS: Final = 20_000
KEEP_DAYS: Final = 30
"""How long ended jobs are kept."""


class TooManyJobsError(RuntimeError):
    """The person who asks has enough jobs already; the message says so."""


SITE: Final = Author("site")
"""The site itself: commands. Not limited."""


def start(kind: str, subject: str, title: str, asked: Asked, by: Author) -> Job:
    """The job, begun now or already under way for somebody. Ring the queue afterwards.

    `subject`: what it is about, in short; nothing is done twice at the same time.
    Raises TooManyJobsError and JobFault.
    """
    known = under_way(kind, subject)
    if known is not None:
        return known
    _free_slot(by)
    sizes = kind_of(kind).plan(asked)
    job = Job(kind=kind, subject=subject, title=title[:200], asked=asked, total=sum(sizes))
    job.owner, job.user = by.person, by.user
    for _ in range(MOST_NOBODYS):
        job.slot = _free_slot(by)
        try:
            with transaction.atomic():
                job.save()
                JobPart.objects.bulk_create(_parts(job, len(sizes)), batch_size=500)
        except IntegrityError:  # somebody asked for the same, or took the slot, at this moment
            known = under_way(kind, subject)
            if known is not None:
                return known
        else:
            return job
    raise TooManyJobsError("the site is busy; try again in a moment")


def _parts(job: Job, count: int) -> Iterable[JobPart]:
    if count > MOST_PARTS:
        raise ValueError(f"at most {MOST_PARTS} parts per job, found {count}")
    return [JobPart(job=job, number=at, closes=at == count) for at in range(count + 1)]


def under_way(kind: str, subject: str) -> Job | None:
    """Anyone's job of that kind and subject that has not ended."""
    return Job.objects.filter(kind=kind, subject=subject, state__in=Job.ACTIVE).first()


def latest(kind: str, subject: str) -> Job | None:
    """Anyone's last job of that kind and subject, ended or not."""
    return Job.objects.filter(kind=kind, subject=subject).order_by("-pk").first()


def _free_slot(by: Author) -> int | None:
    """The lowest slot in which no job of theirs is waiting or running; None for the site.

    The database keeps two jobs out of one slot, so requests at the same moment pass no limit.
    Raises TooManyJobsError.
    """
    if by.person == SITE.person:
        return None
    taken = _slots(by)
    most = MOST_EACH if by.person else MOST_NOBODYS
    if len(taken) >= most:
        raise TooManyJobsError(
            f"you have {most} jobs waiting or running; cancel one, or wait until one is done"
            if by.person
            else "too much is waiting already; try again later, or log in"
        )
    return next(slot for slot in range(most) if slot not in taken)


def _slots(by: Author) -> list[int | None]:
    """The slots of somebody's jobs that are waiting or running."""
    jobs = Job.objects.filter(owner=by.person, state__in=Job.ACTIVE)
    return list(jobs.values_list("slot", flat=True))


def owned_by(persons: Iterable[str]) -> QuerySet[Job]:
    """The jobs of a visitor, as all the persons they are, without results; strangers have none."""
    return Job.objects.filter(owner__in=list(persons)).defer("result")


def place_of(job: Job) -> int:
    """How many jobs are begun before this waiting one, itself included; 0 once it runs.

    People are served in turn: everybody's first job comes before anybody's second.
    """
    if job.state != Job.State.WAITING:
        return 0
    rows = list(
        Job.objects.filter(state__in=Job.ACTIVE)
        .order_by("created", "pk")
        .values_list("pk", "owner", "state")
    )
    served = claims.last_served({owner for _, owner, _ in rows})
    ranks: dict[int, tuple[int, Any, int]] = {}
    before: dict[str, int] = {}
    for at, (pk, owner, state) in enumerate(rows):
        rank = before.get(owner, 0)
        before[owner] = rank + 1
        if state == Job.State.WAITING:
            ranks[pk] = rank, served[owner], at
    mine = ranks.get(job.pk)
    return 0 if mine is None else sum(rank <= mine for rank in ranks.values())


def tidy() -> None:
    """Delete jobs that ended long ago, and workers that have gone."""
    Job.objects.filter(ended__lt=timezone.now() - timedelta(days=KEEP_DAYS)).delete()
    workers.forget()
