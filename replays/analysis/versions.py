"""The version of the analysis; anything stored from it records this."""

from __future__ import annotations

from typing import Final

MEASURES_VERSION: Final = 13
"""The version of the definitions in docs/reference/measures.md and match-report.md."""

REPORT_VERSION: Final = 24
"""The version of what a match's report says beyond the measures: its shape and its sentences."""

DECISIONS_VERSION: Final = 3
"""The version of how decisions are found, judged and told."""
