"""Addresses of looking back."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path, register_converter

from replays.pages import api, views


class MatchNumber:
    """A match's number in an address: one that a database can hold."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        """As a number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """As text."""
        return str(value)


register_converter(MatchNumber, "match")

app_name = "replays"
urlpatterns: list[URLPattern | URLResolver] = [
    path("matches/", views.archive, name="archive"),
    path("matches/upload/", views.upload, name="upload"),
    path("matches/<match:pk>.ratuki", views.record, name="record"),
    path("matches/<match:pk>/", views.replay, name="replay"),
    path("matches/<match:pk>/log", api.log, name="log"),
    path("matches/<match:pk>/charts/<slug:name>", api.chart, name="chart"),
    path("players/", views.players, name="players"),
    path("players/<path:name>/", views.player, name="player"),
    path("spoilers/", views.spoilers, name="spoilers"),
]
