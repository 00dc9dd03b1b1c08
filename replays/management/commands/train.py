"""``manage.py train``: refit the win probability's model to freshly simulated matches."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays.analysis.winning.network import MODELS


class Command(BaseCommand):
    help = "Fit the win probability model to simulated matches and write its file."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--matches", type=int, default=20_000, metavar="M", help="to fit to (default: 20000)")
        add("--seed", type=int, default=1, metavar="S", help="of matches and weights (1)")
        add("--jobs", type=int, default=1, metavar="J", help="processes that play (1)")
        add("--out", type=Path, default=MODELS, metavar="DIR", help="where the model goes")

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
        if options["matches"] < 40:
            raise CommandError("--matches must be at least 40")
        model = train.train(options["seed"], options["matches"], options["jobs"])
        path = options["out"] / f"{model['model']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(train.written(model), encoding="utf-8")
        self.stdout.write(
            f"{path}: digest {model['digest']}, log loss {model['loss']} on matches held out"
        )
