"""The Django app for playing and watching."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_delete, pre_delete
from django.utils.translation import gettext_lazy


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = gettext_lazy("Games")

    def ready(self) -> None:
        """Let deleted accounts take along what they wrote, and remember log-ins."""
        from django.contrib.auth.signals import user_logged_in, user_logged_out
        from django.core.checks import Tags, register

        from games.management.schema import verify_release
        from games.models import searching
        from games.people import log_ins

        translate_names(self)
        pre_delete.connect(_log_out, sender=settings.AUTH_USER_MODEL)
        post_delete.connect(_forget, sender=settings.AUTH_USER_MODEL)
        register(verify_release, Tags.database)
        searching.register()
        log_ins.connect(user_logged_in, user_logged_out)


def translate_names(app: AppConfig) -> None:
    """Have the admin name models and fields in the reader's language.

    Django derives the names from the code. Made translatable here, they are in no migration.
    """
    for model in app.get_models():
        meta = model._meta
        meta.verbose_name = gettext_lazy(str(meta.verbose_name))
        meta.verbose_name_plural = gettext_lazy(str(meta.verbose_name_plural))
        for field in meta.fields:
            field.verbose_name = gettext_lazy(str(field.verbose_name))
            if field.help_text:
                field.help_text = gettext_lazy(str(field.help_text))


def _log_out(instance: Any, **_: Any) -> None:
    from games.people import log_ins

    log_ins.end(instance)


def _forget(instance: Any, **_: Any) -> None:
    from django.contrib.admin.models import LogEntry

    from games.archive import uploads
    from games.chat import storage
    from games.people import log_ins
    from games.people.keepers import keepers
    from games.people.person import account
    from games.tables import challenges

    challenges.forget(account(instance.pk))
    storage.forget(account(instance.pk))
    uploads.forget(account(instance.pk))
    log_ins.forget_attempts(instance.get_username())
    of_users = {"content_type__app_label": "auth", "content_type__model": "user"}
    entries = LogEntry.objects.filter(**of_users, object_id=str(instance.pk))
    entries.update(object_repr=storage.GONE, change_message="")
    for keeper in keepers():
        keeper.forget(account(instance.pk), instance.get_username())
