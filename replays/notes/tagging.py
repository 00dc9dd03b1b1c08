"""How often each player was given each tag."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from games.people.names import in_order
from games.people.visitor import Reader
from replays.models import Note
from replays.notes.access import readable

MOST_MATCHES: Final = 100
_SEAT: Final = re.compile(r"seat:(\d)")


class Matrix(NamedTuple):
    """Tags by players: each cell has the notes, by match, that gave this tag to that player."""

    players: list[str]
    tags: list[str]
    cells: dict[tuple[str, str], list[Note]]


NOBODY: Final = ""
"""In place of a player, for notes that point to no seat."""


def matrix(names: Mapping[int, Sequence[str]], reader: Reader) -> Matrix:
    """Tags in the notes on matches that this reader may see. A note may be in many cells.

    `names`: of each match's players.
    """
    rows = Note.objects.filter(readable(reader), match__in=names, deleted=None, reply=None)
    cells: defaultdict[tuple[str, str], list[Note]] = defaultdict(list)
    for note in rows.exclude(tags=[]).distinct().order_by("match", "round", "event", "pk"):
        for player in players_of(note, names[note.match_id]):
            for tag in note.tags:
                cells[tag, player].append(note)
    players = sorted({player for _, player in cells}, key=in_order)
    return Matrix(players, sorted({tag for tag, _ in cells}), dict(cells))


def players_of(note: Note, names: Sequence[str]) -> Iterable[str]:
    """The players a note points to, by its marks and arrows. `NOBODY` if it points to no seat."""
    seats = {int(seat) for mark in (*note.marks, *note.arrows) for seat in _SEAT.findall(mark)}
    return [names[seat] for seat in sorted(seats)] or [NOBODY]
