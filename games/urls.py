"""Addresses of playing."""

from __future__ import annotations

from django.urls import path

from games import views, watching

app_name = "games"
urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play, name="lobby"),
    path("play/name/", views.rename, name="rename"),
    path("play/quick/", views.quick, name="quick"),
    path("play/new/", views.new, name="new"),
    path("play/join/", views.join, name="join"),
    path("play/<slug:table_id>/", views.table, name="table"),
    path("play/<slug:table_id>/sit/", views.sit, name="sit"),
    path("play/<slug:table_id>/leave/", views.stand_up, name="stand_up"),
    path("play/<slug:table_id>/bots/", views.fill, name="fill"),
    path("play/<slug:table_id>/link/", views.new_link, name="new_link"),
    path("play/<slug:table_id>/replay/", views.replay, name="replay"),
    path("watch/", watching.watch, name="watch"),
    path("watch/wall/", watching.wall, name="wall"),
    path("watch/after/<slug:table_id>/", watching.following, name="following"),
]
