"""``manage.py push_key``: a new `PUSH_KEY`, by which browsers know the site."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from replays.web_push import new_key


class Command(BaseCommand):
    help = "Make a key for Web Push; with another one, browsers have to ask again."
    requires_system_checks = []

    def handle(self, *_args: object, **_options: object) -> None:
        self.stdout.write(f"PUSH_KEY={new_key()}")
