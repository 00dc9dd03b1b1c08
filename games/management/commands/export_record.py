"""``manage.py export_record ID > FILE``: a match as the text of its record."""

import os
import sys
from argparse import ArgumentParser
from typing import Any, BinaryIO

from django.core.management import BaseCommand, CommandError

from games.archive.store import record_of
from games.management.schema import need_database
from games.models import Match


class Command(BaseCommand):
    help = "Write a match to standard output as a canonical .ratuki record."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help="the match's number (as in its URL), or the record's id")
        parser.add_argument(
            "--hidden",
            action="store_true",
            help="write a match that is being played too, with its hidden cards and seeds",
        )

    def handle(self, *args: Any, id: str, hidden: bool, **options: Any) -> None:  # noqa: A002
        need_database()
        match = find(id)
        if match.hidden and not hidden:
            words = "is being played; its record would tell hidden cards and seeds (--hidden does)"
            raise CommandError(f"match {id} {words}")
        # Bytes if possible: the format sets the encoding, not the terminal.
        buffer = getattr(self.stdout, "buffer", None)
        if buffer is not None:
            _send(match, buffer)
            return
        for text in record_of(match):
            self.stdout.write(text, ending="")


def _send(match: Match, out: BinaryIO) -> None:
    """Write the record. Exit with status 1 if the reader closes the pipe, as `head` does."""
    try:
        out.writelines(text.encode() for text in record_of(match))
        out.flush()
    except BrokenPipeError:
        # Discard what is still buffered, or Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
        sys.exit(1)


def find(name: str) -> Match:
    """The match with that record id or, failing that, that number."""
    match = Match.objects.filter(record_id=name).first()
    if match is None and name.isascii() and name.isdigit() and len(name) < 19:
        match = Match.objects.filter(pk=int(name)).first()
    if match is None:
        raise CommandError(f"no match {name}")
    return match
