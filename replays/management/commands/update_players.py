"""``manage.py update_players``: count finished matches into figures, and rate them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.management.schema import need_database
from games.models import Match
from games.records.plural import counted
from replays.players.counting import COUNTED, count, count_missing
from replays.ratings.ledger import settle_all


class Command(BaseCommand):
    help = "Count finished matches into the players' figures, and rate them."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="count all matches again")

    def handle(self, *args: Any, **options: Any) -> None:
        need_database()
        number = _count_all() if options["all"] else sum(1 for _ in count_missing())
        self.stdout.write(f"{counted(number, 'match', 'matches')} counted")
        self.stdout.write(f"{counted(settle_all(), 'match', 'matches')} rated")


def _count_all() -> int:
    """Count all matches again, whatever is stored."""
    matches = Match.objects.filter(state=Match.State.FINISHED, origin__in=COUNTED)
    number = 0
    for match in matches.order_by("pk").iterator(chunk_size=100):
        count(match)
        number += 1
    return number
