"""The database tables for looking back: what people keep beside the logs."""

from replays.models.classes import (
    Assignment,
    ClassMember,
    Homework,
    SchoolClass,
)
from replays.models.clips import Clip
from replays.models.collections import Playlist, PlaylistItem
from replays.models.jobs import Job, JobPart, LastRun, Worker
from replays.models.news import News, NewsSettings
from replays.models.notes import Note, NoteComplaint, Variation
from replays.models.players import (
    PatternSearch,
    Rating,
    RatingChange,
    RatingLedger,
    SeatFigures,
    StoredOccurrences,
    StoredReport,
)
from replays.models.reviews import (
    Review,
    ReviewMember,
    ReviewPresence,
)
from replays.models.sharing import AnsweredRequest, Shared
from replays.models.studies import Attempt, Chapter, Reading, Study, StudyComplaint
