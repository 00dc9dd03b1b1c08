"""``manage.py rate``: bring the ratings up to date with the matches, or rate them all again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.management.schema import need_database
from games.records.plural import counted
from replays.ratings.ledger import rebuild, settle_all


class Command(BaseCommand):
    help = "Rate the finished matches between people, by edition."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rebuild", action="store_true", help="rate all matches again")

    def handle(self, *args: Any, **options: Any) -> None:
        need_database()
        number = rebuild() if options["rebuild"] else settle_all()
        self.stdout.write(f"{counted(number, 'match', 'matches')} rated")
