"""Tempo: how busy each seat was, how fast it reacted, and the slots left unplayed.

Reactions are divided by the event that opened the window: the deal, the player's own draw or play,
or another player's. They are given beside the seat's median over the earlier rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from replays.analysis.actions import actions
from replays.analysis.chances import TRIGGERS, Triggers
from replays.analysis.round_chances import RoundChances, round_chances
from replays.analysis.windows import PLAYED, Window
from replays.timeline import Round, Timeline


class Reaction(NamedTuple):
    """For one kind of trigger in a round: the median in ms, how many, and the earlier median."""

    median_ms: float
    times: int
    before_ms: float | None


class SeatTempo(NamedTuple):
    """A seat in one round."""

    actions_a_minute: float | None
    """All movements. None in a round that took no time."""
    churn: float | None
    """Discards per draw. None without draws."""
    reactions: dict[str, Reaction]
    """By trigger, only those that occurred."""


class RoundTempo(NamedTuple):
    """One round: each seat, and for each slot how long any seat could have played on it."""

    round: int
    seats: tuple[SeatTempo, ...]
    unserved_ms: tuple[int, ...]


def tempo(timeline: Timeline, known: Sequence[RoundChances] | None = None) -> list[RoundTempo]:
    """The tempo of every round, in order. `known`: the chances of each, if computed."""
    if known is None:
        known = [
            round_chances(played, [None for _ in timeline.names]) for played in timeline.rounds
        ]
    past: list[dict[str, list[int]]] = [defaultdict(list) for _ in timeline.names]
    rounds = zip(timeline.rounds, known, strict=True)
    return [_round(played, of_round, past) for played, of_round in rounds]


def _round(
    played: Round, of_round: RoundChances, past: Sequence[dict[str, list[int]]]
) -> RoundTempo:
    reactions = _reactions(played, [chance.window for chance in of_round.listed])
    seats = tuple(
        _seat(counts, played.duration_ms, reactions[seat], past[seat])
        for seat, counts in enumerate(actions(played.events, len(past)))
    )
    for mine, before in zip(reactions, past, strict=True):
        for trigger, times in mine.items():
            before[trigger] += times
    return RoundTempo(played.number, seats, of_round.unserved_ms)


def _seat(
    counts: dict[str, int], duration: int, mine: dict[str, list[int]], past: dict[str, list[int]]
) -> SeatTempo:
    moved = 60_000 * sum(counts.values()) / duration if duration else None
    churn = counts["discard"] / counts["draw"] if counts["draw"] else None
    reactions = {
        trigger: Reaction(
            median(mine[trigger]),
            len(mine[trigger]),
            median(past[trigger]) if past[trigger] else None,
        )
        for trigger in TRIGGERS
        if mine[trigger]
    }
    return SeatTempo(moved, churn, reactions)


def _reactions(played: Round, windows: Sequence[Window]) -> list[dict[str, list[int]]]:
    """For each seat and trigger, the reactions in ms."""
    triggers = Triggers(played.events)
    times: list[dict[str, list[int]]] = [defaultdict(list) for _ in played.header.seats]
    for window in windows:
        if window.end == PLAYED:
            times[window.seat][triggers.of(window)].append(window.until - window.since)
    return times
