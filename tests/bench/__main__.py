"""What the project's speeds and sizes are: `python -m tests.bench [PART...]`.

Parts: simulate, accounts, rollouts, chances, decisions, points, priorities, progress, levels,
screens, winning; without any, all of them. Every time is CPU seconds unless it says
otherwise, the median of several runs of which none runs beside another. The *yardstick* is a fixed
loop of plain Python, timed between the runs: it says how fast the machine was meanwhile, for
comparing figures of different machines and hours.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Final

import games
from tests.bench import (
    accounting,
    agreeing,
    deciding,
    levelling,
    parting,
    playing,
    prioritising,
    progressing,
    rollouts,
    seeing,
    winning,
)
from tests.bench.measure import say, yardstick_ms

PARTS: Final[dict[str, Callable[[], None]]] = {
    "simulate": playing.bench,
    "accounts": accounting.bench,
    "rollouts": rollouts.bench,
    "winning": winning.bench,
    "chances": agreeing.bench,
    "decisions": deciding.bench,
    "points": parting.bench,
    "priorities": prioritising.bench,
    "progress": progressing.bench,
    "levels": levelling.bench,
    "screens": seeing.bench,
}


def main(arguments: list[str]) -> None:
    """Run the parts that are asked for."""
    parser = ArgumentParser(prog="python -m tests.bench", description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    asked = parser.parse_args(arguments).parts
    unknown = [part for part in asked if part not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]!r}, expected one of {', '.join(PARTS)}")
    say(f"engine, records and bots: {'compiled' if games.COMPILED else 'plain Python'}")
    for part in asked or PARTS:
        say(f"{part} (yardstick {yardstick_ms():.1f} ms)")
        PARTS[part]()


if __name__ == "__main__":
    main(sys.argv[1:])
