"""A match in a few sentences: who won or leads, who took most, the biggest take, the lead.

They say no more than any spectator may know, so a match that is being played has them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.events import Play
from games.records.plural import counted, joined
from replays.analysis.moments.leads import LeadChange, standing_at
from replays.analysis.moments.wording import cards, face, percent
from replays.analysis.player_table import PlayerRow
from replays.timeline import Timeline

_NAMED: Final = 3
"""How many takes are named that are the biggest, if several are as big."""


def facts(
    timeline: Timeline, players: Sequence[PlayerRow], changes: Sequence[LeadChange]
) -> list[str]:
    """The sentences, most important first."""
    found = (
        _outcome(timeline),
        _most_takes(timeline, players),
        _biggest_take(timeline),
        _course(timeline, changes),
    )
    return [sentence for sentence in found if sentence]


def standing(timeline: Timeline) -> list[int]:
    """Each seat's total, with the points of a round that is not over."""
    if not timeline.rounds:
        return list(timeline.totals)
    return standing_at(timeline.rounds[-1], timeline.seq)


def _outcome(timeline: Timeline) -> str:
    if timeline.result is None:
        return f"The match is not over: {_ahead(timeline.names, standing(timeline))}."
    won, totals = timeline.result.winners, timeline.totals
    if not won:
        return "The match was abandoned."
    who = joined(timeline.names[seat] for seat in won)
    best = totals[won[0]]
    if len(won) > 1:
        return f"{who} drew with {_points(best)} each."
    second = max(total for seat, total in enumerate(totals) if seat not in won)
    return f"{who} won with {_points(best)}, {_points(best - second)} ahead."


def _points(count: int) -> str:
    return counted(count, "point").replace("-", "−")


def _ahead(names: Sequence[str], points: Sequence[int]) -> str:
    """Who has most points so far, and by how much."""
    best = max(points)
    leaders = [names[seat] for seat, mine in enumerate(points) if mine == best]
    most = _points(best)
    if len(leaders) > 1:
        return f"{joined(leaders)} lead with {most} each"
    ahead = best - max(mine for mine in points if mine != best)
    return f"{leaders[0]} leads with {most}, {ahead} ahead"


def _most_takes(timeline: Timeline, players: Sequence[PlayerRow]) -> str:
    takes = [int(row.cells["takes"].value or 0) for row in players]
    most = max(takes)
    if not most:
        return "Nobody took a stack." if timeline.result else "Nobody has taken a stack yet."
    rows = [row for row, count in zip(players, takes, strict=True) if count == most]
    who = joined(timeline.names[row.seat] for row in rows)
    times = "once" if most == 1 else f"{most} times"
    takers = "have" if len(rows) > 1 else "has"
    took = "took" if timeline.result else f"{takers} taken"
    if len(rows) > 1:
        return f"{who} {took} most often: {times} each."
    size = rows[0].cells["cards_a_take"].value
    return f"{who} {took} most often: {times}, {size:.1f} cards each on average."


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
    found = [
        f"{timeline.names[play.seat]} with {face(play.card)} "
        f"(round {number}, {play.t // 60_000}:{play.t // 1_000 % 60:02})"
        for taken, number, play in takes
        if taken == most
    ]
    so_far = "" if timeline.result else " so far"
    others = [counted(len(found) - _NAMED, "other")] if len(found) > _NAMED else []
    return f"The biggest take{so_far}: {cards(most)}, {joined([*found[:_NAMED], *others])}."


def _course(timeline: Timeline, changes: Sequence[LeadChange]) -> str:
    if not changes:
        changed = "never changed" if timeline.result else "has not changed yet"
        return f"The lead {changed}, as far as the model can tell."
    last = changes[-1]
    often = "once" if len(changes) == 1 else f"{len(changes)} times"
    changed = "changed" if timeline.result else "has changed"
    return (
        f"The lead {changed} {often}, last in round {last.point.round} to "
        f"{timeline.names[last.leader]} ({percent(last.point.p[last.leader])}, estimated)."
    )
