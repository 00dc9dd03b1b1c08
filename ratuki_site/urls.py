"""Which address belongs to which room."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("games.pages.urls")),
    path("", include("replays.pages.urls")),
    path("account/", include("games.pages.accounts.urls")),
    path("admin/", admin.site.urls),
]
