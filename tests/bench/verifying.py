"""What checking and packing records costs, on simulated ones."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from games.archive.packing import text_of
from games.bots.simulate import lines
from tests.bench.measure import spent, tell
from tests.bench.playing import SETTING
from tests.records.speed import figures

MATCHES = 20


def bench() -> None:
    """Print the measures of `tests.records.speed`, and verifying in CPU seconds of its own."""
    from games.records.check import check_path

    with TemporaryDirectory(prefix="ratuki-bench-") as folder:
        paths = [_written(Path(folder), match) for match in range(MATCHES)]
        events = sum(check_path(path).events for path in paths)
        cost = spent(lambda: [check_path(path) for path in paths])
        tell("verify", events / cost.seconds, "events/s", "300,000 or more")
        tell("verify, yardsticks a million events", 1e6 * cost.yardsticks / events, "")
        for name, value in figures(paths).items():
            tell(f"best of some runs: {name}", value, "")


def _written(folder: Path, match: int) -> Path:
    path = folder / f"{match}.ratuki"
    path.write_text(text_of(lines(SETTING, match)))
    return path
