"""Where a match comes from, in words, for lists and pages."""

from __future__ import annotations

from games.models import Match

UNCHECKED = (
    "This record was not made here. The names are only what the file says: they are nobody’s "
    "on this site, and the match counts for nobody."
)


def came_from(origin: str, sender: str | None) -> str:
    """`uploaded by Kim`, `imported`; empty if played here."""
    if origin == Match.Origin.UPLOADED:
        return f"uploaded by {sender}" if sender else "uploaded"
    return "imported" if origin == Match.Origin.IMPORTED else ""


def sender_of(match: Match) -> str:
    """Who uploaded the match, by their name at the time; empty if unknown."""
    upload = getattr(match, "upload", None) if match.origin == Match.Origin.UPLOADED else None
    return upload.name if upload else ""
