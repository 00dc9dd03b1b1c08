"""The page that lists studies, with a search. Starting, restoring and reporting a study."""

from typing import Final

from django.contrib import messages
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.pages.operations import title_of
from games.pages.problems import must_be_there
from games.pages.words import sentence
from games.people.visit import Request
from games.records.strict import Malformed
from replays.models import Chapter, Study
from replays.models.sharing import new_key
from replays.notes.access import own, readable, writable_study
from replays.notes.positions import ValidationFault
from replays.pages.notes.access import reason_of
from replays.pages.rendering import private_page
from replays.pages.studies.access import study_of
from replays.pages.studies.tables import first_pictures
from replays.studies import sample, writing

PAGE: Final = 100
MOST_DELETED: Final = 10
MOST_SEARCH: Final = 100
MOST_WORDS: Final = 8
"""Words of a search. Each is looked for in every study."""


@require_http_methods(["GET", "HEAD", "POST"])
def my_studies(request: Request) -> HttpResponse:
    """The visitor's studies, those shared with them, and the public ones. POST starts one."""
    if request.method == "POST":
        return _start(request)
    reader, search = request.visit.reader, request.GET.get("q", "")[:MOST_SEARCH].strip()
    rows = _matching(search)
    mine = rows.filter(writable_study(reader)).distinct()
    others = rows.filter(deleted=None).exclude(pk__in=mine.values("pk"))
    public = Q(visibility=Study.Visibility.EVERYONE)
    lists = {
        "mine": list(mine.filter(drill=False)[:PAGE]),
        "drills": list(mine.filter(drill=True)[:PAGE]),
        # By name, or by a link that they have opened.
        "shared": list(others.filter(readable(reader)).exclude(public).distinct()[:PAGE]),
        "public": list(others.filter(public, hidden=False)[:PAGE]),
    }
    lists["public"].sort(key=lambda study: study.key != sample.KEY)
    listed = {study.pk for studies in lists.values() for study in studies}
    pictures = first_pictures(listed, request.visit)
    deleted = Study.objects.filter(own(reader)).exclude(deleted=None).order_by("-deleted")
    context = {
        "search": search,
        **{
            name: [(study, pictures.get(study.pk, "")) for study in studies]
            for name, studies in lists.items()
        },
        "deleted": [] if search else deleted[:MOST_DELETED],
    }
    return private_page(request, "studies/my_studies", context)


def _start(request: Request) -> HttpResponse:
    title = " ".join(request.POST.get("title", "").split())
    try:
        made = writing.create(request.visit.sign(), new_key(), title_of(title))
    except (Malformed, ValidationFault) as error:
        messages.error(request, _("The study was not made. {error}").format(error=sentence(error)))
        return redirect("replays:my_studies")
    return redirect("replays:study_page", made.key)


def _matching(search: str) -> QuerySet[Study]:
    """Studies with their number of chapters, newest first. Each word of the search is in them.

    It searches the tables of contents, never the words of a chapter: those may be for learners who
    have answered its question.
    """
    living = Q(chapters__deleted=None)
    rows = Study.objects.filter(asked_in=None)
    rows = rows.annotate(count=Count("chapters", filter=living, distinct=True))
    for word in search.replace("\0", " ").split()[:MOST_WORDS]:
        inside = Q(title__says=word) | Q(text__says=word) | Q(by__says=word)
        # A join for each word would multiply the rows by the chapters each time.
        chapters = Chapter.objects.filter(study=OuterRef("pk"), title__says=word)
        rows = rows.filter(inside | Q(Exists(chapters)))
    return rows.order_by("-edited", "pk").distinct()


@require_POST
def restore_study(request: Request, key: str) -> HttpResponse:
    """Restore a deleted study, for its owner."""
    study = Study.objects.filter(own(request.visit.reader), key=key).exclude(deleted=None).first()
    study = must_be_there(study, _("there is no such deleted study of yours"))
    writing.restore(study)
    return redirect("replays:study_page", key)


@require_POST
def complain_about_study(request: Request, key: str) -> HttpResponse:
    """Tell the moderators about a study."""
    study = study_of(request.visit, key)
    try:
        writing.complain(study, request.visit.sign(), reason_of(request.POST))
    except ValidationFault as error:
        messages.error(request, _("Not sent. {error}").format(error=sentence(error)))
    else:
        messages.success(request, _("Thank you. A moderator will look at it."))
    return redirect("replays:study_page", key)
