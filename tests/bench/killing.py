"""Workers killed in the middle of their parts: what is lost, done twice, and when it runs again.

Five workers at a time are killed and started again, on SQLite, PostgreSQL and Redis.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from replays.jobs.kinds import Asked, Json, Kind, Step
from tests import forked
from tests.bench.measure import say
from tests.services import ROOT, Postgres, Redis, Site

WORKERS, ROUNDS = 5, 4
STEPS: Final = 100
LOG: Final = "KILLING_LOG"
ASK: Final = f"""
from games.engine.message import Message
from replays.jobs.kinds import Share
from replays.jobs.starting import SITE, begin
shares = [Share(n, {STEPS}) for n in range({WORKERS})]
begin("tick", "ROUND", Message("Ticking"), {{}}, shares, by=SITE)
"""
COUNTS: Final = """
from replays.models import Job, JobPart
print(*Job.objects.values_list("state", "done", "total"), JobPart.objects.count(), sep=";")
"""


def _tell(*words: object) -> None:
    with Path(os.environ[LOG]).open("a") as log:
        log.write(" ".join(map(str, (time.time(), *words))) + "\n")


def _tick(asked: Asked, share: Json, found: Json, step: Step) -> Json:
    _tell("begun", share, os.getpid())
    for done in range(found or 0, STEPS):
        time.sleep(0.1)
        step(1, done + 1)
    return share


def _close(asked: Asked, founds: Iterator[Json]) -> Json:
    found = list(founds)
    _tell("closed", len(found))
    return found


KIND: Final = Kind(_tick, _close)


class _Line(NamedTuple):
    at: float
    what: str
    share: int


def bench() -> None:
    """20 kills on each store."""
    with ExitStack() as opened:
        postgres, redis = Postgres(), Redis()
        opened.callback(postgres.close)
        opened.callback(redis.close)
        _killed("SQLite", {})
        _killed("PostgreSQL", {"DATABASE_URL": postgres.url()})
        _killed("Redis", {"DATABASE_URL": postgres.url(), "REDIS_URL": redis.url})


def _killed(store: str, urls: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        log.touch()
        settings = {"DJANGO_SETTINGS_MODULE": "tests.ticking_settings", LOG: str(log)}
        with Site(Path(folder), {**settings, **urls}) as site:
            site.migrate()
            again = _rounds(site, log)
            closed = Counter(line.what for line in _lines(log))["closed"]
            counts = site.manage("shell", "-v0", "--no-imports", "-c", COUNTS).strip()
    say(
        f"  {store}: {WORKERS * ROUNDS} kills; again after {median(again):.1f} s, at most "
        f"{max(again):.1f} s; {closed} of {ROUNDS} jobs closed, each once; rows: {counts}"
    )


def _rounds(site: Site, log: Path) -> list[float]:
    """Again and again kill all workers in the middle; how many s until each part runs again."""
    again, workers = list[float](), [_worker(site) for _ in range(WORKERS)]
    for number in range(ROUNDS):
        before = len(_lines(log))
        site.manage("shell", "-v0", "--no-imports", "-c", ASK.replace("ROUND", str(number)))
        while len({line.share for line in _lines(log)[before:]}) < WORKERS:
            time.sleep(0.1)
        time.sleep(1.5)
        for worker in workers:
            worker.send_signal(signal.SIGKILL)
            worker.wait()
        killed, known = time.time(), len(_lines(log))
        workers = [_worker(site) for _ in range(WORKERS)]
        while "closed" not in {line.what for line in _lines(log)[known:]}:
            time.sleep(0.1)
        at = {line.share: line.at for line in _lines(log)[known:] if line.what == "begun"}
        again += [begun - killed for begun in at.values()]
    for worker in workers:
        worker.send_signal(signal.SIGTERM)
        worker.wait()
    return again


def _lines(log: Path) -> list[_Line]:
    rows = (line.split() for line in log.read_text().splitlines())
    return [_Line(float(at), what, int(share)) for at, what, share, *_ in rows]


def _worker(site: Site) -> forked.Process:
    manage = str(ROOT / "manage.py")
    return forked.start(
        manage, "worker", "--nice=0", environment=site.environment, output=2, errors=2
    )
