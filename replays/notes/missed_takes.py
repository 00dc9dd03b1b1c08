"""A player's missed takes as a playlist, the costliest first.

Missed takes are exact (docs/reference/measures.md). Their places were stored when the matches were
counted (`replays.players.counting`), and their costs are in the matches' reports.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import ngettext

from games.models import Match, Seat
from games.pages.words import HERE
from games.people.visitor import Author, Reader
from replays.analysis.players.counts import MissedSpan
from replays.analysis.versions import MEASURES_VERSION
from replays.models import Playlist
from replays.notes import playlists
from replays.notes.playlists import ItemJson, MatchOf
from replays.players.counting import count
from replays.players.queries import without_guided
from replays.stored.reports import missed_takes

LATEST: Final = 100
"""How many of the latest matches are searched."""
COMPARED: Final = 40
"""The largest stacks, among which the costliest are chosen."""
MAX_SPANS: Final = 10
"""Spans in such a playlist."""
COUNT_NOW: Final = 5
"""How many matches are counted on the spot, if no worker has done it yet."""


class OwnMissedTake(NamedTuple):
    """A missed take in one of a player's matches."""

    match: int
    seat: int
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


def costliest_of(seats: QuerySet[Seat]) -> list[OwnMissedTake]:
    """At most `MAX_SPANS` missed takes of these seats: first those that cost most of the chance to
    win, then the largest stacks of matches without a report."""
    count_some(seats)
    takes = known_of(seats)[:COMPARED]
    matches = Match.objects.in_bulk({take.match for take in takes})
    costs = {pk: _costs(match) for pk, match in matches.items()}
    takes.sort(key=lambda take: costs[take.match].get(_key(take.seat, take.span), 0.0))
    return takes[:MAX_SPANS]


_Key = tuple[int, int, int, str, int]


def _key(seat: int, span: MissedSpan) -> _Key:
    return seat, span.round, span.slot, span.card, span.ms


def _costs(match: Match) -> dict[_Key, float]:
    """How each missed take changed the chance to win. Empty without a report."""
    return {
        (row["seat"], row["round"], row["slot"], row["card"], row["to"] - row["from"]): row["delta"]
        for row in missed_takes(match) or ()
    }


def known_of(seats: QuerySet[Seat]) -> list[OwnMissedTake]:
    """The missed takes in these seats' latest matches, as far as they are counted. One query."""
    rows = _over(seats).filter(figures__isnull=False)
    latest: QuerySet[Seat, tuple[int, int, list[list[Any]]]] = rows.order_by(
        "-started_at", "-match"
    ).values_list("match", "number", "figures__spans")
    takes = [
        OwnMissedTake(match, seat, MissedSpan._make(span))
        for match, seat, spans in latest[:LATEST]
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
    played = seats.exclude(match__state=Match.State.OPEN).filter(origin=Match.Origin.HOSTED)
    return without_guided(played)


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
