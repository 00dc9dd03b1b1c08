"""Lines of a room's chat, as plain values. A room is a match or a review."""

from typing import Final, NamedTuple

BACKLOG: Final = 50
"""How many lines a late arrival is shown."""
REFUSALS: Final = {
    "chat-off": "chat is not available to you here",
    "nameless": "choose a name first",
    "muted": "a moderator has muted you",
    "too-often": "too many messages: at most 5 in 10 seconds",
    "closed": "the chat is about something that is closed to you",
}


class PostedLine(NamedTuple):
    """A line of a room's chat. `text` is empty if a moderator removed it.

    `account`: the writer's, which is never shown. None: a guest. `about`: the part of a review that
    it was written in, which may be hidden from some. 0: none.
    """

    room: str
    n: int
    by: str
    account: int | None
    text: str
    at: str
    about: int = 0
