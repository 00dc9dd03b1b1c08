"""``manage.py rebuild_summaries [ID...]``: recompute what lists and charts show."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from games.archive import outlines
from games.archive.store import summarise
from games.management.schema import need_database
from games.models import Match


class Command(BaseCommand):
    help = "Rebuild from the logs what lists, profiles and charts show of matches."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", type=int, metavar="ID", help="default: all")

    def handle(self, *args: Any, ids: list[int], **options: Any) -> None:
        need_database()
        matches = Match.objects.order_by("pk")
        if ids:
            matches = matches.filter(pk__in=ids)
        count = 0
        for match in matches.iterator(chunk_size=200):
            summarise(match)
            outlines.rebuild(match)
            count += 1
        self.stdout.write(f"{count} matches")
