"""``manage.py bot_ladder``: play the roster's bots against each other, and store their ladder."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.editions import EDITIONS
from games.management.schema import need_database
from replays.ratings.bots import ask, climb, store


class Command(BaseCommand):
    help = "Rate the bots by simulated matches against each other, and store the ladder."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--matches", type=int, default=1_000, metavar="M", help="for each edition (1000)")
        add("--seed", type=int, default=1, metavar="S", help="of tables, deals and bots (1)")
        add("--later", action="store_true", help="let workers play it, as a job")
        add("--edition", choices=list(EDITIONS), help="only this one (default: all)")

    def handle(self, *args: Any, **options: Any) -> None:
        need_database()
        if options["matches"] < 1:
            raise CommandError("--matches must be at least 1")
        editions = [options["edition"]] if options["edition"] else list(EDITIONS)
        if options["later"]:
            ask(editions, options["matches"], options["seed"])
            return
        for edition in editions:
            rungs = climb(edition, options["matches"], options["seed"])
            store(edition, rungs, options["matches"], options["seed"])
            self.stdout.write(edition)
            for bot, standing in rungs:
                rating = f"{standing.rating:5} ± {standing.doubt:3}"
                self.stdout.write(f"  {rating}  {bot:14} {standing.matches} matches")
