"""The admin shows matches and their logs; it changes nothing."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Chunk, Match, Player, Seat


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
    fields = ("number", "player", "kind", "beginner", "temper", "level", "total", "won")
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
