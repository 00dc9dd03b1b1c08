"""What mattered in a match: its moments, and judgements of plays."""

from replays.analysis.moments.choosing import MAX_MOMENTS, Moment, moments

__all__ = ["MAX_MOMENTS", "Moment", "moments"]
