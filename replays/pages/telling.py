"""A match's stored facts, in the words of their reader.

A class has its own names for its pupils. Only its present members read them, in its matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.archive.store import shown_header
from games.models import Match
from games.pages.words import HERE
from games.people.visit import Visit
from replays.analysis.sentences import with_words
from replays.classes.membership import names_at


def names_in(match: Match, visit: Visit) -> list[str]:
    """The players of a match by seat, as this visitor knows them. One query, or three."""
    return as_known(visit, match, [seat.name for seat in shown_header(match).seats])


def as_known(visit: Visit, match: Match, names: list[str]) -> list[str]:
    """These names, or the class's own. Two queries in a match of the visitor's class, else none."""
    if not match.school_class or match.school_class not in visit.visitor.classes:
        return names
    called = names_at([match.pk], [match.school_class])
    return [called.get((match.pk, number), name) for number, name in enumerate(names)]


def told(value: Any, names: Sequence[str]) -> Any:
    """A JSON value with its texts in words, in the reader's language."""
    return with_words(value, names, HERE)


def told_to(visit: Visit, match: Match, value: Any) -> Any:
    """The same with the players' names as this visitor knows them."""
    return told(value, names_in(match, visit))
