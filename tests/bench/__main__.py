"""What the project's speeds and sizes are: `python -m tests.bench [PART...]`.

Parts: simulate, accounts, rollouts, chances, decisions, points, priorities, progress, levels,
screens, winning, years; without any, all of them. NAME=VALUE sets one of a part's
settings, as in the environment: `python -m tests.bench years MATCHES=100000`. Every time is CPU
seconds unless it says otherwise, the median of several runs of which none runs beside another. The
*yardstick* is a fixed loop of plain Python, timed between the runs: it says how fast the machine
was meanwhile, for comparing figures of different machines and hours.
"""

import os
import sys
from argparse import ArgumentParser
from importlib import import_module
from typing import Final

import games
from tests.bench.measure import say, yardstick_ms

PARTS: Final = {
    "simulate": "playing",
    "accounts": "accounting",
    "rollouts": "rollouts",
    "winning": "winning",
    "chances": "agreeing",
    "decisions": "deciding",
    "points": "parting",
    "priorities": "prioritising",
    "progress": "progressing",
    "levels": "levelling",
    "screens": "seeing",
    "years": "years",
}
"""Each part's module, which is imported when it is its turn: it reads its settings then."""


def main(arguments: list[str]) -> None:
    """Run the parts that are asked for."""
    parser = ArgumentParser(prog="python -m tests.bench", description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    given = parser.parse_args(arguments).parts
    os.environ.update(word.split("=", 1) for word in given if "=" in word)
    asked = [word for word in given if "=" not in word]
    unknown = [part for part in asked if part not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]!r}, expected one of {', '.join(PARTS)}")
    say(f"engine, records and bots: {'compiled' if games.COMPILED else 'plain Python'}")
    for part in asked or PARTS:
        say(f"{part} (yardstick {yardstick_ms():.1f} ms)")
        import_module(f"tests.bench.{PARTS[part]}").bench()


if __name__ == "__main__":
    main(sys.argv[1:])
