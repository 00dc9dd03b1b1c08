"""A match in one sentence: who won or leads, and what made the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from games.engine.events import Play
from games.records.plural import counted, joined
from replays.analysis.moments.leads import LeadChange, standing_at
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import cards, chance, where
from replays.analysis.winning.series import END, TAKE
from replays.timeline import Timeline

_REASON: Final = 0.1
"""A take or OUT that helped less is no reason why a match was won."""
_LONG: Final = 3
"""In a match of so many rounds most of them are a reason."""


def verdict(timeline: Timeline, changes: Sequence[LeadChange], swings: Sequence[Swing] = ()) -> str:
    """Who won or leads, by how much, and why; no more than any spectator may know."""
    if timeline.result is None:
        points = standing(timeline)
        ahead, said = _most(points), so_far(timeline.names, points)
    else:
        ahead = timeline.result.winners
        said = outcome(timeline.names, timeline.totals, ahead)
    why = reason(timeline, changes, swings, ahead[0]) if len(ahead) == 1 else ""
    return f"{said}: {why}." if why else f"{said}."


def reason(
    timeline: Timeline, changes: Sequence[LeadChange], swings: Sequence[Swing], ahead: int
) -> str:
    """Why the seat with most points has them, without a full stop; empty if nothing stands out."""
    best, turn = _best(timeline, swings, ahead), _turn(timeline, changes, ahead)
    if best is not None and (best.facts is None or not turn):
        turn = _said(timeline, best, ahead)
    return turn or _rounds_won(timeline, ahead)


class Lead(TypedDict):
    """Who has most points in a match that is being played, and why."""

    seat: int
    why: str


def lead(timeline: Timeline, changes: Sequence[LeadChange], swings: Sequence[Swing]) -> Lead | None:
    """What to add to the points, which the browser reads from the table; None: nothing."""
    ahead = _most(standing(timeline))
    why = reason(timeline, changes, swings, ahead[0]) if len(ahead) == 1 else ""
    return Lead(seat=ahead[0], why=why) if why else None


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
    """The take since which whoever is ahead has been the favourite too, if it was one."""
    point = changes[-1].point if changes and changes[-1].leader == ahead else None
    played = timeline.rounds[point.round - 1] if point else None
    if point is None or played is None or point.seq not in played.seqs:
        return ""
    event = played.events[played.seqs.index(point.seq)]
    if not isinstance(event, Play) or event.seat != ahead or not event.takes:
        return ""
    lasting = (
        "was the favourite from then on" if timeline.result else "has been the favourite since"
    )
    return f"took {cards(event.takes)} {where(timeline.rounds, point.round, point.t)} and {lasting}"


def _best(timeline: Timeline, swings: Sequence[Swing], ahead: int) -> Swing | None:
    """The take or OUT that helped whoever is ahead most, if it helped enough to be a reason."""
    mine = (swing for swing in swings if swing.cause in {TAKE, END} and swing.seats == (ahead,))
    best = max(mine, key=lambda swing: swing.change(ahead), default=None)
    return best if best and best.change(ahead) >= _REASON else None


def _said(timeline: Timeline, swing: Swing, ahead: int) -> str:
    when = where(timeline.rounds, swing.round, swing.t)
    change = chance(swing.before[ahead], swing.after[ahead])
    if swing.facts is None:
        return f"shouted OUT {when} ({change})"
    return f"took {cards(swing.facts.play.takes or 0)} {when} ({change})"


def _rounds_won(timeline: Timeline, ahead: int) -> str:
    """In how many rounds they scored most, if nobody did in more."""
    ends = [played.end for played in timeline.rounds if played.end is not None]
    best = [max(end.scores) for end in ends]
    won = [
        sum(end.scores[seat] == most for end, most in zip(ends, best, strict=True))
        for seat in range(len(timeline.names))
    ]
    if len(ends) < _LONG or won[ahead] < max(won):
        return ""
    return f"scored most in {won[ahead]} of {len(ends)} rounds"
