"""A match in one sentence: who won or leads, and the take that made the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.events import Play
from games.records.plural import counted, joined
from replays.analysis.moments.leads import LeadChange, standing_at
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import cards, percent, where
from replays.analysis.winning.series import TAKE
from replays.timeline import Timeline

_REASON: Final = 0.1
"""A take that helped less is no reason why a match was won."""


def verdict(timeline: Timeline, changes: Sequence[LeadChange], swings: Sequence[Swing] = ()) -> str:
    """Who won or leads, by how much, and why; no more than any spectator may know."""
    if timeline.result is None:
        points = standing(timeline)
        ahead, said = _most(points), so_far(timeline.names, points)
    else:
        ahead = timeline.result.winners
        said = outcome(timeline.names, timeline.totals, ahead)
    reason = ""
    if len(ahead) == 1:
        reason = _turn(timeline, changes, ahead[0]) or _best_take(timeline, swings, ahead[0])
    return f"{said}: {reason}." if reason else f"{said}."


def outcome(names: Sequence[str], totals: Sequence[int], won: Sequence[int]) -> str:
    """How a match ended, without a full stop; `won`: the seats that won it."""
    if not won:
        return "The match was abandoned"
    who, best = joined(names[seat] for seat in won), totals[won[0]]
    if len(won) > 1:
        return f"{who} drew with {_points(best)} each"
    second = max(total for seat, total in enumerate(totals) if seat not in won)
    return f"{who} won with {_points(best)}, {best - second} ahead"


def so_far(names: Sequence[str], points: Sequence[int]) -> str:
    """Who has most points so far, and by how much, without a full stop."""
    ahead = _most(points)
    if len(ahead) == len(points):
        return f"All are level with {_points(points[0])}"
    most, who = _points(points[ahead[0]]), joined(names[seat] for seat in ahead)
    if len(ahead) > 1:
        return f"{who} lead with {most} each"
    second = max(mine for seat, mine in enumerate(points) if seat not in ahead)
    return f"{who} leads with {most}, {points[ahead[0]] - second} ahead"


def standing(timeline: Timeline) -> list[int]:
    """Each seat's total, with the points of a round that is not over."""
    if not timeline.rounds:
        return list(timeline.totals)
    return standing_at(timeline.rounds[-1], timeline.seq)


def _most(points: Sequence[int]) -> tuple[int, ...]:
    best = max(points)
    return tuple(seat for seat, mine in enumerate(points) if mine == best)


def _points(count: int) -> str:
    return counted(count, "point").replace("-", "−")


def _turn(timeline: Timeline, changes: Sequence[LeadChange], ahead: int) -> str:
    """The take since which whoever is ahead has been the model's favourite too, if it was one."""
    point = changes[-1].point if changes and changes[-1].leader == ahead else None
    played = timeline.rounds[point.round - 1] if point else None
    if point is None or played is None or point.seq not in played.seqs:
        return ""
    event = played.events[played.seqs.index(point.seq)]
    if not isinstance(event, Play) or event.seat != ahead or not event.takes:
        return ""
    then = "and led from then on" if timeline.result else "and has led since"
    return f"took {cards(event.takes)} {where(timeline.rounds, point.round, point.t)} {then}"


def _best_take(timeline: Timeline, swings: Sequence[Swing], ahead: int) -> str:
    """The take that helped whoever is ahead most."""
    mine = (swing for swing in swings if swing.cause == TAKE and swing.seats == (ahead,))
    best = max(mine, key=lambda swing: swing.change(ahead), default=None)
    if best is None or best.facts is None or best.change(ahead) < _REASON:
        return ""
    before, after = percent(best.before[ahead]), percent(best.after[ahead])
    took = f"took {cards(best.facts.play.takes or 0)} {where(timeline.rounds, best.round, best.t)}"
    return f"{took} (chances {before} to {after})"
