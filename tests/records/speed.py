"""What checking and packing records costs: `python -m tests.records.speed FILE...`.

CPU seconds of this process, the best of some runs; without files, the recorded matches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time

from games.archive.packing import compress, decompress
from games.engine.events import Deal
from games.records.check import check_path
from games.records.columns import pack, unpack
from games.records.log import Line
from tests.records.matches import VALID, rounds

RUNS = 7


def figures(paths: Sequence[Path] = VALID) -> dict[str, float]:
    """The measures by name."""
    played = [lines for path in paths for lines in rounds(path)]
    packed = [pack(lines) for lines in played]
    stored = [compress(columns) for columns in packed]
    events = sum(check_path(path).events for path in paths)
    return {
        "verify, events/s": 1e6 / _us(events, lambda: [check_path(path) for path in paths]),
        "pack and compress, µs/event": _us(events, lambda: [_stored(lines) for lines in played]),
        "to columns, µs/event": _us(events, lambda: [decompress(data) for data in stored]),
        "to events, µs/event": _us(events, lambda: [unpack(decompress(data)) for data in stored]),
        "bytes/event": sum(map(len, stored)) / events,
        "events/round": events / sum(isinstance(lines[0], Deal) for lines in played),
    }


def _stored(lines: list[Line]) -> bytes:
    return compress(pack(lines))


def _us(events: int, run: Callable[[], object]) -> float:
    """CPU µs an event of the best run."""
    best = float("inf")
    for _ in range(RUNS):
        began = process_time()
        run()
        best = min(best, process_time() - began)
    return 1e6 * best / events


if __name__ == "__main__":
    for name, value in figures([Path(name) for name in sys.argv[1:]] or VALID).items():
        sys.stdout.write(f"{name:30} {value:12,.2f}\n")
