"""A player's missed takes as a playlist, the largest stacks first.

Missed takes are exact (docs/reference/measures.md). Their places were stored when the matches were
counted (`replays.players.counting`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import ngettext

from games.bots.patient import PATIENT
from games.models import Match, Seat
from games.pages.words import HERE
from games.people.visitor import Author, Reader
from replays.analysis.players.counts import MissedSpan
from replays.analysis.versions import MEASURES_VERSION
from replays.models import Playlist
from replays.notes import playlists
from replays.notes.playlists import ItemJson, MatchOf
from replays.players.counting import count

LATEST: Final = 100
"""How many of the latest matches are searched."""
MAX_SPANS: Final = 40
"""Spans in such a playlist."""
COUNT_NOW: Final = 5
"""How many matches are counted on the spot, if no worker has done it yet."""


class OwnMissedTake(NamedTuple):
    """A missed take in one of a player's matches."""

    match: int
    span: MissedSpan

    @property
    def item(self) -> ItemJson:
        span = self.span
        count = span.cards + 1  # with the one that would have taken them
        return {
            "match": self.match,
            "round": span.round,
            "event": span.event,
            "until": span.until,
            "label": ngettext(
                "Missed take of {count} card, open for {seconds} s",
                "Missed take of {count} cards, open for {seconds} s",
                count,
            ).format(count=count, seconds=HERE.number(span.ms / 1_000, 1)),
        }


def missed_takes_of(seats: QuerySet[Seat]) -> list[OwnMissedTake]:
    """The missed takes of these seats, at most `MAX_SPANS`: the largest stacks first."""
    count_some(seats)
    return known_of(seats)[:MAX_SPANS]


def known_of(seats: QuerySet[Seat]) -> list[OwnMissedTake]:
    """The missed takes in these seats' latest matches, as far as they are counted. One query."""
    rows = _over(seats).filter(figures__isnull=False)
    latest = rows.order_by("-started_at", "-match").values_list("match", "figures__spans")
    takes = [
        OwnMissedTake(match, MissedSpan._make(span))
        for match, spans in latest[:LATEST]
        for span in spans
    ]
    # Sorting keeps the order of equals: the latest match first.
    return sorted(takes, key=lambda take: -take.span.cards)


def count_some(seats: QuerySet[Seat]) -> None:
    """Count the latest matches that no worker has counted yet."""
    uncounted = _over(seats).exclude(figures__version=MEASURES_VERSION)
    latest = uncounted.order_by("-started_at", "-match").values_list("match", flat=True)
    for match in Match.objects.filter(pk__in=list(latest[:COUNT_NOW])):
        count(match)


def _over(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Of matches played here, abandoned ones too: a take was missed there whatever came later.

    In guided rounds nothing can be missed.
    """
    played = seats.exclude(match__state=Match.State.OPEN).filter(match__origin=Match.Origin.HOSTED)
    return played.exclude(match__seats__temper=PATIENT)


def create(
    author: Author, title: str, items: Sequence[ItemJson], *, reader: Reader, match_of: MatchOf
) -> Playlist:
    """Spans as a playlist that only the author sees. The same spans are the same playlist.

    Raises ValidationFault.
    """
    made = sha256(json.dumps([author.person, items]).encode()).hexdigest()
    playlist = playlists.create(
        author,
        f"drill-{made[:32]}",  # as stored since the first of these lists
        title,
        items,
        reader=reader,
        match_of=match_of,
    )
    if playlist.deleted is not None:
        playlist.deleted = None
        playlist.save(update_fields=["deleted"])
    return playlist
