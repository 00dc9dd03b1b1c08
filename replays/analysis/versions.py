"""The version of the analysis. Anything stored from it records this."""

from typing import Final

MEASURES_VERSION: Final = 20
"""The version of the definitions in docs/reference/measures.md and match-report.md."""

REPORT_VERSION: Final = 40
"""The version of a match's report beyond the measures: its shape, and its facts with their values.
"""

DECISIONS_VERSION: Final = 9
"""The version of how decisions are found, judged and told."""
