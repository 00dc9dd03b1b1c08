"""The admin shows matches and their logs, and is where moderators work.

Log lines are never changed here. Moderators unlist matches, delete those that came from elsewhere,
rename players, and moderate chats. All but the last leave a `Moderation` row. The owner, a
superuser, opens or closes the site here, and makes invitations.
"""

from collections.abc import Callable
from typing import Any, ClassVar, cast

from django.conf import settings
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.archive import moderation
from games.models import (
    ChatComplaint,
    ChatLine,
    ChatMute,
    Chunk,
    LiveTable,
    Match,
    MatchComplaint,
    Moderation,
    Player,
    Seat,
    SignUpInvitation,
    SiteSettings,
)
from games.people import door
from games.people.person import Kind, decode
from games.people.visit import Request


class ReadOnly:
    """Nothing can be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ForModerators(ReadOnly):
    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return moderates(request)

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return moderates(request)


class Rows(admin.ModelAdmin):
    """A long list, the latest first, which is not counted."""

    show_full_result_count = False
    ordering: ClassVar[Any] = ("-pk",)


def moderates(request: HttpRequest) -> bool:
    return cast("Request", request).visit.visitor.moderator


def reason_in(request: HttpRequest) -> str:
    """A moderator's reason. Empty until they were asked (`ask_reason`)."""
    return request.POST.get("reason", "").strip()[:500]


def ask_reason(
    page: admin.ModelAdmin, request: HttpRequest, chosen: QuerySet[Any], action: str, title: str
) -> HttpResponse:
    """The form that asks for a reason, and then does the action to the chosen rows."""
    context = {**page.admin_site.each_context(request), "title": title, "action": action}
    return TemplateResponse(request, "admin/reason.html", {**context, "chosen": chosen})


class SeatInline(ForModerators, admin.TabularInline):
    model = Seat
    fields = ("number", "player", "kind", "beginner", "temper", "level", "total", "won", "lag_ms")
    ordering = ("number",)


class ChunkInline(ForModerators, admin.TabularInline):
    model = Chunk
    fields = ("round", "lines", "events", "duration_ms")
    ordering = ("first_seq",)


@admin.register(Match)
class MatchAdmin(ForModerators, Rows):
    """Matches. A moderator may unlist them, or delete those that came from elsewhere."""

    list_display = ("record_id", "edition", "seat_count", "state", "origin", "sender", "started_at")
    list_filter = ("origin", "visibility", "state", "edition")
    list_select_related = ("upload",)
    search_fields = ("record_id", "upload__name")
    ordering = ("-started_at", "-pk")
    fields = (*list_display, "visibility")  # not `token`: it opens a private match
    inlines = (SeatInline, ChunkInline)
    actions = ("unlist", "relist", "purge")

    @admin.display(description=_("uploaded by"))
    def sender(self, match: Match) -> str:
        upload = getattr(match, "upload", None)
        return upload.name if upload else ""

    @admin.action(description=_("Hide from lists"), permissions=["moderate"])
    def unlist(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse | None:
        return self._act_with_reason(
            request, chosen, "unlist", str(_("Hide from lists")), moderation.unlist
        )

    @admin.action(description=_("Show in lists again"), permissions=["moderate"])
    def relist(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse | None:
        return self._act_with_reason(
            request, chosen, "relist", str(_("Show in lists again")), moderation.relist
        )

    @admin.action(
        description=_("Delete permanently (only matches from elsewhere)"), permissions=["moderate"]
    )
    def purge(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse | None:
        return self._act_with_reason(
            request, chosen, "purge", str(_("Delete permanently")), moderation.purge
        )

    def _act_with_reason(
        self,
        request: HttpRequest,
        chosen: QuerySet[Match],
        action: str,
        title: str,
        act: Callable[[Match, Any, str], None],
    ) -> HttpResponse | None:
        """Ask for a reason first. Then act on each match and report the outcome."""
        reason = reason_in(request)
        if not reason:
            return ask_reason(self, request, chosen, action, title)
        for match in chosen:
            try:
                act(match, request.user, reason)
            except moderation.NotPossibleError as error:
                self.message_user(request, str(error), messages.ERROR)
            else:
                self.message_user(
                    request, _("{title}: done with {match}.").format(title=title, match=match)
                )
        return None


@admin.register(Player)
class PlayerAdmin(ForModerators, Rows):
    """Names, which a moderator may change. Records stay as they are."""

    list_display = ("name",)
    fields = ("name",)
    search_fields = ("skeleton",)
    ordering = ("skeleton",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return moderates(request)

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        if "name" in form.changed_data:
            moderation.rename(Player.objects.get(pk=obj.pk), obj.name, request.user)


@admin.register(MatchComplaint)
class MatchComplaintAdmin(ForModerators, Rows):
    list_display = ("created", "match", "name", "text")
    list_select_related = ("match",)
    search_fields = ("match__record_id", "name", "text")


@admin.register(Moderation)
class ModerationAdmin(ForModerators, Rows):
    list_display = ("created", "moderator_name", "action", "subject", "reason")
    search_fields = ("subject", "moderator_name")


def kind_of(stored: str) -> str:
    """What kind of person wrote or reported something."""
    person = decode(stored)
    return str(_("account") if person and person.kind is Kind.ACCOUNT else _("guest"))


def about(line: Any) -> dict[str, Any]:
    """The chat line of a moderator's action, without its words."""
    return {"line": line.n, "name": line.name}


class ModeratedChat(ForModerators, Rows):
    """Lines of chats. Anyone who may mute may also remove lines."""

    actions = ("hide", "show", "mute_here", "mute_everywhere")

    def lines(self, chosen: QuerySet[Any]) -> QuerySet[ChatLine]:
        """The lines that the chosen rows are about."""
        return ChatLine.objects.filter(pk__in=chosen.values("pk"))

    @admin.action(description=_("Remove messages"), permissions=["moderate"])
    def hide(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        count = self._set_hidden(request, chosen, hidden=True)
        messages.success(
            request,
            ngettext("{count} message removed.", "{count} messages removed.", count).format(
                count=count
            ),
        )

    @admin.action(description=_("Show messages again"), permissions=["moderate"])
    def show(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        count = self._set_hidden(request, chosen, hidden=False)
        messages.success(
            request,
            ngettext("{count} message shown again.", "{count} messages shown again.", count).format(
                count=count
            ),
        )

    def _set_hidden(self, request: HttpRequest, chosen: QuerySet[Any], *, hidden: bool) -> int:
        action = Moderation.Action.REMOVE if hidden else Moderation.Action.SHOW
        lines = list(self.lines(chosen).filter(hidden=not hidden).exclude(text=""))
        for line in lines:
            moderation.record_action(request.user, action, line.room, "", about(line))
        return ChatLine.objects.filter(pk__in=[line.pk for line in lines]).update(hidden=hidden)

    @admin.action(description=_("Mute the authors in that chat"), permissions=["moderate"])
    def mute_here(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._mute(request, chosen, here=True)

    @admin.action(description=_("Mute the authors everywhere"), permissions=["moderate"])
    def mute_everywhere(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._mute(request, chosen, here=False)

    def _mute(self, request: HttpRequest, chosen: QuerySet[Any], *, here: bool) -> None:
        muted = set()
        for line in self.lines(chosen):
            room = line.room if here else ""
            who = {"person": line.person, "room": room}
            if ChatMute.objects.get_or_create(**who, defaults={"name": line.name})[1]:
                muted.add(line.name)
                moderation.record_action(
                    request.user, Moderation.Action.MUTE, room, "", about(line)
                )
        said = _("Muted in that chat: {names}.") if here else _("Muted everywhere: {names}.")
        names = ", ".join(sorted(muted)) or _("no one new")
        messages.success(request, said.format(names=names))


@admin.register(ChatLine)
class ChatLineAdmin(ModeratedChat):
    exclude = ("person",)  # a guest's is a session secret
    list_display = ("room", "n", "name", "text", "created", "hidden")
    search_fields = ("name", "text", "room")


@admin.register(ChatComplaint)
class ChatComplaintAdmin(ModeratedChat):
    exclude = ("person",)
    list_display = ("created", "chat", "reporter", "writer", "text", "hidden")
    list_display_links = None
    list_select_related = ("line",)
    list_filter = ("line__hidden",)
    search_fields = ("line__room", "line__name", "name")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatComplaint]:
        table = LiveTable.objects.filter(record_id=OuterRef("line__room"))
        return super().get_queryset(request).annotate(of_match=Exists(table))

    def lines(self, chosen: QuerySet[Any]) -> QuerySet[ChatLine]:
        return ChatLine.objects.filter(complaints__in=chosen.values("pk")).distinct()

    @admin.display(ordering="line__room", description=_("chat"))
    def chat(self, complaint: Any) -> str:
        room = complaint.line.room
        page = "games:table" if complaint.of_match else "replays:review"
        return format_html('<a href="{}">{}</a>', reverse(page, args=[room]), room)

    @admin.display(ordering="name", description=_("reported by"))
    def reporter(self, complaint: ChatComplaint) -> str:
        return f"{complaint.name or _('unnamed')} ({kind_of(complaint.person)})"

    @admin.display(ordering="line__name", description=_("written by"))
    def writer(self, complaint: ChatComplaint) -> str:
        return complaint.line.name

    @admin.display(description=_("line"))
    def text(self, complaint: ChatComplaint) -> str:
        return f"{complaint.line.n}: {complaint.line.text}"

    @admin.display(boolean=True, ordering="line__hidden", description=_("hidden"))
    def hidden(self, complaint: ChatComplaint) -> bool:
        return complaint.line.hidden


@admin.register(ChatMute)
class ChatMuteAdmin(ForModerators, Rows):
    """Deleting a row ends the mute."""

    list_display = ("name", "kind", "room", "created")
    search_fields = ("name", "person")
    exclude = ("person",)  # a guest's is a session secret

    @admin.display(description=_("kind"))
    def kind(self, mute: ChatMute) -> str:
        return kind_of(mute.person)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("games.delete_chatmute")

    def delete_model(self, request: HttpRequest, obj: ChatMute) -> None:
        self.delete_queryset(request, ChatMute.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ChatMute]) -> None:
        for mute in queryset:
            moderation.record_action(
                request.user, Moderation.Action.UNMUTE, mute.room, "", {"name": mute.name}
            )
        queryset.delete()


@admin.register(SiteSettings)
class SiteSettingsAdmin(admin.ModelAdmin):
    """The one row. Its list leads to it."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if SiteSettings.objects.exists():
            return redirect("admin:games_sitesettings_change", 1)
        return redirect("admin:games_sitesettings_add")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not SiteSettings.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: SiteSettings, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        transaction.on_commit(door.forget)


@admin.register(SignUpInvitation)
class SignUpInvitationAdmin(Rows):
    """Invitations. A deleted one no longer works."""

    list_display = ("__str__", "link", "used", "uses", "ends")
    readonly_fields = ("code", "link", "used")
    fields = ("label", "uses", "ends", *readonly_fields)

    @admin.display(description=_("its link"))
    def link(self, invitation: SignUpInvitation) -> str:
        if not invitation.pk:
            return ""
        return f"{settings.SITE_ORIGINS[0]}{reverse(door.SIGN_UP)}?invitation={invitation.code}"
