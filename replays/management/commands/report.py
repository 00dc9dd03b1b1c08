"""``manage.py report ID``: a match's report as a page to send, as JSON or as CSV."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from replays.analysis import Findings
from replays.analysis.match_report import match_report
from replays.analysis.report_tables import PLAYERS, TABLES, table_csv
from replays.management.finding import WANTED, measured_match
from replays.management.report_page import page


class Command(BaseCommand):
    help = "Report on a match: result, moments, players, races, chances, tempo."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help=WANTED)
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument("--html", type=Path, metavar="FILE", help="write one page with charts")
        way.add_argument("--json", action="store_true", help="print one JSON object")
        way.add_argument(
            "--csv",
            nargs="?",
            const=PLAYERS,
            choices=TABLES,
            metavar="TABLE",
            help=f"print a table: {', '.join(TABLES)} (default: {PLAYERS})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        findings = Findings(*measured_match(options["id"], "a report"))
        if options["json"]:
            self.stdout.write(json.dumps(match_report(findings)))
        elif options["csv"]:
            self.stdout.write(table_csv(options["csv"], findings), ending="")
        else:
            self._write(options["html"], page(findings))

    def _write(self, path: Path, text: str) -> None:
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{path}: cannot be written: {error.strerror or error}") from None
        self.stdout.write(f"{path}: {len(text.encode()) / 1e6:.1f} MB")
