"""The tables of the database: matches and their logs, tables, chats, and hosts' own business."""

from games.models.chat import ChatLine, ChatMute, ChatReport
from games.models.live import Answered, Errand, Reply
from games.models.matches import AppendOnlyError, Chunk, Match, Player, RoundOutline, Seat
from games.models.tables import LiveTable, Seated

__all__ = [
    "Answered",
    "AppendOnlyError",
    "ChatLine",
    "ChatMute",
    "ChatReport",
    "Chunk",
    "Errand",
    "LiveTable",
    "Match",
    "Player",
    "Reply",
    "RoundOutline",
    "Seat",
    "Seated",
]
