"""What mattered in a match: its moments, judgements of plays, the luck of the draw."""

from __future__ import annotations

from replays.analysis.moments.choosing import MOST, Moment, moments

__all__ = ["MOST", "Moment", "moments"]
