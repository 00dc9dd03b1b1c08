"""Reading a record from a file into a timeline."""

from __future__ import annotations

from pathlib import Path

from games.records.check import check_path
from games.records.log import Line
from replays.timeline import Timeline


def read(path: Path | str) -> Timeline:
    """The timeline of a `.ratuki` file. Raises RecordFault for its first fault, and OSError."""
    lines: list[Line] = []
    check_path(Path(path), lines.append)
    return Timeline.of(lines)
