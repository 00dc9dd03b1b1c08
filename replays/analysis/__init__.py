"""What a match shows when it is measured: one file a measure, `report` for all of them."""

from __future__ import annotations

from typing import Final

MEASURES_VERSION: Final = 1
"""Of what docs/measures.md and docs/win-probability.md define; what is stored names it."""
