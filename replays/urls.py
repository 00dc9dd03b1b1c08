"""Addresses of looking back."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "replays"
urlpatterns: list[URLPattern | URLResolver] = []
