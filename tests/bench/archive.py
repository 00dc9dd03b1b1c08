"""What storing and listing matches costs, in whatever database Django is set to."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

from django.db import connection
from django.db.models import Sum
from django.test import Client

from games.archive.packing import decompress
from games.models import Chunk, Match, Player
from tests.bench.measure import say, tell

_PAGES: Final = 40
"""So many times a page is asked for; the median counts."""
_MANY: Final = 100_000


def measure() -> None:
    """Print one line for each measure; the database has matches and is filled up with more."""
    bytes_per_event()
    read_rate()
    page_times()


def bytes_per_event() -> None:
    """The whole database file, tables and indexes, by the events in it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = Path(connection.settings_dict["NAME"]).stat().st_size
    events = Match.objects.aggregate(events=Sum("events"))["events"]
    tell("storage", size / events, "bytes an event on disk", "at most 4.0")


def read_rate() -> None:
    """From the database to columns, match by match."""
    matches = list(Match.objects.values_list("pk", flat=True))
    events = Match.objects.aggregate(events=Sum("events"))["events"]
    began = process_time()
    for match in matches:
        rows = Chunk.objects.filter(match=match).order_by("first_seq")
        for body in rows.values_list("body", flat=True):
            decompress(bytes(body))
    spent = process_time() - began
    tell("reading a log to columns", 1e6 * spent / events, "µs an event", "at most 1")


def page_times() -> None:
    """CPU of pages of the archive, with as many matches as there are and with many."""
    addresses = pages()
    few = {name: page_ms(address) for name, address in addresses.items()}
    stored = Match.objects.count()
    tell("a player's page", few["a player"], f"CPU ms with {stored} counted matches", "at most 500")
    multiply(_MANY)
    for name, address in pages().items():
        many = page_ms(address)
        words = f"{few[name]:.2f} ms with {stored} matches, {many:.2f} ms with {_MANY}"
        say(f"  archive, {name}: {words} ({100 * many / few[name] - 100:+.0f} %, aim: within 20 %)")


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
    values = ", ".join(changed.get(name, f'"{name}"') for name in names)
    counting = (
        "WITH RECURSIVE given(most, step) AS (VALUES (%s, %s)), copy(n, step) AS ("
        "SELECT 1, step FROM given UNION ALL "
        "SELECT n + 1, copy.step FROM copy, given WHERE n < most)"
    )
    quoted = ", ".join(f'"{name}"' for name in names)
    inserted = f"INSERT INTO {table} ({quoted})"
    return f"{inserted} {counting} SELECT {values} FROM {table}, copy"
