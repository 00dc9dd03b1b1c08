"""The database tables: matches and their logs, tables, chats, and working data of hosts."""

from games.models.accounts import (
    Account,
    Embargo,
    Follow,
    FormerName,
    KeptMatch,
    LogIn,
    MailSent,
    Token,
)
from games.models.chat import ChatComplaint, ChatLine, ChatMute
from games.models.live import AnsweredAction, RelayReply, RelayRequest, SealedSeed
from games.models.matches import AppendOnlyError, Chunk, Match, Player, Seat
from games.models.provenance import MatchComplaint, Moderation, PlayerAlias, Upload
from games.models.site import SignUpInvitation, SiteSettings
from games.models.tables import Challenge, LiveTable, Seated
