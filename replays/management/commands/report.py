"""``manage.py report ID``: a match's report as a page to send, as JSON or as CSV."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.archive.store import header_of, log_of
from games.management.commands.export_record import find
from games.management.schema import need_database
from games.models import Match
from games.records.log import RecordFault
from replays.analysis import Findings, read
from replays.analysis.match_report import match_report, players_csv
from replays.analysis.report_page import page
from replays.timeline import Timeline


class Command(BaseCommand):
    help = "Report on a match: result, moments, players, races, chances, tempo, luck."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "id", help="the match's number (as in its URL), the record's id, or a .ratuki file"
        )
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument("--html", type=Path, metavar="FILE", help="write one page with charts")
        way.add_argument("--json", action="store_true", help="print one JSON object")
        way.add_argument("--csv", action="store_true", help="print the player table")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = _findings(options["id"])
        if options["json"]:
            self.stdout.write(json.dumps(match_report(findings)))
        elif options["csv"]:
            self.stdout.write(players_csv(findings), ending="")
        else:
            self._write(options["html"], page(findings))

    def _write(self, path: Path, text: str) -> None:
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{path}: cannot be written: {error.strerror or error}") from None
        self.stdout.write(f"{path}: {len(text.encode()) / 1e6:.1f} MB")


def _findings(name: str) -> Findings:
    if name.endswith(".ratuki"):
        try:
            return Findings(read(name))
        except RecordFault as fault:
            raise CommandError(f"{name}:{fault}") from None
        except OSError as error:
            raise CommandError(f"{name}: cannot be read: {error.strerror or error}") from None
    need_database()
    match = find(name)
    if match.hidden:
        raise CommandError(
            f"match {name} is still being played: a report would reveal hidden cards"
        )
    timeline = Timeline.of([header_of(match), *log_of(match)])
    return Findings(timeline, _lags(match))


def _lags(match: Match) -> list[float | None] | None:
    """Each seat's measured lag; None for bots among people. None if nothing was measured."""
    rows = match.seats.in_order().values_list("lag_ms", "kind")
    found = [0.0 if lag is None and kind == "bot" else lag for lag, kind in rows]
    return found if any(lag is not None for lag, _ in rows) else None
