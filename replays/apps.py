"""The Django app for looking back."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy

from games.apps import translate_names


class ReplaysConfig(AppConfig):
    name = "replays"
    verbose_name = gettext_lazy("Replays")

    def ready(self) -> None:
        translate_names(self)
