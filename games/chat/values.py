"""What spectators say to each other, as plain values."""

from __future__ import annotations

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
    """A line of a match's chat; `text` is empty if a moderator removed it.

    `about`: the part of a review that it was written in, which some may not see; 0: none.
    """

    match: str
    n: int
    by: str
    account: bool
    text: str
    at: str
    about: int = 0
