"""The admin shows matches and their logs, which it never changes, and moderates chats."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from games.models import ChatLine, ChatMute, ChatReport, Chunk, Match, Player, Seat
from games.people.person import Kind, decode
from games.people.sessions import visitor_of
from games.records.plural import counted


class ReadOnly:
    """Nothing is added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = ("number", "player", "kind", "beginner", "temper", "level", "total", "won", "lag_ms")
    ordering = ("number",)


class ChunkInline(ReadOnly, admin.TabularInline):
    model = Chunk
    fields = ("first_seq", "lines", "round", "events", "duration_ms", "packed")
    ordering = ("first_seq",)


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("record_id", "edition", "seat_count", "state", "source", "started_at", "rounds")
    list_filter = ("state", "edition", "source", "visibility")
    search_fields = ("record_id",)
    ordering = ("-started_at", "-pk")
    show_full_result_count = False
    exclude = ("token",)  # it opens a match that is not public
    inlines = (SeatInline, ChunkInline)


@admin.register(Player)
class PlayerAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name",)
    search_fields = ("folded",)
    ordering = ("folded",)
    show_full_result_count = False


def kind_of(stored: str) -> str:
    """What somebody is who wrote, or reports."""
    person = decode(stored)
    return "account" if person and person.kind is Kind.ACCOUNT else "guest"


class Moderated(ReadOnly, admin.ModelAdmin):
    """What spectators have said; whoever may mute may also take lines away."""

    show_full_result_count = False
    actions = ("hide", "mute_here", "mute_everywhere")

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        return visitor_of(request).moderator

    def lines(self, chosen: QuerySet[Any]) -> QuerySet[ChatLine]:
        """The lines that the chosen rows are about."""
        return ChatLine.objects.filter(pk__in=chosen.values("pk"))

    @admin.action(description="Take the lines away", permissions=["moderate"])
    def hide(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        count = self.lines(chosen).filter(hidden=False).update(hidden=True)
        messages.success(request, f"{counted(count, 'line', 'lines')} taken away.")

    @admin.action(description="Mute who wrote them, in that match", permissions=["moderate"])
    def mute_here(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._mute(request, chosen, here=True)

    @admin.action(description="Mute who wrote them, everywhere", permissions=["moderate"])
    def mute_everywhere(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._mute(request, chosen, here=False)

    def _mute(self, request: HttpRequest, chosen: QuerySet[Any], *, here: bool) -> None:
        muted = set()
        for line in self.lines(chosen):
            who = {"person": line.person, "table_id": line.table_id if here else None}
            _, new = ChatMute.objects.get_or_create(**who, defaults={"name": line.name})
            if new:
                muted.add(line.name)
        where = "in that match" if here else "everywhere"
        names = ", ".join(sorted(muted)) or "Nobody new"
        messages.success(request, f"Muted {where}: {names}.")


@admin.register(ChatLine)
class ChatLineAdmin(Moderated):
    exclude = ("person",)  # a guest's is the secret of a session
    list_display = ("table", "n", "name", "text", "created", "hidden")
    search_fields = ("name", "text", "table__record_id")
    list_select_related = ("table",)
    ordering = ("-pk",)


@admin.register(ChatReport)
class ChatReportAdmin(Moderated):
    exclude = ("person",)
    list_display = ("created", "match", "reporter", "writer", "text", "hidden")
    list_display_links = None
    list_select_related = ("line__table",)
    list_filter = ("line__hidden",)
    search_fields = ("line__table__record_id", "line__name", "name")
    ordering = ("-pk",)

    def lines(self, chosen: QuerySet[Any]) -> QuerySet[ChatLine]:
        return ChatLine.objects.filter(reports__in=chosen.values("pk")).distinct()

    @admin.display(ordering="line__table")
    def match(self, report: ChatReport) -> str:
        table = report.line.table.record_id
        return format_html('<a href="{}">{}</a>', reverse("games:table", args=[table]), table)

    @admin.display(ordering="name")
    def reporter(self, report: ChatReport) -> str:
        return f"{report.name or 'unnamed'} ({kind_of(report.person)})"

    @admin.display(ordering="line__name", description="written by")
    def writer(self, report: ChatReport) -> str:
        return report.line.name

    @admin.display(description="line")
    def text(self, report: ChatReport) -> str:
        return f"{report.line.n}: {report.line.text}"

    @admin.display(boolean=True, ordering="line__hidden")
    def hidden(self, report: ChatReport) -> bool:
        return report.line.hidden


@admin.register(ChatMute)
class ChatMuteAdmin(ReadOnly, admin.ModelAdmin):
    """Deleting a row lets the person write again."""

    list_display = ("name", "kind", "table", "created")
    list_select_related = ("table",)
    search_fields = ("name", "person")
    exclude = ("person",)  # a guest's is the secret of a session
    ordering = ("-pk",)

    def kind(self, mute: ChatMute) -> str:
        return kind_of(mute.person)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("games.delete_chatmute")
