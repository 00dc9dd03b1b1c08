"""Authors, matches and notes for the tests of notes."""

from itertools import count
from typing import Any

from games.models import Match
from games.people.visitor import Author
from games.records.log import Note as RecordNote
from games.records.log import Variation as RecordVariation
from games.records.parsing import line_from
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


def said(**fields: Any) -> RecordNote:
    """What a note says, as in a record."""
    remark = line_from({"note": {"round": 1, "event": 0, **fields}})
    assert isinstance(remark, RecordNote)
    return remark


def line_said(**fields: Any) -> RecordVariation:
    """What a variation says, as in a record."""
    remark = line_from({"variation": {"round": 1, "event": 0, **fields}})
    assert isinstance(remark, RecordVariation)
    return remark


def note(match: Match, author: Author = ADA, sharing: Sharing = EVERYONE, **fields: Any) -> Note:
    """A stored note: at the deal of the first round, if nothing else is said."""
    how = {name: fields.pop(name) for name in ("line", "reply") if name in fields}
    remark = said(**{"text": "Look here.", **fields})
    return write(author, match, remark, sharing, key=fresh(), **how)
