"""Moments as pictures: the table just before, with words, leading to the replay; and what a link
to a moment or to a match shows elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.db.models import Min
from django.urls import reverse

from games.models import Chunk, Match
from games.people.visit import Request
from replays.analysis.report_json import MatchMoment
from replays.pictures.captions import clock
from replays.query_string import BadNumberError, number
from replays.stored import reports

_RUN_UP_MS: Final = 3_000
_AFTER_MS: Final = 1_500
"""A link to a time so soon before or after a moment is one to it: the page plays towards it."""


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


class Preview(NamedTuple):
    """What a link to a match shows elsewhere; `picture`: the address of it."""

    picture: str
    title: str
    words: str


def preview_of(request: Request, match: Match, names: Sequence[str], verdict: str) -> Preview:
    """The preview of a match's page, at the place, note or moment that its address names."""
    asked = {name: request.GET[name] for name in _PLACES if name in request.GET}
    title = " · ".join(names)
    words = verdict or f"Step through a match of {len(names)} players, card by card."
    seq = None if match.hidden else _number(request, "seq")
    moment = None if match.hidden or "note" in asked else _moment(request, match, seq)
    if moment is not None:
        seq, title = moment["seq"], moment["text"]
        words = f"Round {moment['round']}, {clock(moment['t'])}. {words}"
    if seq is not None:
        asked = _position(match, seq)
    address = reverse("replays:picture", args=[match.pk])
    picture = request.build_absolute_uri(f"{address}?{urlencode(asked)}" if asked else address)
    return Preview(picture, title, words)


_PLACES: Final = ("round", "event", "t", "note")


def _moment(request: Request, match: Match, seq: int | None) -> MatchMoment | None:
    """The moment to which a link leads, if the match's report is made."""
    round_number, t = _number(request, "round"), _number(request, "t")
    timed = round_number is not None and t is not None
    moments = reports.moments(match) if request.visit.shows_results and (seq or timed) else ()
    if seq is not None or t is None:
        return next((moment for moment in moments if moment["seq"] == seq), None)
    near = [
        moment
        for moment in moments
        if moment["round"] == round_number and -_AFTER_MS <= moment["t"] - t <= _RUN_UP_MS
    ]
    return min(near, key=lambda moment: abs(moment["t"] - t), default=None)


def _position(match: Match, seq: int) -> dict[str, str]:
    """The position after that line of a match, for its picture."""
    chunk = match.chunks.filter(packed=True, first_seq__lte=seq).order_by("first_seq").last()
    if chunk is None:
        return {}
    return {"round": f"{chunk.round}", "event": f"{min(seq - chunk.first_seq, chunk.events)}"}


def _number(request: Request, name: str) -> int | None:
    try:
        return number(request.GET, name)
    except BadNumberError:
        return None
