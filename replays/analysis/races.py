"""Races: the moments when several hands went for the same slot."""

from collections.abc import Iterable
from typing import NamedTuple

from games.engine.cards import OWNER
from games.engine.events import Event, Late, Play, Tie


class LateRace(NamedTuple):
    """A try that came `margin_ms` after the play that beat it."""

    t: int
    slot: int
    winner: int
    loser: int
    margin_ms: int


class TieRace(NamedTuple):
    """A tie: its seats, ascending, and how long after the first try the last one came."""

    t: int
    slot: int
    seats: tuple[int, ...]
    spread_ms: int


Race = LateRace | TieRace


def races(events: Iterable[Event]) -> list[Race]:
    """One race per late try and per tie, in order."""
    raced: list[Race] = []
    last: dict[int, Play] = {}
    for event in events:
        if isinstance(event, Play):
            last[event.stack] = event
        elif isinstance(event, Tie):
            seats = tuple(sorted(OWNER[card] for card in event.cards))
            raced.append(TieRace(event.t, event.stack, seats, event.after[-1]))
        elif isinstance(event, Late):
            first = last[event.stack]
            margin = event.t - first.t
            raced.append(LateRace(event.t, event.stack, first.seat, event.seat, margin))
    return raced
