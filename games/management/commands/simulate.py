"""``manage.py simulate``: bots play whole matches in virtual time, on all cores.

The worker processes play and pack. This one stores, in the order of the matches, so the same seed
stores the same matches whatever the number of cores. Workers import no models.
"""

from __future__ import annotations

import gc
import json
import os
import secrets
import signal
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeVar

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from games.archive.packing import PackedRecord, Packer, text_of
from games.bots.roster import TEMPERS, BotSpec, RosterError, bot_spec, mixed
from games.bots.simulate import Setting, header, lines, parts
from games.engine.cards import SEATS
from games.engine.editions import DEFAULT_EDITION, EDITIONS, Rules, RulesError, house_rules
from games.engine.events import Deal
from games.records.log import Header, Result
from games.records.plural import counted

_BATCH: Final = 100
"""How many matches are stored in one transaction."""
_GARBAGE: Final = 200_000
"""How many new objects trigger a search for cycles. A match creates hardly any."""
_PLAYERS: Final = 4
_T = TypeVar("_T")


class Count(NamedTuple):
    """The matches played so far. `known`: those that were already stored."""

    matches: int = 0
    rounds: int = 0
    events: int = 0
    known: int = 0

    def __add__(self, other: Count) -> Count:  # type: ignore[override]
        return Count(*(mine + its for mine, its in zip(self, other, strict=True)))


# In the workers


def packed(setting: Setting, index: int) -> PackedRecord:
    packer = Packer(header(setting, index))
    for part in parts(setting, index):
        packer.take_round(part)
    return packer.done()


def written(setting: Setting, folder: Path, index: int) -> Count:
    """Write a match into the folder, named by its id."""
    record = lines(setting, index)
    path = folder / f"{header(setting, index).id}.ratuki"
    path.write_bytes(text_of(record).encode())
    kinds = Counter(map(type, record))
    aside = kinds[Header] + kinds[Deal] + kinds[Result]
    return Count(1, kinds[Deal], len(record) - aside)


class Command(BaseCommand):
    help = "Let bots play matches in virtual time; store them in the database or in .ratuki files."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_setting(parser)
        add = parser.add_argument
        add(
            "--out",
            type=Path,
            metavar="DIR",
            help="write .ratuki files to this folder instead of the database",
        )
        add("--jobs", type=int, metavar="J", help="processes (default: one for each core)")

    def handle(self, *args: Any, **options: Any) -> None:
        setting, matches = setting_of(options)
        jobs = _jobs(options)
        started = perf_counter()
        try:
            if options["out"] is None:
                count = self._store(setting, matches, jobs)
                place = "stored in the database"
            else:
                count = self._write(setting, matches, jobs, _folder(options["out"]))
                place = f"written to {options['out']}"
        except KeyboardInterrupt:
            raise CommandError("stopped; the matches finished so far are kept") from None
        except OSError as error:
            raise CommandError(f"--out {options['out']}: {error.strerror}") from None
        except DatabaseError as error:
            raise CommandError(f"database error: {error}") from None
        self.stdout.write(_summary(count, perf_counter() - started, setting.seed, place))

    def _write(self, setting: Setting, matches: int, jobs: int, folder: Path) -> Count:
        count = Count()
        with _run_in_processes(partial(written, setting, folder), matches, jobs) as results:
            for more in _with_progress(results, matches):
                count += more
        return count

    def _store(self, setting: Setting, matches: int, jobs: int) -> Count:
        from games.management.schema import need_database

        need_database()
        count = Count()
        with _run_in_processes(partial(packed, setting), matches, jobs) as results:
            for batch in _batches(_with_progress(results, matches)):
                count += stored(batch)
        return count


def stored(records: Sequence[PackedRecord]) -> Count:
    """Store matches, except those that are stored already."""
    from games.archive.store import insert
    from games.models import Match

    ids = [record.summary.header.id for record in records]
    known = set(Match.objects.filter(record_id__in=ids).values_list("record_id", flat=True))
    new = [record for record in records if record.summary.header.id not in known]
    insert(new, Match.Origin.SIMULATED)
    return Count(
        len(records),
        sum(record.summary.rounds for record in records),
        sum(record.summary.events for record in records),
        len(known),
    )


@contextmanager
def _run_in_processes(work: Callable[[int], _T], matches: int, jobs: int) -> Iterator[Iterator[_T]]:
    """The results for all matches, in order, computed by `jobs` processes."""
    if min(jobs, matches) == 1:
        with _little_garbage():
            yield map(work, range(matches))
        return
    with get_context("spawn").Pool(min(jobs, matches), initializer=_begin_worker) as pool:
        yield pool.imap(work, range(matches), chunksize=max(1, min(16, matches // (4 * jobs))))


def _begin_worker() -> None:
    """Ignore Ctrl-C: the storing process handles it and stops its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(_GARBAGE)


@contextmanager
def _little_garbage() -> Iterator[None]:
    """Collect garbage rarely, as the workers do."""
    before = gc.get_threshold()
    gc.set_threshold(_GARBAGE)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _batches(results: Iterable[_T]) -> Iterator[list[_T]]:
    source = iter(results)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _with_progress(results: Iterable[_T], whole: int) -> Iterator[_T]:
    """The results, with a progress bar if the output is a terminal."""
    if not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import track

    terminal = Console(stderr=True)
    yield from track(results, "Matches", total=whole, console=terminal, transient=True)


def _summary(count: Count, seconds: float, seed: int, place: str) -> str:
    were = "was" if count.known == 1 else "were"
    known = f" ({count.known} {were} already stored and skipped)" if count.known else ""
    counts = (
        counted(count.matches, "match", "matches"),
        counted(count.rounds, "round"),
        counted(count.events, "event"),
    )
    return (
        f"{', '.join(counts)} in {seconds:.1f} s "
        f"({count.rounds / seconds:.0f} rounds/s), seed {seed}, {place}{known}"
    )


# Options


def add_setting(parser: ArgumentParser) -> None:
    """Add the arguments for the setting and the number of matches."""
    add = parser.add_argument
    add("--players", type=int, metavar="N", help="seats, 2 to 5 (default: as --bots, or 4)")
    add("--edition", default=DEFAULT_EDITION, help=f"one of {', '.join(EDITIONS)}")
    add("--matches", type=int, default=10, metavar="M", help="how many (default: 10)")
    add(
        "--seed",
        type=int,
        metavar="S",
        help="the same seed gives the same matches (default: a new one)",
    )
    add(
        "--bots",
        metavar="A,B",
        help=f"temper, temper:level or temper:level:beginner; of {', '.join(TEMPERS)}; "
        "repeated until all seats are taken (default: a mixed table)",
    )
    add("--level", type=int, default=3, metavar="L", help="1 to 5, of bots without one (3)")
    add(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        dest="house",
        help="a house rule, as tie_window_ms=0 or deck=7,8,8,5,5,2; may be repeated",
    )


def setting_of(options: dict[str, Any]) -> tuple[Setting, int]:
    """What the arguments say: the setting, and how many matches. Raises CommandError."""
    setting, matches = _setting(options), _at_least(1, "--matches", options["matches"])
    if matches > 1_000_000:
        raise CommandError(f"--matches must be at most 1000000, found {matches}")
    return setting, matches


def _setting(options: dict[str, Any]) -> Setting:
    seed = secrets.randbelow(1_000_000) if options["seed"] is None else options["seed"]
    try:
        specs = _bot_specs(options["bots"], options["players"], options["level"])
    except RosterError as error:
        raise CommandError(str(error)) from None
    return Setting(options["edition"], _rules(options["edition"], options["house"]), specs, seed)


def _bot_specs(bots: str | None, players: int | None, level: int) -> tuple[BotSpec, ...]:
    asked = None if bots is None else [bot_spec(text, level) for text in bots.split(",")]
    seats = players if players is not None else _PLAYERS if not asked else max(2, len(asked))
    if not 2 <= seats <= SEATS:
        what = "--players" if players is not None else "--bots: the number of bots"
        raise CommandError(f"{what} must be 2 to {SEATS}, found {seats}")
    if asked is None:
        return mixed(seats, level)
    if len(asked) > seats:
        raise CommandError(f"--bots names {len(asked)} bots for {seats} players")
    return tuple(asked[seat % len(asked)] for seat in range(seats))


def _rules(edition: str, house: Sequence[str]) -> Rules:
    overrides = {}
    for text in house:
        field, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"--set must be FIELD=VALUE, found {text!r}")
        overrides[field.strip()] = _value(value.strip())
    try:
        return house_rules(edition, overrides)
    except RulesError as error:
        raise CommandError(str(error)) from None


def _value(text: str) -> object:
    """A rule's value as typed: JSON, comma-separated numbers, yes or no, or a word."""
    if "," in text and not text.startswith("["):
        text = f"[{text}]"
    text = {"yes": "true", "no": "false", "True": "true", "False": "false"}.get(text, text)
    try:
        return json.loads(text)
    except ValueError:
        return text


def _jobs(options: dict[str, Any]) -> int:
    if options["jobs"] is not None:
        return _at_least(1, "--jobs", options["jobs"])
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _at_least(least: int, name: str, value: int) -> int:
    if value < least:
        raise CommandError(f"{name} must be at least {least}, found {value}")
    return value


def _folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path
