"""Analysis of a match: one file per measure, and the modules that combine them.

For notebooks:

    from replays.analysis import Findings, read
    findings = Findings(read("match.ratuki"))
    findings.moments, findings.players, findings.race_cards
"""

from pathlib import Path

from games.records.check import check_path
from games.records.log import Line
from replays.analysis.findings import Findings
from replays.timeline import Timeline

__all__ = ["Findings", "read"]


def read(path: Path | str) -> Timeline:
    """The timeline of a `.ratuki` file. Raises RecordFault for its first fault, and OSError."""
    lines: list[Line] = []
    check_path(Path(path), lines.append)
    return Timeline.of(lines)
