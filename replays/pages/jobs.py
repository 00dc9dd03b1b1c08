"""A visitor's own jobs, for the pages that wait for them: their progress, and cancelling them."""

from typing import Final, NotRequired

from django.http.request import split_domain_port
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Router
from typing_extensions import TypedDict

from games.pages.problems import must_be_there
from games.pages.words import words
from games.people.visit import Request, Visit
from replays.jobs import rows, workers
from replays.jobs.starting import owned_by, place_of
from replays.models import Job

_LISTED: Final = 50
_THIS_MACHINE: Final = ("localhost", "127.0.0.1", "[::1]")

router: Final = Router(tags=["jobs"])


class JobJson(TypedDict):
    """A job's progress. `place`: among those that wait. `url`: its result's, or empty."""

    title: str
    state: str
    place: int
    done: int
    total: int
    error: str
    url: str
    key: NotRequired[str]
    """With it the person who asked for the job cancels it."""


class Followed(JobJson):
    """The same for a person who waits. `warning`: if no worker will do it."""

    warning: str


class JobComing(TypedDict):
    """How far the job is that makes what was asked for."""

    job: Followed


class Jobs(TypedDict):
    """The visitor's jobs, newest first. `warning`: if some wait and no worker will do them."""

    jobs: list[JobJson]
    warning: str


@router.get("/jobs", url_name="jobs", response=Jobs)
def list_jobs(request: Request) -> Jobs:
    """The visitor's jobs, newest first."""
    owned = owned_by(request.visit.reader.persons).order_by("-created", "-pk")[:_LISTED]
    active = any(job.state in Job.ACTIVE for job in owned)
    return {
        "jobs": [progress_of(request.visit, job) for job in owned],
        "warning": warning_for(request) if active else "",
    }


@router.get("/jobs/{slug:key}", url_name="job", response=Followed)
def read_job(request: Request, key: str) -> Followed:
    """One of the visitor's jobs."""
    return followed(request, _own(request.visit, key))


@router.delete("/jobs/{slug:key}", url_name="job", response=Followed)
def cancel_job(request: Request, key: str) -> Followed:
    """Cancel one of the visitor's jobs."""
    job = _own(request.visit, key)
    rows.cancel(job.pk)
    job.refresh_from_db()
    return followed(request, job)


def _own(visit: Visit, key: str) -> Job:
    job = owned_by(visit.reader.persons).filter(key=key).first()
    return must_be_there(job, _("there is no such job"))


def followed(request: Request, job: Job) -> Followed:
    """A job's progress, for a person who waits for it."""
    warning = warning_for(request) if job.state in Job.ACTIVE else ""
    return {**progress_of(request.visit, job), "warning": warning}


def warning_for(request: Request) -> str:
    """The warning while no worker runs, with advice if the visitor runs the site. Or empty."""
    warning = workers.warning()
    if not warning:
        return ""
    if _runs_the_site(request):
        advice = _("Start one with “python manage.py worker”.")
    else:
        advice = _("This goes on once there is one again.")
    return f"{warning} {advice}"


def _runs_the_site(request: Request) -> bool:
    """Whether that is likely: one of the staff, or a person on the machine itself."""
    host = split_domain_port(request.get_host())[0]
    return bool(getattr(request.user, "is_staff", False)) or host in _THIS_MACHINE


def progress_of(visit: Visit, job: Job) -> JobJson:
    """A job's progress. Only the person who requested it gets the key that cancels it."""
    fields: JobJson = {
        "title": words(job.title),
        "state": job.state,
        "place": place_of(job),
        "done": job.done,
        "total": job.total,
        "error": fault_of(job),
        "url": address_of(job),
    }
    if job.owner in visit.reader.persons:
        fields["key"] = job.key
    return fields


def fault_of(job: Job) -> str:
    """Why it failed, in the visitor's language. Empty if it did not."""
    return words(job.error) if job.error else ""


def address_of(job: Job) -> str:
    """The address of its result. Empty while there is none."""
    if "search" in job.asked:
        return reverse("replays:pattern", args=[job.asked["search"]])
    if job.state == Job.State.FINISHED and "match" in job.asked:
        return reverse("replays:replay", args=[job.asked["match"]])
    if job.state == Job.State.FINISHED and "study" in job.asked:
        return reverse("replays:study_page", args=[job.asked["study"]])
    return ""
