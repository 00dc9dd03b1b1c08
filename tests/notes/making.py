"""Authors, matches and notes for the tests of notes."""

from __future__ import annotations

from itertools import count
from typing import Any

from games.models import Match
from games.people.visitor import Author
from replays.models import Note
from replays.notes.audience import Sharing
from replays.notes.notes import write

ADA = Author("guest:ada", "Ada")
BO = Author("guest:bo", "Bo")
SELF = Sharing()
EVERYONE = Sharing("everyone")
_keys = count(1)


def fresh() -> str:
    """A key that nothing has yet."""
    return f"key-of-a-test-{next(_keys):04}"


def note(match: Match, author: Author = ADA, sharing: Sharing = EVERYONE, **fields: Any) -> Note:
    """A stored note: at the deal of the first round, if nothing else is said."""
    how = {name: fields.pop(name) for name in ("line", "reply") if name in fields}
    fields = {"round": 1, "event": 0, "text": "Look here.", **fields}
    return write(author, match, fields, sharing, key=fresh(), **how)
