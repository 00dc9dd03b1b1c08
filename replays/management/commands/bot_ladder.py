"""``manage.py bot_ladder``: let the roster's bots play each other, and write their ladders."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.editions import EDITIONS
from replays.ratings.bots import FILE, as_json, climb


class Command(BaseCommand):
    help = "Rate the bots by simulated matches against each other, and write the ladders."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--matches", type=int, default=1_000, metavar="M", help="for each edition (1000)")
        add("--seed", type=int, default=1, metavar="S", help="of tables, deals and bots (1)")

    def handle(self, *args: Any, matches: int, seed: int, **options: Any) -> None:
        if matches < 1:
            raise CommandError("--matches must be at least 1")
        ladders = {edition: climb(edition, matches, seed) for edition in EDITIONS}
        FILE.write_text(as_json(ladders), encoding="utf-8")
