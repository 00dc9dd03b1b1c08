"""``manage.py bench``: what storing and listing matches costs, one line for each measure.

It works in a database of its own in a folder for the purpose, never in the site's.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from django.core.management import BaseCommand, call_command
from django.db import connection
from django.db.models import Sum

from games.models import Chunk, Match, Player
from games.records.compression import decompress

_PAGES: Final = 40
"""So many times a page is asked for; the median counts."""
_MANY: Final = 100_000


class Command(BaseCommand):
    help = "Measure, in a database of its own, what storing and listing matches costs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--matches", type=int, default=1_000, help="matches to simulate (1000)")
        parser.add_argument("--here", action="store_true", help="in the database as it is set")

    def handle(self, *args: Any, matches: int, here: bool, **options: Any) -> None:
        if not here:
            elsewhere(matches)
            return
        call_command("migrate", verbosity=0)
        call_command("simulate", matches=matches, seed=1)
        for measure in (bytes_per_event, read_rate, page_times):
            measure(self.stdout.write)


def elsewhere(matches: int) -> None:
    """Run this command again with a database of its own."""
    with TemporaryDirectory(prefix="ratuki-bench-") as folder:
        environment = {**os.environ, "RATUKI_VAR": folder, "SITE_ORIGINS": "http://localhost"}
        environment.pop("DATABASE_URL", None)
        command = (sys.argv[0], "bench", "--here", f"--matches={matches}")
        subprocess.run((sys.executable, *command), env=environment, check=True)


def bytes_per_event(say: Callable[[str], object]) -> None:
    """The whole database file, tables and indexes, by the events in it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = Path(connection.settings_dict["NAME"]).stat().st_size
    events = Match.objects.aggregate(events=Sum("events"))["events"]
    say(f"storage: {size / events:.2f} bytes an event on disk ({events} events, {size} bytes)")


def read_rate(say: Callable[[str], object]) -> None:
    """From the database to columns, match by match."""
    matches = list(Match.objects.values_list("pk", flat=True))
    events = Match.objects.aggregate(events=Sum("events"))["events"]
    began = process_time()
    for match in matches:
        rows = Chunk.objects.filter(match=match).order_by("first_seq")
        for body in rows.values_list("body", flat=True):
            decompress(bytes(body))
    spent = process_time() - began
    say(f"reading a log to columns: {1e6 * spent / events:.3f} µs an event")


def page_times(say: Callable[[str], object]) -> None:
    """CPU of pages of the archive, with as many matches as there are and with many."""
    addresses = pages()
    few = {name: page_ms(address) for name, address in addresses.items()}
    stored = Match.objects.count()
    multiply(_MANY)
    for name, address in pages().items():
        many = page_ms(address)
        words = f"{few[name]:.2f} ms with {stored} matches, {many:.2f} ms with {_MANY}"
        say(f"archive, {name}: {words} ({100 * many / few[name] - 100:+.0f} %)")


def pages() -> dict[str, str]:
    """Pages of the archive by what they show; one goes on deep in the list."""
    order = Match.objects.order_by("started_at", "pk")
    deep = order[order.count() // 3]
    player = Player.objects.order_by("pk")[0].name
    return {
        "first page": "/matches/",
        "deep page": f"/matches/?after={int(deep.started_at.timestamp())}.{deep.pk}",
        "filtered": "/matches/?edition=usaopoly-2009&seats=4&who=bots&ties=yes&length=medium",
        "nothing found": "/matches/?notes=yes&who=mixed",
        "of a player": f"/matches/?player={player}&winner={player}&close=close",
        "closest first": "/matches/?sort=closest",
        "a player": f"/players/{player}/",
    }


def page_ms(address: str) -> float:
    """CPU ms of a page."""
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    times = []
    for _ in range(_PAGES):
        began = process_time()
        client.get(address)
        times.append(process_time() - began)
    return 1_000 * median(times)


def multiply(matches: int) -> None:
    """Fill the database up to so many matches with copies, each some hours earlier.

    Copies have no log; what lists ask of them is all there.
    """
    stored = Match.objects.count()
    step = Match.objects.latest("pk").pk
    with connection.cursor() as cursor:
        for table, key in (("games_match", "id"), ("games_seat", "match_id")):
            cursor.execute(copies(cursor, table, key), [-(-matches // stored) - 1, step])


def copies(cursor: Any, table: str, key: str) -> str:
    """The statement that copies a table's rows n times; parameters: n and the step of keys."""
    described = connection.introspection.get_table_description(cursor, table)
    names = [column.name for column in described if column.name != "id" or key == "id"]
    changed = {
        key: f"{key} + copy.n * copy.step",
        "record_id": "record_id || '-' || copy.n",
        "started_at": "datetime(started_at, '-' || (7 * copy.n) || ' hours')",
        "day": "day - 7 * copy.n / 24",
    }
    values = ", ".join(changed.get(name, name) for name in names)
    counting = (
        "WITH RECURSIVE given(most, step) AS (VALUES (%s, %s)), copy(n, step) AS ("
        "SELECT 1, step FROM given UNION ALL "
        "SELECT n + 1, copy.step FROM copy, given WHERE n < most)"
    )
    inserted = f"INSERT INTO {table} ({', '.join(names)})"
    return f"{inserted} {counting} SELECT {values} FROM {table}, copy"  # noqa: S608
