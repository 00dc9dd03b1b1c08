"""``manage.py tidy [--days N]``: delete data that is no longer needed. Best run daily."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.management import BaseCommand, call_command

from games.archive.uploads import forget_old
from games.management.schema import need_database
from games.people import embargoes, log_ins
from games.people.each import for_each
from games.people.keepers import keepers
from games.people.mail import forget_mails
from games.tables import challenges
from games.tables.retention import KEEP_DAYS, forget_relayed, forget_tables


def positive(text: str) -> int:
    """A whole number of days, at least one."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 100_000:
        raise ArgumentTypeError(f"expected a number of days, found {text!r}")
    return int(text)


class Command(BaseCommand):
    help = "Delete old tables with their chats, expired sessions and old login attempts."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=positive, default=KEEP_DAYS, help=f"how long they stay ({KEEP_DAYS})"
        )

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        need_database()
        count = 0
        while forgotten := forget_tables(days):
            count += forgotten
        steps: list[Callable[[], object]] = [
            forget_relayed,
            challenges.forget_old,
            forget_mails,
            forget_old,
            partial(call_command, "clearsessions"),
            log_ins.forget_old,
            embargoes.forget_gone,
            *(partial(keeper.tidy, days) for keeper in keepers()),
            partial(call_command, "axes_reset_logs", age=days, stdout=self.stderr),
        ]
        for_each(steps, lambda step: step(), "tidying")
        self.stdout.write(f"{count} tables forgotten; every match is still there")
