"""Playing: what a match is, and how one comes to be."""

from games.compiled import verified

COMPILED = verified()
"""Whether the engine, records and bots run compiled."""
