"""The tables of the database for looking back: notes and variations kept beside the logs."""

from replays.models.annotations import Note, NoteReport, Variation
from replays.models.sharing import Shared

__all__ = ["Note", "NoteReport", "Shared", "Variation"]
