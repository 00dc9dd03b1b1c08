"""What is needed of a stored match to play on in one of its rounds."""

from __future__ import annotations

from typing import Final

from django.db.models import Sum

from games.archive import outlines
from games.archive.store import header_of, lines_of_rounds
from games.engine.events import End
from games.engine.facts import Fault
from games.models import Match
from replays.timeline import Timeline
from replays.variations.lines import MatchLines

MAX_EVENTS: Final = 6_000
"""The most events in a round to play on from; only a flood of tries has more."""
TEMPO_ROUNDS: Final = 5
"""How many earlier rounds are used for the players' tempo."""


def lines_to(match: Match, number: int) -> MatchLines:
    """The lines of a round and a few before it. Raises Fault if that is too much."""
    sizes = dict(match.chunks.values_list("round").annotate(Sum("events")))
    if number not in sizes or not number:
        raise Fault(f"round: expected one of the {max(sizes, default=0)} played, found {number}")
    first, known = number, sizes[number]
    if known > MAX_EVENTS:
        raise Fault(f"round {number} has {known} events: expected at most {MAX_EVENTS}")
    while first > max(1, number - TEMPO_ROUNDS) and known + sizes[first - 1] <= MAX_EVENTS:
        first -= 1
        known += sizes[first]
    lines = [header_of(match), *lines_of_rounds(match, first, number)]
    return MatchLines(Timeline.of(lines, before=_totals_after(match, first - 1)))


def _totals_after(match: Match, number: int) -> tuple[int, ...] | None:
    """The totals after a round that was followed by another; None for 0, before the first.

    A round too long to be read has an outline.
    """
    if not number:
        return None
    outlined = match.outlines.filter(round=number).first()
    if outlined:
        return outlines.read(bytes(outlined.body), 1, 1).totals
    ends = (line for line in lines_of_rounds(match, number, number) if isinstance(line, End))
    return next(ends).totals
