"""Moments as pictures: the table just before, with words, leading to the replay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Min
from django.urls import reverse

from games.models import Chunk


class Place(NamedTuple):
    """A line of a match, by its seq."""

    match: int
    round: int
    seq: int


class PicturedMoment(NamedTuple):
    """What a picture shows, and where it leads."""

    address: str
    picture: str
    title: str
    words: str


def pictured(moments: Iterable[tuple[Place, str, str]]) -> list[PicturedMoment]:
    """Places, each with a title and words, as pictures. One query."""
    wanted = list(moments)
    rows = Chunk.objects.filter(match__in={place.match for place, _, _ in wanted}, round__gt=0)
    first_seqs = rows.values_list("match", "round").annotate(first=Min("first_seq"))
    deals = {(match, number): first for match, number, first in first_seqs}
    return [
        PicturedMoment(
            f"{reverse('replays:replay', args=[place.match])}?round={place.round}&seq={place.seq}",
            _picture(place, deals[place.match, place.round]),
            title,
            words,
        )
        for place, title, words in wanted
    ]


def _picture(place: Place, deal: int) -> str:
    """The position right before the line, whose deal has that seq."""
    address = reverse("replays:picture_svg", args=[place.match])
    return f"{address}?round={place.round}&event={max(0, place.seq - deal - 1)}"
