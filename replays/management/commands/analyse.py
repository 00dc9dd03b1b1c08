"""``manage.py analyse FILE``: a record's measures as JSON (docs/reference/measures.md)."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.records.log import RecordFault
from replays.analysis import read
from replays.analysis.measures import measures


class Command(BaseCommand):
    help = "Measure one record: stacks, who fed whom, races, missed takes, tempo."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="one JSON object, as always")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["file"]
        try:
            timeline = read(name)
        except RecordFault as fault:
            self._say(f"{name}:{fault}")
            sys.exit(1)
        except OSError as error:
            self._say(f"{name}: cannot be read: {error.strerror or error}")
            sys.exit(1)
        self._say(json.dumps(measures(timeline)))

    def _say(self, text: str) -> None:
        """Print, even if the terminal lacks some of the characters."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
