"""The database tables for looking back: what people keep beside the logs."""

from replays.models.analysis import StoredReport
from replays.models.annotations import Note, NoteReport, Variation
from replays.models.collections import Playlist, PlaylistItem, TagButton
from replays.models.sharing import Shared

__all__ = [
    "Note",
    "NoteReport",
    "Playlist",
    "PlaylistItem",
    "Shared",
    "StoredReport",
    "TagButton",
    "Variation",
]
