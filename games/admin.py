"""The admin shows matches and their logs, which it never changes, and moderates chats."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.models import ChatLine, ChatMute, ChatReport, Chunk, Match, Player, Seat
from games.people.sessions import visitor_of


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
    def hide(self, _request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self.lines(chosen).update(hidden=True)

    @admin.action(description="Mute who wrote them, in that match", permissions=["moderate"])
    def mute_here(self, _request: HttpRequest, chosen: QuerySet[Any]) -> None:
        for line in self.lines(chosen):
            who = {"person": line.person, "table_id": line.table_id}
            ChatMute.objects.get_or_create(**who, defaults={"name": line.name})

    @admin.action(description="Mute who wrote them, everywhere", permissions=["moderate"])
    def mute_everywhere(self, _request: HttpRequest, chosen: QuerySet[Any]) -> None:
        for line in self.lines(chosen):
            who = {"person": line.person, "table": None}
            ChatMute.objects.get_or_create(**who, defaults={"name": line.name})


@admin.register(ChatLine)
class ChatLineAdmin(Moderated):
    list_display = ("table", "n", "name", "text", "created", "hidden")
    search_fields = ("name", "text", "table__record_id")
    list_select_related = ("table",)
    ordering = ("-pk",)


@admin.register(ChatReport)
class ChatReportAdmin(Moderated):
    list_display = ("created", "line", "hidden")
    list_select_related = ("line",)
    ordering = ("-pk",)

    def lines(self, chosen: QuerySet[Any]) -> QuerySet[ChatLine]:
        return ChatLine.objects.filter(reports__in=chosen.values("pk")).distinct()

    @admin.display(boolean=True)
    def hidden(self, report: ChatReport) -> bool:
        return report.line.hidden


@admin.register(ChatMute)
class ChatMuteAdmin(ReadOnly, admin.ModelAdmin):
    """Deleting a row lets the person write again."""

    list_display = ("name", "person", "table", "created")
    search_fields = ("name", "person")
    ordering = ("-pk",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("games.delete_chatmute")
