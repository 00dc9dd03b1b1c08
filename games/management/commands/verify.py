"""``manage.py verify FILE...``: whether each record is valid, or where its first fault is."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.records.check import CheckedRecord, check_path
from games.records.log import RecordFault
from games.records.plural import counted


class Command(BaseCommand):
    help = "Check records (.ratuki files): one line per file, exit status 1 if any is faulty."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a .ratuki file")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print one line for each file."""
        faulty = 0
        for name in options["files"]:
            try:
                self._say(f"{name}: {summary(check_path(Path(name)))}")
            except RecordFault as fault:
                faulty += 1
                self._say(f"{name}:{fault}")
            except OSError as error:
                faulty += 1
                self._say(f"{name}: cannot be read: {error.strerror or error}")
        if faulty:
            sys.exit(1)

    def _say(self, line: str) -> None:
        """Print a line, even if the terminal lacks some of its characters."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding))


def summary(report: CheckedRecord) -> str:
    """What a valid record contains, in words."""
    return ", ".join(
        [
            "valid",
            counted(report.rounds, "round"),
            counted(report.events, "event"),
            outcome(report),
        ]
    )


def outcome(report: CheckedRecord) -> str:
    """Who won, in words."""
    if report.result is None:
        return "unfinished"
    names = [report.header.seats[seat].name for seat in report.result.winners]
    if not names:
        return "abandoned, no winner"
    return f"winner {names[0]}" if len(names) == 1 else f"winners {' and '.join(names)} (a draw)"
