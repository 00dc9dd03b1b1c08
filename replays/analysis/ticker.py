"""The takes that moved the odds of a match that is being played, newest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.records.plural import joined
from replays.analysis.moments.swings import Swing
from replays.analysis.stacks import Stack, stacks
from replays.timeline import Timeline

LEAST: Final = 0.02
"""A take that moved its taker's win probability by less is left out."""
MOST: Final = 60


class Tick(NamedTuple):
    """A take, what it changed for its taker (an estimate), and the rest of the sentence."""

    seq: int
    round: int
    t: int
    seat: int
    delta: float
    text: str


def ticker(timeline: Timeline, found: Sequence[Swing]) -> list[Tick]:
    """The latest takes that changed something, as a spectator may know it."""
    kept = [swing for swing in found if _moved(swing)][-MOST:]
    taken = _taken(timeline, {swing.round for swing in kept})
    return [
        Tick(
            *(swing.seq, swing.round, swing.t, swing.seats[0]),
            round(swing.change(swing.seats[0]), 4),
            _words(taken[swing.seq], timeline.names),
        )
        for swing in reversed(kept)
    ]


def _moved(swing: Swing) -> bool:
    took = swing.facts is not None and swing.facts.play.takes
    return bool(took) and abs(swing.change(swing.seats[0])) >= LEAST


def _taken(timeline: Timeline, rounds: Iterable[int]) -> dict[int, Stack]:
    """The stacks that were taken in these rounds, by the seq of the take."""
    played = (timeline.rounds[number - 1] for number in rounds)
    return {
        one.seqs[stack.plays[-1] - 1]: stack
        for one in played
        for stack in stacks(one.events)
        if stack.taker is not None
    }


def _words(stack: Stack, names: Sequence[str]) -> str:
    """How many cards were taken, and from whom most."""
    others = Counter(seat for seat in stack.seats if seat != stack.taker)
    took = f"took {len(stack.cards)}"
    if not others:
        return f"{took}, all their own"
    most = max(others.values())
    whose = joined(f"{names[seat]}’s" for seat, count in others.items() if count == most)
    each = " each" if list(others.values()).count(most) > 1 else ""
    return f"{took}, {most} of them {whose}{each}"
