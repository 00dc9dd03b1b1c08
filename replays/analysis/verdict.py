"""A match in short: its winner or leader, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.message import seat, seats
from replays.analysis.moments.leads import LeadChange, standing_at
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import chance, where
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.winning.series import END, TAKE
from replays.timeline import Timeline

_REASON: Final = 0.1
"""A take or OUT that helped less is no reason why a match was won,"""
_TURN: Final = 0.03
"""but for the take since which the winner was the favourite: less than this."""
_LONG: Final = 3
"""In a match of so many rounds most of them are a reason."""


def verdict(
    timeline: Timeline, changes: Sequence[LeadChange], swings: Sequence[Swing] = ()
) -> Text:
    """The winner or leader, the margin and the reason, from any spectator's knowledge."""
    if timeline.result is None:
        points = standing(timeline)
        ahead, first = _most(points), so_far(points)
    else:
        ahead = timeline.result.winners
        first = outcome(timeline.totals, ahead)
    return say(first, reason(timeline, changes, swings, ahead[0]) if len(ahead) == 1 else [])


def reason(
    timeline: Timeline, changes: Sequence[LeadChange], swings: Sequence[Swing], ahead: int
) -> list[Fact]:
    """Why the seat with most points has them. Empty without a clear reason."""
    turn = _turn(changes, swings, ahead)
    helped = _best(swings, ahead) or turn
    if helped is None:
        return _rounds_won(timeline, ahead)
    return _helped(timeline, helped, ahead, turn=helped is turn)


def outcome(totals: Sequence[int], won: Sequence[int]) -> Fact:
    """How a match ended. `won`: the seats that won it."""
    if not won:
        return fact("abandoned")
    best = totals[won[0]]
    if len(won) > 1:
        return fact("drew", players=seats(won), count=best)
    second = max(total for other, total in enumerate(totals) if other not in won)
    return fact("won", player=seat(won[0]), count=best, ahead=best - second)


def so_far(points: Sequence[int]) -> Fact:
    """The leader so far, and the margin."""
    ahead = _most(points)
    best = points[ahead[0]]
    if len(ahead) == len(points):
        return fact("level", count=best)
    if len(ahead) > 1:
        return fact("lead_together", players=seats(ahead), count=best)
    second = max(mine for other, mine in enumerate(points) if other not in ahead)
    return fact("leads", player=seat(ahead[0]), count=best, ahead=best - second)


def standing(timeline: Timeline) -> list[int]:
    """Each seat's total, with the points of a round that is not over."""
    if not timeline.rounds:
        return list(timeline.totals)
    return standing_at(timeline.rounds[-1], timeline.seq)


def _most(points: Sequence[int]) -> tuple[int, ...]:
    best = max(points)
    return tuple(seat for seat, mine in enumerate(points) if mine == best)


def _turn(changes: Sequence[LeadChange], swings: Sequence[Swing], ahead: int) -> Swing | None:
    """The take since which the leader has been the favourite too, if it was one."""
    if not changes or changes[-1].leader != ahead:
        return None
    seq = changes[-1].point.seq
    return next((swing for swing in _gains(swings, ahead, _TURN) if swing.seq == seq), None)


def _best(swings: Sequence[Swing], ahead: int) -> Swing | None:
    """The take or OUT that helped the leader most, of those that were not lost again: the chance
    never fell back to where it was before."""
    lasting, least = list[Swing](), 1.0
    gains = {swing.seq for swing in _gains(swings, ahead, _REASON)}
    for swing in reversed(swings):
        before, after = swing.chances(ahead)
        least = min(least, after)
        if swing.seq in gains and least > before:
            lasting.append(swing)
        least = min(least, before)
    return max(lasting, key=lambda swing: swing.change(ahead), default=None)


def _gains(swings: Sequence[Swing], ahead: int, least: float) -> list[Swing]:
    """A seat's own takes and OUTs that helped it by so much."""
    own = (swing for swing in swings if swing.cause in {TAKE, END} and swing.seats == (ahead,))
    return [swing for swing in own if swing.change(ahead) >= least]


def _helped(timeline: Timeline, swing: Swing, ahead: int, *, turn: bool) -> list[Fact]:
    values = {"player": seat(ahead), "when": where(timeline.rounds, swing.round, swing.t)}
    change = chance(*swing.chances(ahead))
    if swing.facts is None:
        return [fact("out_when", **values), change]
    kind = "took_when"
    if turn:
        kind = "took_and_was_favourite" if timeline.result else "took_and_is_favourite"
    return [fact(kind, count=swing.facts.play.takes or 0, **values), change]


def _rounds_won(timeline: Timeline, ahead: int) -> list[Fact]:
    """In how many rounds they scored most, if no one did in more."""
    ends = [played.end for played in timeline.rounds if played.end is not None]
    best = [max(end.scores) for end in ends]
    won = [
        sum(end.scores[seat] == most for end, most in zip(ends, best, strict=True))
        for seat in range(len(timeline.names))
    ]
    if len(ends) < _LONG or won[ahead] < max(won):
        return []
    return [fact("most_rounds", player=seat(ahead), won=won[ahead], rounds=len(ends))]
