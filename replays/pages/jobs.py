"""A visitor's own jobs: how far they are, and cancelling them. Nobody else's are shown."""

from __future__ import annotations

from typing import Final, NotRequired, TypedDict

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.http.request import split_domain_port
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods

from games.people.person import encode
from games.people.sessions import visitor_of
from replays.jobs import claims, workers
from replays.jobs.starting import Asker, owned_by, place_of
from replays.models import Job
from replays.pages.json_api import answer, json_view

_LISTED: Final = 50
_THIS_MACHINE: Final = ("localhost", "127.0.0.1", "[::1]")


def requester_of(request: HttpRequest) -> Asker:
    """The requester as somebody who asks for jobs."""
    visitor = visitor_of(request)
    user = request.user if request.user.is_authenticated else None
    return Asker(encode(visitor.person), user)


def persons_of(request: HttpRequest) -> list[str]:
    """Everybody the requester is, as stored."""
    return [encode(person) for person in visitor_of(request).persons]


@require_http_methods(["GET", "HEAD", "POST"])
def my_jobs(request: HttpRequest) -> HttpResponse:
    """The visitor's jobs, newest first. POST `cancel`: the key of one to cancel."""
    if request.method == "POST":
        claims.cancel(_own(request, request.POST.get("cancel", "")).pk)
        return redirect("replays:my_jobs")
    found = owned_by(persons_of(request)).order_by("-created", "-pk")[:_LISTED]
    jobs = [(job, place_of(job), address_of(job)) for job in found]
    active = any(job.state in Job.ACTIVE for job, _, _ in jobs)
    context = {"jobs": jobs, "active": active, "warning": warning_for(request) if active else ""}
    response = render(request, "replays/my_jobs.html", context)
    add_never_cache_headers(response)
    return response


@json_view("GET")
def all_jobs(request: HttpRequest) -> HttpResponseBase:
    """The visitor's jobs, newest first."""
    found = owned_by(persons_of(request)).order_by("-created", "-pk")[:_LISTED]
    shown = [progress_of(request, job) for job in found]
    active = any(job.state in Job.ACTIVE for job in found)
    warning = warning_for(request) if active else ""
    return answer({"jobs": shown, "warning": warning, "csrf": get_token(request)})


@json_view("GET", "DELETE")
def job(request: HttpRequest, key: str) -> HttpResponseBase:
    """One of the visitor's jobs; DELETE cancels it."""
    found = _own(request, key)
    if request.method == "DELETE":
        claims.cancel(found.pk)
        found.refresh_from_db()
    return answer(followed(request, found))


def _own(request: HttpRequest, key: str) -> Job:
    found = owned_by(persons_of(request)).filter(key=key).first()
    if found is None:
        raise Http404("there is no such job")
    return found


class Progress(TypedDict):
    """How far a job is; `place`: among those that wait; `url`: of what it made, or empty."""

    title: str
    state: str
    place: int
    done: int
    total: int
    error: str
    url: str
    key: NotRequired[str]
    """With it the person who asked for the job cancels it."""


class Followed(Progress):
    """The same for somebody who waits; `warning`: if no worker will do it."""

    warning: str


def followed(request: HttpRequest, job: Job) -> Followed:
    """How far a job is, for somebody who waits for it."""
    warning = warning_for(request) if job.state in Job.ACTIVE else ""
    return {**progress_of(request, job), "warning": warning}


def warning_for(request: HttpRequest) -> str:
    """What to say while no worker runs, with advice if the visitor runs the site; or empty."""
    warning = workers.warning()
    if warning and _runs_the_site(request):
        return f"{warning} Start one with “python manage.py worker”."
    return f"{warning} This goes on once there is one again." if warning else ""


def _runs_the_site(request: HttpRequest) -> bool:
    """Whether that is likely: one of the staff, or somebody on the machine itself."""
    host = split_domain_port(request.get_host())[0]
    return bool(getattr(request.user, "is_staff", False)) or host in _THIS_MACHINE


def progress_of(request: HttpRequest, job: Job) -> Progress:
    """How far a job is; only the person who asked for it gets the key that cancels it."""
    fields: Progress = {
        "title": job.title,
        "state": job.state,
        "place": place_of(job),
        "done": job.done,
        "total": job.total,
        "error": job.error,
        "url": address_of(job),
    }
    if job.owner and job.owner in persons_of(request):
        fields["key"] = job.key
    return fields


def address_of(job: Job) -> str:
    """Where its result can be seen; empty while there is none."""
    if "search" in job.asked:
        return reverse("replays:pattern", args=[job.asked["search"]])
    if job.state == Job.State.FINISHED and "match" in job.asked:
        return reverse("replays:replay", args=[job.asked["match"]])
    if job.state == Job.State.FINISHED and "study" in job.asked:
        return reverse("replays:study_page", args=[job.asked["study"]])
    return ""
