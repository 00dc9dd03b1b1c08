"""``manage.py recount``: bring the players' figures and ratings up to date with the matches."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.management.schema import need_database
from games.records.plural import counted
from replays.players.counting import count, count_missing, countable
from replays.ratings.ledger import rebuild, settle_all


class Command(BaseCommand):
    help = "Count matches that are over into the players' figures, and rate them."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="count and rate all matches again")

    def handle(self, *args: Any, **options: Any) -> None:
        need_database()
        again = options["all"]
        number = _count_all() if again else sum(1 for _ in count_missing())
        self.stdout.write(f"{counted(number, 'match', 'matches')} counted")
        number = rebuild() if again else settle_all()
        self.stdout.write(f"{counted(number, 'match', 'matches')} rated")


def _count_all() -> int:
    """Count all matches again, whatever is stored."""
    number = 0
    for match in countable().order_by("pk").iterator(chunk_size=100):
        count(match)
        number += 1
    return number
