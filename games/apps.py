"""The Django app for playing and watching."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_delete


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        """Let deleted accounts take along what they wrote, and remember log-ins."""
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from games.models import searching
        from games.people import log_ins

        post_delete.connect(_forget, sender=settings.AUTH_USER_MODEL)
        searching.register()
        log_ins.connect(user_logged_in, user_logged_out)


def _forget(instance: Any, **_: Any) -> None:
    from games.archive import uploads
    from games.chat import storage
    from games.people.keepers import keepers
    from games.people.person import account

    storage.forget(account(instance.pk))
    uploads.forget(account(instance.pk))
    for keeper in keepers():
        keeper.forget(account(instance.pk))
