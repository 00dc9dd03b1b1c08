"""A site after years: how long its pages take, and what a match takes to store.

MATCHES=100000 fills a PostgreSQL server of its own with so many (`filling`). DATABASE_URL=…
measures in a database on this machine that is filled already. Times are CPU milliseconds of this
process and the database's server together, the mean of some warm runs: what a page takes if nothing
else runs. Ten visitors at once are answered by one process, as served in earnest, by the wall's
clock. SLOW_MS=50: show the plans of queries that take longer.
"""

import gc
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final
from urllib.parse import quote
from urllib.request import urlopen

from tests.bench.measure import cpu, say, tell
from tests.services import Postgres, Site

MATCHES: Final = int(os.environ.get("MATCHES", "20000"))
SLOW_MS: Final = float(os.environ.get("SLOW_MS", "50"))
_RUNS: Final = 5
_AT_ONCE: Final = 10
_ARCHIVE: Final = [
    f"/matches/?sort={order}{also}"
    for order in ("newest", "oldest", "longest", "closest", "ties")
    for also in ("", "&seats=4", "&edition=gamerules&players=humans", "&ties=yes", "&notes=yes")
]


def bench() -> None:
    """Print the times and sizes, and the plans of slow queries."""
    with _database():
        import django
        from django.conf import settings

        django.setup()
        gc.set_threshold(*settings.GARBAGE_THRESHOLDS)
        _measure()


@contextmanager
def _database() -> Iterator[None]:
    """A filled database, as the settings will find it."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "ratuki_site.settings",
        "SITE_ORIGINS": "http://testserver",
    }
    os.environ["RATUKI_VAR"] = tempfile.mkdtemp(prefix="ratuki-years-")
    if "DATABASE_URL" in os.environ:
        yield
        return
    server = Postgres(empty=True)
    try:
        os.environ["DATABASE_URL"] = server.url()
        yield
    finally:
        server.close()


def _measure() -> None:
    from django.core.management import call_command

    from games.models import Match

    logging.disable(logging.INFO)
    call_command("migrate", verbosity=0)
    if Match.objects.count() < MATCHES:
        from tests.bench.filling import fill

        began = perf_counter()
        fill(MATCHES)
        say(f"  filled in {perf_counter() - began:.0f} s")
    say(f"  {Match.objects.count():,} matches")
    _pages()
    _regular()
    _counting()
    _sizes()


def _pages() -> None:
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tests.bench.filling import HOUSE, MANY, MOST

    own, stranger = Client(), Client()
    own.force_login(get_user_model().objects.get(username=MOST))
    most, many, house = (f"/players/{quote(name)}/" for name in (MOST, MANY, HOUSE))
    both = quote(f"{MOST}, {MANY}")
    slowest = max(_ms(partial(_get, stranger, path), runs=2) for path in _ARCHIVE)
    tell(f"archive, the slowest of {len(_ARCHIVE)} orders and filters", slowest, "ms", "100")
    for name, client, path, aim in (
        ("archive, two players", stranger, f"/matches/?player={both}", "100"),
        (f"a player of {_played(MANY):,} matches", stranger, many, "150"),
        (f"a player of {_played(MOST):,}", stranger, most, "150"),
        ("the same, own", own, most, "150"),
        (f"the house's bot, {_played(HOUSE):,}", stranger, house, "150"),
        ("home", own, "/", "100"),
        ("practise", own, "/practise/", "100"),
        ("own matches", own, "/matches/mine/", "100"),
        ("own matches, page 1,000", own, "/matches/mine/?page=1000", "100"),
    ):
        _timed(name, partial(_get, client, path), aim)
    _at_once([most, many, house, f"/matches/?player={both}"])


def _played(name: str) -> int:
    from games.models import Seat

    return Seat.objects.filter(player__name=name).count()


def _get(client: Any, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200, (path, response.status_code)


def _at_once(paths: list[str]) -> None:
    with tempfile.TemporaryDirectory() as var:
        folder = Path(var)
        with Site(folder, {"DATABASE_URL": os.environ["DATABASE_URL"]}) as site:
            (folder / "static").mkdir()
            site.start()

            def ask(path: str) -> float:
                began = perf_counter()
                with urlopen(site.url + path) as page:
                    page.read()
                return 1_000 * (perf_counter() - began)

            for path in paths:
                ask(path)
            asked = [paths[at % len(paths)] for at in range(_AT_ONCE)]
            with ThreadPoolExecutor(_AT_ONCE) as pool:
                times = [time for _ in range(3) for time in pool.map(ask, asked)]
    tell("ten visitors on such pages at once, median", median(times), "ms", "500")
    tell("the same, at most", max(times), "ms")


def _regular() -> None:
    from replays.news import tell_followers
    from replays.ratings.ledger import look_round

    _timed("each minute: ledger.look_round", look_round, "100")
    _timed("each minute: news.tell_followers", tell_followers, "20")


def _counting() -> None:
    from games.models import Match
    from replays.patterns import storing
    from replays.players import counting

    some = list(Match.objects.filter(record_id__startswith="years-").order_by("-pk")[:12])
    for name, act in (("counting", counting.count), ("occurrences", storing.keep)):
        each = median(1_000 * cpu(partial(act, match)) for match in some)
        tell(f"after a change of measures: {name}", each, "CPU ms a match")


def _sizes() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(_SIZES)
        for table, kb in cursor.fetchall():
            tell(f"stored a match: {table}", kb, "KB")


_SIZES: Final = """
SELECT coalesce(relname, 'in all'), sum(pg_total_relation_size(oid)) / 1024.0
    / (SELECT count(*) FROM games_match) AS kb
FROM pg_class WHERE relkind = 'r' AND relname ~ '^(games|replays)_'
GROUP BY ROLLUP (relname)
HAVING sum(pg_total_relation_size(oid)) / 1024.0 / (SELECT count(*) FROM games_match) > 0.02
ORDER BY kb"""


# --- Times and plans ----------------------------------------------------------------------


def _timed(name: str, run: Callable[[], object], aim: str) -> None:
    tell(name, _ms(run), "ms", aim)
    _show_slow(run)


def _ms(run: Callable[[], object], runs: int = _RUNS) -> float:
    """The mean CPU of some runs, here and in the database, after one that warms up."""
    run()
    began = process_time() + _server_s()
    for _ in range(runs):
        run()
    return 1_000 * (process_time() + _server_s() - began) / runs


def _server_s() -> float:
    """The CPU seconds of all processes of the database's server, ended ones too."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    server = _stat(backend)[1]
    processes = map(_stat, (each.name for each in Path("/proc").glob("[0-9]*")))
    ticks = sum(process[11] + process[12] for process in processes if process[1] == server)
    return (ticks + sum(_stat(server)[13:15])) / os.sysconf("SC_CLK_TCK")


def _stat(process: int | str) -> list[int]:
    """The numbers in a process's line in /proc, after its name. Zeros if it has just ended."""
    with suppress(OSError):
        text = Path(f"/proc/{process}/stat").read_text()
        return [0, *map(int, text.rpartition(")")[2].split()[1:])]
    return [0] * 20


def _show_slow(run: Callable[[], object]) -> None:
    """Run once more, and show the plan of each query that is slow."""
    from django.db import connection

    slow: list[tuple[str, Any]] = []

    def look(execute: Any, query: str, params: Any, many: bool, context: Any) -> Any:
        began = perf_counter()
        found = execute(query, params, many, context)
        if 1_000 * (perf_counter() - began) > SLOW_MS and query.startswith("SELECT"):
            slow.append((query, params))
        return found

    with connection.execute_wrapper(look):
        run()
    with connection.cursor() as cursor:
        for query, params in slow:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) {query}", params)
            plan = "\n".join(f"      {row[0]}" for row in cursor.fetchall())
            say(f"    {query[:160]}…\n{plan}")
    sys.stdout.flush()
