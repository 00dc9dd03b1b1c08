"""Moderating notes and studies. Also reading jobs, workers and reviews."""

from typing import Any, Final

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.admin import ForModerators, Rows, ask_reason, kind_of, reason_in
from games.models import Match
from games.pages.words import grouped
from replays.models import (
    Job,
    Note,
    NoteComplaint,
    Review,
    Study,
    StudyComplaint,
    Worker,
)
from replays.notes import hiding

TITLES: Final = {
    Note: (_("Show the notes again"), _("Hide the notes")),
    Study: (_("Show the studies again"), _("Hide the studies")),
}
"""Of showing, and of hiding."""


def outcome(kind: type[Note | Study], count: int, *, hidden: bool) -> str:
    """How many notes or studies were hidden, or shown again."""
    if kind is Note:
        said = (
            ngettext("{count} note hidden.", "{count} notes hidden.", count)
            if hidden
            else ngettext("{count} note shown again.", "{count} notes shown again.", count)
        )
    else:
        said = (
            ngettext("{count} study hidden.", "{count} studies hidden.", count)
            if hidden
            else ngettext("{count} study shown again.", "{count} studies shown again.", count)
        )
    return said.format(count=count)


def link_to(match: Match, key: str) -> str:
    address = reverse("replays:replay", args=[match.pk])
    return format_html('<a href="{}#note={}">{}</a>', address, key, match.record_id)


class Moderated(ForModerators, Rows):
    """Rows about shared work: a moderator may hide it, and only its owner still sees it.

    Either action settles the reports about it.
    """

    actions = ("hide", "show")
    list_display_links = None
    kind: type[Note | Study]
    """The kind to hide: the rows themselves, or the subjects of reports."""

    @admin.action(description=_("Hide what was written"), permissions=["moderate"])
    def hide(self, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
        return self._set_hidden(request, chosen, hidden=True)

    @admin.action(description=_("Show it again"), permissions=["moderate"])
    def show(self, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
        return self._set_hidden(request, chosen, hidden=False)

    def _set_hidden(
        self, request: HttpRequest, chosen: QuerySet[Any], *, hidden: bool
    ) -> HttpResponse | None:
        """Ask for the reason of an action, or do it."""
        reason = reason_in(request)
        if not reason:
            action = "hide" if hidden else "show"
            return ask_reason(self, request, chosen, action, str(TITLES[self.kind][hidden]))
        about = "pk__in" if self.model is self.kind else "complaints__in"
        keys = self.kind._default_manager.filter(**{about: chosen.values("pk")}).distinct()
        count = hiding.set_hidden(
            self.kind, keys.values_list("pk", flat=True), request.user, reason, hidden=hidden
        )
        messages.success(request, outcome(self.kind, count, hidden=hidden))
        return None

    @admin.display(description=_("reported by"))
    def reporter_kind(self, complaint: NoteComplaint | StudyComplaint) -> str:
        return complaint.user.get_username() if complaint.user else kind_of(complaint.reporter)


@admin.register(Note)
class NoteAdmin(Moderated):
    """Notes that others can read. Private ones are not shown."""

    kind = Note
    list_display = ("created", "place", "by", "text", "tags", "visibility", "hidden")
    list_select_related = ("match",)
    list_filter = ("hidden", "visibility")
    search_fields = ("by", "text", "match__record_id")
    fields = ("place", "by", "text", "tags", "visibility", "created", "edited", "hidden")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Note]:
        shared = Note.objects.exclude(visibility=Note.Visibility.SELF)
        shared |= Note.objects.filter(study__in=_shared_studies())
        complained_of = Note.objects.filter(complaints__isnull=False)
        return Note.objects.filter(pk__in=(shared | complained_of).values("pk")).select_related(
            "match"
        )

    @admin.display(description=_("match"))
    def place(self, note: Note) -> str:
        return link_to(note.match, note.key)


def _shared_studies() -> QuerySet[Study]:
    return Study.objects.exclude(visibility=Study.Visibility.SELF)


@admin.register(Study)
class StudyAdmin(Moderated):
    """Studies that others can read. Only the owner still sees one that is hidden."""

    kind = Study
    ordering = ("-edited",)
    list_display = ("edited", "address", "by", "text", "visibility", "hidden")
    list_filter = ("hidden", "visibility")
    search_fields = ("title", "by", "text")
    fields = ("address", "by", "text", "visibility", "created", "edited", "hidden")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Study]:
        return (_shared_studies() | Study.objects.filter(complaints__isnull=False)).distinct()

    @admin.display(description=_("study"))
    def address(self, study: Study) -> str:
        return _link_to_study(study)


def _link_to_study(study: Study) -> str:
    url = reverse("replays:study_page", args=[study.key])
    return format_html('<a href="{}">{}</a>', url, study.shown_title)


@admin.register(StudyComplaint)
class StudyComplaintAdmin(Moderated):
    """Reports. Hiding or showing the study settles them."""

    kind = Study
    list_display = ("created", "address", "writer", "reporter_kind", "reason", "settled")
    list_select_related = ("study", "user")
    list_filter = ("settled", "study__hidden")
    search_fields = ("reason", "study__title", "study__by", "user__username")
    exclude = ("reporter",)  # a guest's is a session secret

    @admin.display(description=_("study"))
    def address(self, complaint: StudyComplaint) -> str:
        return _link_to_study(complaint.study)

    @admin.display(description=_("by"))
    def writer(self, complaint: StudyComplaint) -> str:
        return complaint.study.by


@admin.register(NoteComplaint)
class NoteComplaintAdmin(Moderated):
    """Reports. Hiding or showing the note settles them."""

    kind = Note
    list_display = (
        *("created", "match", "reporter_kind", "reason", "writer", "text"),
        *("hidden", "settled"),
    )
    list_select_related = ("note__match", "user")
    list_filter = ("settled", "note__hidden")
    search_fields = ("reason", "note__match__record_id", "note__by", "note__text", "user__username")
    exclude = ("reporter",)  # a guest's is a session secret

    @admin.display(description=_("match"))
    def match(self, complaint: NoteComplaint) -> str:
        return link_to(complaint.note.match, complaint.note.key)

    @admin.display(description=_("written by"))
    def writer(self, complaint: NoteComplaint) -> str:
        return complaint.note.by

    @admin.display(description=_("note"))
    def text(self, complaint: NoteComplaint) -> str:
        return complaint.note.text

    @admin.display(boolean=True, description=_("hidden"))
    def hidden(self, complaint: NoteComplaint) -> bool:
        return complaint.note.hidden


@admin.register(Review)
class ReviewAdmin(ForModerators, Rows):
    """Reviews, without their members' view and the way in."""

    list_display = ("created", "match", "changed", "member_count", "ended")
    list_filter = ("ended",)
    list_select_related = ("match",)
    search_fields = ("match__record_id",)
    fields = ("match", "created", "changed", "member_count", "ended")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Review]:
        return Review.objects.annotate(member_total=Count("members"))

    @admin.display(description=_("members"))
    def member_count(self, review: Any) -> int:
        return int(review.member_total)


@admin.register(Job)
class JobAdmin(ForModerators, Rows):
    """Everybody's jobs, as `manage.py jobs list` shows them."""

    list_display = ("created", "kind", "title", "state", "progress", "asker", "error")
    list_filter = ("state", "kind")
    list_select_related = ("user",)
    search_fields = ("kind", "subject", "user__username")
    # Not `owner` and `asked`: they may contain a guest's session secret.
    fields = (*list_display, "ended")

    @admin.display(description=_("done"))
    def progress(self, job: Job) -> str:
        return _("{done} of {total}").format(done=grouped(job.done), total=grouped(job.total))

    @admin.display(description=_("asked for by"))
    def asker(self, job: Job) -> str:
        return (
            job.user.get_username()
            if job.user
            else job.owner.partition(":")[0] or str(_("stranger"))
        )


@admin.register(Worker)
class WorkerAdmin(ForModerators, Rows):
    """The workers of the last day, and when each was last seen."""

    list_display = ("name", "begun", "seen")
    ordering = ("-seen",)
