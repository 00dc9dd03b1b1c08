"""A coach's tag panel, and how often each player was given each tag."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.db import transaction
from typing_extensions import TypedDict

from games.archive.store import header_of
from games.models import Match
from games.people.visitor import Author, Reader
from games.records.strict import Malformed
from replays.models import Note, TagButton
from replays.notes.access import own, readable

MOST_BUTTONS: Final = 24
COLOURS: Final = 8
MOST_MS: Final = 60_000
MOST_MATCHES: Final = 100
_SEAT: Final = re.compile(r"seat:(\d)")


class ButtonFields(TypedDict):
    """A button of a tag panel, as the API sends and takes it.

    `before_ms` and `after_ms`: how far the tagged span reaches from the press.
    """

    name: str
    shortcut: str
    colour: int
    before_ms: int
    after_ms: int


def buttons_of(reader: Reader) -> list[ButtonFields]:
    """The reader's own buttons, in order."""
    rows = TagButton.objects.filter(own(reader)).order_by("owner", "place")
    return list(rows.values(*ButtonFields.__annotations__))


def set_buttons(author: Author, buttons: Sequence[ButtonFields]) -> None:
    """Replace the author's buttons. Raises Malformed."""
    keys = [button["shortcut"] for button in buttons if button["shortcut"]]
    if len(set(keys)) < len(keys):
        raise Malformed("buttons: expected a different key for each")
    with transaction.atomic():
        TagButton.objects.filter(owner=author.person).delete()
        TagButton.objects.bulk_create(
            TagButton(owner=author.person, user=author.user, place=place, **button)
            for place, button in enumerate(buttons)
        )


# --- The matrix ------------------------------------------------------------------------------


class Matrix(NamedTuple):
    """Tags by players: each cell has the notes, by match, that gave this tag to that player."""

    players: list[str]
    tags: list[str]
    cells: dict[tuple[str, str], list[Note]]


NOBODY: Final = ""
"""In place of a player, for notes that point to no seat."""


def matrix(matches: Sequence[Match], reader: Reader) -> Matrix:
    """Tags in the notes on these matches that this reader may see. A note may be in many cells."""
    names = {match.pk: [seat.name for seat in header_of(match).seats] for match in matches}
    rows = Note.objects.filter(readable(reader), match__in=matches, deleted=None, reply=None)
    cells: defaultdict[tuple[str, str], list[Note]] = defaultdict(list)
    for note in rows.exclude(tags=[]).distinct().order_by("match", "round", "event", "pk"):
        for player in players_of(note, names[note.match_id]):
            for tag in note.tags:
                cells[tag, player].append(note)
    players = sorted({player for _, player in cells})
    return Matrix(players, sorted({tag for tag, _ in cells}), dict(cells))


def players_of(note: Note, names: Sequence[str]) -> Iterable[str]:
    """The players a note points to, by its marks and arrows. `NOBODY` if it points to no seat."""
    seats = {int(seat) for mark in (*note.marks, *note.arrows) for seat in _SEAT.findall(mark)}
    return [names[seat] for seat in sorted(seats)] or [NOBODY]
