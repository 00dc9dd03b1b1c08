"""``manage.py fit_habits``: count how soon the site's bots do what their hands could do."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from replays.analysis.careers.alike import FILE
from replays.training.habits import rates


class Command(BaseCommand):
    help = "Let the site's bots play, count their habits, and write the file that names the like."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--matches", type=int, default=200, metavar="M", help="to count (default: 200)")
        add("--seed", type=int, default=1, metavar="S", help="of the matches (1)")
        add("--out", type=Path, default=FILE, metavar="FILE", help="where the rates go")

    def handle(self, *args: Any, **options: Any) -> None:
        by_bot = rates(options["matches"], options["seed"])
        options["out"].write_text(f"{json.dumps(by_bot, indent=1)}\n", encoding="utf-8")
        self.stdout.write(f"{len(by_bot)} bots")
