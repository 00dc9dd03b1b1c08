"""``manage.py import_records FILE...``: check and store records, each whole or not at all."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import IntegrityError

from games.archive.packing import PackedRecord
from games.archive.store import insert, read_record, says_the_same
from games.management.schema import need_database
from games.models import Match
from games.records.log import RecordFault
from games.records.plural import counted


class Command(BaseCommand):
    help = "Check .ratuki records and store them; matches that are already stored are skipped."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)

    def handle(self, *args: Any, files: list[Path], **options: Any) -> None:
        need_database()
        done = [self._import(path) for path in files]
        if not all(done):
            raise CommandError(f"{done.count(False)} of {len(done)} files could not be imported")

    def _import(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                _, packed = read_record(file)
        except RecordFault as fault:
            self.stderr.write(f"{path}:{fault}")
            return False
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
            return False
        try:
            (match,) = insert([packed], Match.Origin.IMPORTED)
        except IntegrityError:
            return self._report_known(path, packed)
        rounds = counted(packed.summary.rounds, "round")
        events = counted(packed.summary.events, "event")
        self.stdout.write(f"{path}: match {match.pk} ({match.record_id}), {rounds}, {events}")
        return True

    def _report_known(self, path: Path, packed: PackedRecord) -> bool:
        """Report that a match with that id exists. Returns whether it is the same one."""
        match = Match.objects.get(record_id=packed.summary.header.id)
        known = f"match {match.pk} already ({match.record_id})"
        if says_the_same(match, packed):
            self.stdout.write(f"{path}: left alone, it is {known}")
            return True
        self.stderr.write(f"{path}: differs from the record that is {known}; nothing was changed")
        return False
