"""``manage.py train``: refit the win probability's models to freshly simulated matches."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from replays.analysis.winning.network import MODELS


class Command(BaseCommand):
    help = "Fit the win probability model to simulated matches, test it on others, write its files."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--matches", type=int, default=8_000, metavar="M", help="to fit to (default: 8000)")
        add("--tests", type=int, default=3_000, metavar="M", help="fresh ones to test on (3000)")
        add("--seed", type=int, default=1, metavar="S", help="of matches and weights (1)")
        add("--jobs", type=int, default=1, metavar="J", help="processes that play (1)")
        add("--out", type=Path, default=MODELS, metavar="DIR", help="where the models go")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from replays.training import train
        except ModuleNotFoundError as missing:
            if missing.name != "numpy":
                raise
            raise CommandError(
                "training needs numpy, which only developers install: "
                "python -m pip install -r requirements-dev.txt (or: make install)"
            ) from None
        if options["matches"] < 40 or options["tests"] < 1:
            raise CommandError("--matches must be at least 40 and --tests at least 1")
        cache = Path(settings.VAR_DIR) / "training"
        plan = train.TrainingPlan(
            options["seed"], options["matches"], options["tests"], cache, options["jobs"]
        )
        options["out"].mkdir(parents=True, exist_ok=True)
        for name, model in train.train(plan):
            path = options["out"] / f"{name}.json"
            path.write_text(train.written(model), encoding="utf-8")
            self.stdout.write(f"{path}: {path.stat().st_size} bytes, digest {model['digest']}")
            for population, figures in model["scores"].items():
                listed = ", ".join(f"{key} {value}" for key, value in figures.items())
                self.stdout.write(f"  {population}: {listed}")
