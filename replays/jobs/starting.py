"""Asking for a job, how far it is, and forgetting old ones."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.message import Message
from games.people.visitor import Author
from replays.jobs import rows, workers
from replays.jobs.kinds import Asked, Share, kind_of
from replays.jobs.queue import send
from replays.models import Job, JobPart

MOST_EACH: Final = 5
"""Jobs that one person can have waiting or running."""
MOST_NOBODYS: Final = 20
"""The same for all strangers together."""
KEEP_DAYS: Final = 30
"""How long ended jobs are kept."""


class TooManyJobsError(RuntimeError):
    """The person has enough jobs already. The message says so."""


SITE: Final = Author("site")
"""The site itself: commands. Not limited."""
IDLE: Final = Author("idle")
"""The site, with what nobody has asked for: it waits for all others, and makes none wait."""


def begin(
    kind: str, subject: str, title: Message, asked: Asked, shares: Sequence[Share], *, by: Author
) -> Job:
    """The job, begun now or already under way for someone. Its parts are sent on commit.

    `subject`: its short key. No two jobs with the same key run at the same time. Raises
    TooManyJobsError.
    """
    known = under_way(kind, subject)
    if known is not None:
        return known
    total = sum(share.units for share in shares)
    job = Job(kind=kind, subject=subject, named=title.plain(), asked=asked, total=total)
    job.owner, job.user = by.person, by.user
    for _try in range(MOST_NOBODYS):
        job.slot = _free_slot(by)
        try:
            with transaction.atomic():
                job.save()
                parts = JobPart.objects.bulk_create(_parts(job, shares), batch_size=500)
        except IntegrityError:  # another request made the same, or took the slot, at this moment
            known = under_way(kind, subject)
            if known is not None:
                return known
        else:
            transaction.on_commit(partial(send, filter(_first, parts)))
            return job
    raise TooManyJobsError(_("the site is busy: try again in a moment"))


def _parts(job: Job, shares: Sequence[Share]) -> list[JobPart]:
    open_parts = JobPart.objects.filter(job__owner=job.owner, over=False).count()
    turn = open_parts + (rows.IDLE_TURN if job.owner == IDLE.person else 0)
    parts = [
        JobPart(job=job, number=at, turn=turn + at, share=share.what, units=share.units)
        for at, share in enumerate(shares)
    ]
    if kind_of(job.kind).close is not None:
        count = len(shares)
        parts.append(JobPart(job=job, number=count, turn=turn + count, closes=True))
    return parts


def _first(part: JobPart) -> bool:
    """Whether a part can be done as soon as the job begins."""
    return not part.closes or not part.number


def under_way(kind: str, subject: str) -> Job | None:
    """Anyone's job of that kind and subject that has not ended."""
    return Job.objects.filter(kind=kind, subject=subject, state__in=Job.ACTIVE).first()


def latest_job(kind: str, subject: str) -> Job | None:
    """Anyone's last job of that kind and subject, ended or not."""
    return Job.objects.filter(kind=kind, subject=subject).order_by("-pk").first()


def _free_slot(by: Author) -> int | None:
    """The lowest slot in which no job of theirs is waiting or running. None for the site.

    The database keeps two jobs out of one slot, so requests at the same moment pass no limit.
    Raises TooManyJobsError.
    """
    if by in (SITE, IDLE):
        return None
    jobs = Job.objects.filter(owner=by.person, state__in=Job.ACTIVE)
    taken = list(jobs.values_list("slot", flat=True))
    most = MOST_EACH if by.person else MOST_NOBODYS
    if len(taken) >= most:
        raise TooManyJobsError(
            _(
                "you have {most} jobs waiting or running: cancel one, or wait until one is done"
            ).format(most=most)
            if by.person
            else _("too much is waiting already: try again later, or log in")
        )
    return next(slot for slot in range(most) if slot not in taken)


def owned_by(persons: Iterable[str]) -> QuerySet[Job]:
    """The jobs of a visitor, as all the persons they are, without results. Strangers have none."""
    return Job.objects.filter(owner__in=list(persons)).defer("result")


def place_of(job: Job) -> int:
    """How many jobs are begun before this waiting one, itself included. 0 once it runs."""
    first = job.parts.filter(number=0).first() if job.state == Job.State.WAITING else None
    if first is None:
        return 0
    before = Q(turn__lt=first.turn) | Q(turn=first.turn, pk__lte=first.pk)
    return JobPart.objects.filter(before, number=0, job__state=Job.State.WAITING).count()


def tidy() -> None:
    """Delete jobs that ended long ago, and workers that are gone."""
    Job.objects.filter(ended__lt=timezone.now() - timedelta(days=KEEP_DAYS)).delete()
    workers.forget()
