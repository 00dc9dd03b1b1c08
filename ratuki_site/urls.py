"""Which address belongs to which room."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("games.urls")),
    path("", include("replays.urls")),
    path("account/", include("games.accounts.urls")),
    path("admin/", admin.site.urls),
]
