"""The database tables for looking back: what people keep beside the logs."""

from replays.models.analysis import StoredReport
from replays.models.annotations import Note, NoteReport, Variation
from replays.models.classes import (
    Assignment,
    ClassMember,
    Homework,
    HomeworkCalendar,
    SchoolClass,
)
from replays.models.collections import Playlist, PlaylistItem, TagButton
from replays.models.jobs import Job, JobPart, Worker
from replays.models.news import News
from replays.models.patterns import PatternSearch, StoredOccurrences
from replays.models.players import (
    BotLadder,
    Rating,
    RatingChange,
    RatingLedger,
    SeatFigures,
)
from replays.models.reviews import (
    Review,
    ReviewLine,
    ReviewLineReport,
    ReviewMember,
    ReviewPresence,
)
from replays.models.sharing import AnsweredRequest, Shared
from replays.models.studies import (
    Attempt,
    Chapter,
    ChapterVersion,
    Reading,
    Study,
    StudyFile,
    StudyReport,
    StudyVersion,
)

__all__ = [
    "AnsweredRequest",
    "Assignment",
    "Attempt",
    "BotLadder",
    "Chapter",
    "ChapterVersion",
    "ClassMember",
    "Homework",
    "HomeworkCalendar",
    "Job",
    "JobPart",
    "News",
    "Note",
    "NoteReport",
    "PatternSearch",
    "Playlist",
    "PlaylistItem",
    "Rating",
    "RatingChange",
    "RatingLedger",
    "Reading",
    "Review",
    "ReviewLine",
    "ReviewLineReport",
    "ReviewMember",
    "ReviewPresence",
    "SchoolClass",
    "SeatFigures",
    "Shared",
    "StoredOccurrences",
    "StoredReport",
    "Study",
    "StudyFile",
    "StudyReport",
    "StudyVersion",
    "TagButton",
    "Variation",
    "Worker",
]
