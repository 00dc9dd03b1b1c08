"""The version of what the analysis tells; whatever is stored of it names this."""

from __future__ import annotations

from typing import Final

MEASURES_VERSION: Final = 1
"""Of what docs/measures.md and docs/win-probability.md define."""
