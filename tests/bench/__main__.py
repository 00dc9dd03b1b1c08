"""What the program costs (`make bench`): a line for each figure, in CPU seconds where it says so.

python -m tests.bench [--matches 1000] [--only simulate,verify,page,storage]
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import simulating
from tests.bench.page import page_figures
from tests.records.speed import figures
from tests.services import Site


def main() -> None:
    parser = ArgumentParser(prog="python -m tests.bench", description="What the program costs.")
    parser.add_argument("--matches", type=int, default=1_000, help="matches to store (1000)")
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}")
    asked = parser.parse_args()
    for name in asked.only.split(","):
        with TemporaryDirectory(prefix="ratuki-bench-") as folder, Site(Path(folder)) as site:
            PARTS[name](site, asked.matches)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def simulate(site: Site, matches: int) -> None:
    """By one process, so on one core."""
    few = max(10, matches // 10)
    for bots in ("taker,taker,taker,taker", "taker,builder,starver,runner"):
        say(f"simulate {bots}: {simulating.play(bots, few)}")
        say(f"simulate {bots} into the database: {simulating.store(site, bots, few)}")


def verify(site: Site, matches: int) -> None:
    """In this process, the best of some runs."""
    records = site.var / "records"
    site.manage("simulate", f"--matches={max(4, matches // 50)}", "--seed=1", f"--out={records}")
    for name, value in figures(sorted(records.iterdir())).items():
        say(f"records: {name} {value:,.2f}")


def page(site: Site, _matches: int) -> None:
    """In Chromium, each the median of some visits with nothing cached."""
    for line in page_figures(site):
        say(f"replay page: {line}")


def storage(site: Site, matches: int) -> None:
    """The measures of `manage.py bench`."""
    say(site.manage("bench", f"--matches={matches}").rstrip())


PARTS: dict[str, Callable[[Site, int], None]] = {
    "simulate": simulate,
    "verify": verify,
    "page": page,
    "storage": storage,
}

if __name__ == "__main__":
    main()
