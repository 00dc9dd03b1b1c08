"""A match in a few sentences: who won or leads, who left, who took most, the biggest take.

While a match is being played they say no more than any spectator may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from games.engine.events import Play
from games.records.plural import counted, joined
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.moments.leads import LeadChange
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import cards, face, place, seconds, times, where
from replays.analysis.player_table import Cell, PlayerRow
from replays.analysis.verdict import verdict
from replays.timeline import Timeline

ONE_SIDED: Final = 0.5
"""A match is one-sided if the second has at most this share of the winner's points."""
QUICKER: Final = 1.5
"""How many times as long the others' cards wait, for that to be a reason."""
_NAMED: Final = 3
"""How many takes are named that are the biggest, if several are as big."""


def facts(
    timeline: Timeline,
    players: Sequence[PlayerRow],
    changes: Sequence[LeadChange],
    swings: Sequence[Swing],
) -> list[str]:
    """The sentences, most important first."""
    sentences = (
        verdict(timeline, changes, swings),
        *_left(timeline),
        _most_takes(timeline, players),
        _biggest_take(timeline),
        _quicker(timeline, players),
    )
    return [sentence for sentence in sentences if sentence]


def _quicker(timeline: Timeline, players: Sequence[PlayerRow]) -> str:
    """Why a match was one-sided, if its winner's playable cards waited much less than others'."""
    won, totals = timeline.result.winners if timeline.result else (), timeline.totals
    if len(won) != 1:
        return ""
    winner = won[0]
    second = max(total for seat, total in enumerate(totals) if seat != winner)
    reactions = {row.seat: row.cells.get("reaction_ms", Cell(None)).value for row in players}
    own = reactions.pop(winner)
    others = [ms for ms in reactions.values() if ms is not None]
    if second > ONE_SIDED * totals[winner] or not own or not others:
        return ""
    usual = median(others)
    if usual < QUICKER * own:
        return ""
    return (
        f"{timeline.names[winner]} was much quicker: they typically played a card "
        f"{seconds(round(own))} after it fitted, the others after {seconds(round(usual))}."
    )


def _left(timeline: Timeline) -> Iterator[str]:
    for name, (number, t) in zip(timeline.names, left_at(timeline), strict=True):
        if (number, t) == STAYED:
            continue
        when = place(timeline.rounds, int(number), t)
        if number == 0:
            yield f"{name} {'never played' if timeline.result else 'has not moved yet'}."
        elif timeline.result:
            yield f"{name} stopped playing {when}."
        else:
            yield f"{name} has not moved since {when}."


def _most_takes(timeline: Timeline, players: Sequence[PlayerRow]) -> str:
    takes = [int(row.cells["takes"].value or 0) for row in players]
    most = max(takes)
    if not most:
        return "No one took a stack." if timeline.result else "No one has taken a stack yet."
    rows = [row for row, count in zip(players, takes, strict=True) if count == most]
    who = joined(timeline.names[row.seat] for row in rows)
    often = times(most)
    takers = "have" if len(rows) > 1 else "has"
    took = "took" if timeline.result else f"{takers} taken"
    if len(rows) > 1:
        return f"{who} {took} most often: {often} each."
    size = rows[0].cells["cards_a_take"].value
    return f"{who} {took} most often: {often}, {size:.1f} cards each on average."


def _biggest_take(timeline: Timeline) -> str:
    takes = [
        (event.takes, played.number, event)
        for played in timeline.rounds
        for event in played.events
        if isinstance(event, Play) and event.takes is not None
    ]
    if not takes:
        return ""
    most = max(taken for taken, _, _ in takes)
    takers = [
        f"{timeline.names[play.seat]} with {face(play.card)} "
        f"{where(timeline.rounds, number, play.t)}"
        for taken, number, play in takes
        if taken == most
    ]
    so_far = "" if timeline.result else " so far"
    others = [counted(len(takers) - _NAMED, "other")] if len(takers) > _NAMED else []
    return f"The biggest take{so_far}: {cards(most)}, {joined([*takers[:_NAMED], *others])}."
