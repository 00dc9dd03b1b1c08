"""``manage.py report ID``: a match's report as JSON (docs/reference/match-report.md)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.management.commands.export_record import find
from games.management.schema import need_database
from games.records.log import RecordFault
from replays.analysis import Findings, read
from replays.analysis.match_report import match_report
from replays.analysis.sentences import with_words
from replays.stored.logs import lags_of, timeline_of


class Command(BaseCommand):
    help = "Report on a match: result, moments, players, races, chances."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "id", help="its number (as in its URL), its record's id, or a .ratuki file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        findings = _findings(options["id"])
        report = {"seats": list(findings.names), **match_report(findings)}
        self.stdout.write(json.dumps(with_words(report, findings.names)))


def _findings(name: str) -> Findings:
    """Of a file, or of a stored match. Raises CommandError if there is none, if it is faulty, or
    if it is being played."""
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
    return Findings(timeline_of(match), lags_of(match))
