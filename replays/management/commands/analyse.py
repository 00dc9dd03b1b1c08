"""``manage.py analyse FILE``: a record's measures, as defined in docs/reference/measures.md."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from statistics import median
from typing import Any

from django.core.management.base import BaseCommand
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from games.records.log import RecordFault
from replays.analysis import read
from replays.analysis.insight import insight
from replays.analysis.measures import Json, measures
from replays.analysis.moments.wording import percent
from replays.pictures.captions import clock


class Command(BaseCommand):
    help = "Measure one record: stacks, who fed whom, races, missed takes, tempo."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--curve", action="store_true", help="add win probabilities and moments (estimates)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["file"]
        try:
            timeline = read(name)
        except RecordFault as fault:
            self._say(f"{name}:{fault}")
            sys.exit(1)
        except OSError as error:
            self._say(f"{name}: cannot be read: {error.strerror or error}")
            sys.exit(1)
        report = measures(timeline)
        if options["curve"]:
            report |= insight(timeline)
        self._say(json.dumps(report) if options["json"] else _table(report))

    def _say(self, text: str) -> None:
        """Print, even if the terminal lacks some of the characters."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _table(report: Json) -> str:
    names, match = report["seats"], report["match"]
    console = Console(highlight=False)
    with console.capture() as capture:
        outcome = _outcome(names, match["winners"])
        console.print(f"{report['id']}, {report['edition']}, {outcome}\n", markup=False)
        for grid in (
            _seats(report),
            _fed(names, match["fed"], report["rounds"]),
            _rounds(names, report["rounds"]),
        ):
            # Not as the grid's own title, which would be limited to the grid's width.
            console.print(grid.title, style="bold")
            grid.title = None
            console.print(grid)
        if "moments" in report:
            _say_moments(console, report)
    return capture.get()


def _outcome(names: list[str], winners: list[int] | None) -> str:
    if winners is None:
        return "unfinished"
    if not winners:
        return "abandoned"
    return f"{'won by' if len(winners) == 1 else 'drawn by'} {', '.join(names[w] for w in winners)}"


def _seats(report: Json) -> Grid:
    grid = _grid(
        "Seats (missed: chances to take; reaction: the median, ms)",
        *("", "total", "takes", "play", "draw", "disc.", "late", "miss", "tied"),
        *("missed", "reaction"),
    )
    match = report["match"]
    for seat, name in enumerate(report["seats"]):
        done = match["actions"][seat]
        counts = (done[kind] for kind in ("play", "draw", "discard", "late", "miss", "tied"))
        missed = sum(lost["seat"] == seat for r in report["rounds"] for lost in r["missed_takes"])
        reactions = [ms for r in report["rounds"] for ms in r["reaction_ms"][seat]]
        usual = f"{median(reactions):.0f}" if reactions else "-"
        row = (match["totals"][seat], match["takes"][seat], *counts, missed, usual)
        grid.add_row(_plain(name), *map(str, row))
    return grid


def _fed(names: list[str], fed: list[list[int]], rounds: list[Json]) -> Grid:
    grid = _grid("Cards played (rows) onto stacks taken by (columns)", "", *names, "left")
    for seat, row in enumerate(fed):
        left = sum(of_round["left"][seat] for of_round in rounds)
        grid.add_row(_plain(names[seat]), *map(str, row), str(left))
    return grid


def _rounds(names: list[str], rounds: list[Json]) -> Grid:
    grid = _grid("Rounds", "", "time", *names, "stacks", "races", "missed takes")
    for of_round in rounds:
        scores = of_round["scores"] or ["-"] * len(names)
        time = f"{of_round['duration_ms'] / 1000:.1f} s"
        counts = (len(of_round[key]) for key in ("stacks", "races", "missed_takes"))
        grid.add_row(str(of_round["round"]), time, *map(str, scores), *map(str, counts))
    return grid


def _say_moments(console: Console, report: Json) -> None:
    console.print("Moments (win probabilities are estimates)", style="bold")
    for moment in report["moments"]:
        place = f"round {moment['round']}, {clock(moment['t'])}"
        console.print(f"{place}  {moment['text']}", markup=False, soft_wrap=True)
    last = report["curve"][-1]["p"] if report["curve"] else []
    for name, p in zip(report["seats"], last, strict=False):
        console.print(f"{name}: win probability {percent(p)}", markup=False, soft_wrap=True)


def _grid(title: str, first: str, *columns: str) -> Grid:
    grid = Grid(title=title, box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    grid.add_column(first, overflow="fold")
    for column in columns:
        grid.add_column(_plain(column), justify="right", overflow="fold")
    return grid


def _plain(name: str) -> str:
    """A name in which rich finds no markup."""
    return name.replace("[", r"\[")
