"""``manage.py export_record ID > FILE``: a match as the text of its record."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.archive import record_of
from games.migrating import need_database
from games.models import Match


class Command(BaseCommand):
    help = "Write a match to standard output as a .ratuki record, canonical."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help="the number in its address, or the record's own id")

    def handle(self, *args: Any, id: str, **options: Any) -> None:  # noqa: A002
        need_database()
        # Bytes where that can be: the encoding is the format's, not the terminal's.
        buffer = getattr(self.stdout, "buffer", None)
        for text in record_of(find(id)):
            if buffer is None:
                self.stdout.write(text, ending="")
            else:
                buffer.write(text.encode())


def find(name: str) -> Match:
    """The match with that record id or, failing that, that number."""
    found = Match.objects.filter(record_id=name).first()
    if found is None and name.isascii() and name.isdigit() and len(name) < 19:
        found = Match.objects.filter(pk=int(name)).first()
    if found is None:
        raise CommandError(f"no match {name}")
    return found
