"""Keeping what was done in a review: its moments as somebody's own notes, and as a playlist.

Moments at positions that do not exist, or along variations that this person may not see, are
left out; how many is told.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

from games.models import Match
from replays.annotations import notes, playlists
from replays.annotations.access import Reader
from replays.annotations.finding import named
from replays.annotations.notes import Author, Sharing
from replays.annotations.positions import Unfit, extent_of
from replays.models import Note, Playlist, Review, Variation
from replays.reviews.room import Moment, State
from replays.reviews.stored import from_json

TAG: Final = "review"
BEFORE: Final = 8
AFTER: Final = 4
"""How many events before and after a moment a playlist plays."""
_DRAWN: Final = "Drawn in the review"


class Kept(NamedTuple):
    """What was kept, and how many moments were left out."""

    notes: list[Note]
    playlist: Playlist | None
    left_out: int


def moments_of(review: Review) -> State:
    """The review's state."""
    return from_json(review.version, review.state)


def keep(review: Review, author: Author, reader: Reader, *, playlist: bool) -> Kept:
    """Keep the moments as notes that only their new author sees, and perhaps as a playlist.

    Keeping again adds only moments that are new, and changes nothing that was kept before.
    """
    names = dict(review.members.values_list("number", "name"))
    found, left_out = [], 0
    moments = sorted(moments_of(review).moments, key=lambda moment: moment.position)
    for moment in moments:
        try:
            found.append(_noted(review, moment, names, author, reader))
        except Unfit:
            left_out += 1
    listed = _playlist(review, found, author, reader) if playlist and found else None
    return Kept(found, listed, left_out)


def _key(review: Review, what: str, author: Author) -> str:
    """The same for the same moment and person, so keeping twice writes once."""
    return sha256(f"{review.key} {what} {author.person}".encode()).hexdigest()[:32]


def _noted(
    review: Review, moment: Moment, names: dict[int, str], author: Author, reader: Reader
) -> Note:
    key = _key(review, str(moment.n), author)
    kept = Note.objects.filter(key=key).select_related("match").first()
    if kept is not None:
        return kept
    line = named(Variation, review.match, reader, moment.position.line or None, "line")
    fields = {
        "round": moment.position.round,
        "event": moment.position.event,
        "text": _text(moment, names.get(moment.by, "somebody")),
        "tags": [TAG],
        **({"marks": list(moment.marks)} if moment.marks else {}),
        **({"arrows": list(moment.arrows)} if moment.arrows else {}),
    }
    return notes.write(author, review.match, fields, Sharing(), key=key, line=line)


def _text(moment: Moment, by: str) -> str:
    if moment.drawn:
        return f"{_DRAWN} by {by}."
    return f"{by}: {moment.text}" if moment.text else f"Suggested by {by}."


def _span(note: Note) -> dict[str, int]:
    """The events around a note's position, as a playlist plays them."""
    length = note.line.length if note.line else extent_of(note.match, note.round).counts[-1]
    until = min(note.event + AFTER, length)
    return {"event": max(0, min(note.event, until - 1) - BEFORE), "until": until}


def _playlist(review: Review, found: list[Note], author: Author, reader: Reader) -> Playlist:
    items = [
        {
            "match": review.match_id,
            "round": note.round,
            **_span(note),
            "note": note.key,
            "label": note.text[:200].replace("\n", " "),
            **({"line": note.line.key} if note.line else {}),
        }
        for note in found
    ]

    def match_of(pk: int) -> Match | None:
        return review.match if pk == review.match_id else None

    key = _key(review, f"playlist of {len(items)}", author)
    title = f"Review of {review.created:%Y-%m-%d}"
    return playlists.create(author, key, title, items, reader=reader, match_of=match_of)
