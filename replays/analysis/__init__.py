"""Analysis of a match: one file per measure, and what combines them.

For notebooks:

    from replays.analysis import Findings, figure, read
    findings = Findings(read("match.ratuki"))
    figure("curve", findings)      # a plotly.graph_objects.Figure
"""

from __future__ import annotations

from replays.analysis.figures import CHARTS, figure
from replays.analysis.findings import Findings
from replays.analysis.record_file import read

__all__ = ["CHARTS", "Findings", "figure", "read"]
