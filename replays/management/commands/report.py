"""``manage.py report ID``: a match's report as JSON (docs/reference/match-report.md)."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from replays.analysis import Findings
from replays.analysis.match_report import match_report
from replays.analysis.sentences import with_words
from replays.management.finding import WANTED, measured_match


class Command(BaseCommand):
    help = "Report on a match: result, moments, players, races, chances, tempo."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help=WANTED)

    def handle(self, *args: Any, **options: Any) -> None:
        findings = Findings(*measured_match(options["id"], "a report"))
        report = {"seats": list(findings.names), **match_report(findings)}
        self.stdout.write(json.dumps(with_words(report, findings.names)))
