"""``manage.py fit_points``: refit what weaknesses, and with them the parts of points, cost."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays.analysis.players.worth import FILE

_LEAST = 20


class Command(BaseCommand):
    help = "Let bots with random weaknesses play, and fit what each costs; print it, and write it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--matches", type=int, default=2_000, metavar="M", help="to fit to (default: 2000)")
        add("--seed", type=int, default=1, metavar="S", help="of the matches (1)")
        add("--jobs", type=int, default=1, metavar="J", help="processes that play (1)")
        add("--out", type=Path, default=FILE, metavar="FILE", help="where the constants go")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from replays.training.weaknesses import fitted
        except ModuleNotFoundError as missing:
            if missing.name != "numpy":
                raise
            raise CommandError("fitting needs numpy (make install)") from None
        if options["matches"] < _LEAST:
            raise CommandError(f"--matches must be at least {_LEAST}")
        worth = fitted(options["matches"], options["seed"], options["jobs"])
        options["out"].write_text(f"{json.dumps(worth, indent=1)}\n", encoding="utf-8")
        for (kind, points), error in zip(worth["effects"].items(), worth["errors"], strict=True):
            self.stdout.write(f"{kind}: {points} points a round, ± {100 * error:.0f}% of its price")
