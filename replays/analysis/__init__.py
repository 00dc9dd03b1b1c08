"""Analysis of a match: one file per measure, and what combines them.

For notebooks:

    from replays.analysis import Findings, read
    findings = Findings(read("match.ratuki"))
    findings.moments, findings.players, findings.race_cards
"""

from __future__ import annotations

from replays.analysis.findings import Findings
from replays.analysis.record_file import read

__all__ = ["Findings", "read"]
