"""A match in short: its winner or leader, and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.events import Play
from games.engine.message import seat, seats
from replays.analysis.moments.leads import LeadChange, standing_at
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import chance, where
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.winning.series import END, TAKE
from replays.timeline import Timeline

_REASON: Final = 0.1
"""A take or OUT that helped less is no reason why a match was won."""
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
    best, turn = _best(timeline, swings, ahead), _turn(timeline, changes, ahead)
    if best is not None and (best.facts is None or not turn):
        return _helped(timeline, best, ahead)
    return turn or _rounds_won(timeline, ahead)


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


def _turn(timeline: Timeline, changes: Sequence[LeadChange], ahead: int) -> list[Fact]:
    """The take since which the leader has been the favourite too, if it was one."""
    point = changes[-1].point if changes and changes[-1].leader == ahead else None
    played = timeline.rounds[point.round - 1] if point else None
    if point is None or played is None or point.seq not in played.seqs:
        return []
    event = played.events[played.seqs.index(point.seq)]
    if not isinstance(event, Play) or event.seat != ahead or not event.takes:
        return []
    kind = "took_and_was_favourite" if timeline.result else "took_and_is_favourite"
    when = where(timeline.rounds, point.round, point.t)
    return [fact(kind, player=seat(ahead), count=event.takes, when=when)]


def _best(timeline: Timeline, swings: Sequence[Swing], ahead: int) -> Swing | None:
    """The take or OUT that helped the leader most, if it helped enough to be a reason."""
    mine = (swing for swing in swings if swing.cause in {TAKE, END} and swing.seats == (ahead,))
    best = max(mine, key=lambda swing: swing.change(ahead), default=None)
    return best if best and best.change(ahead) >= _REASON else None


def _helped(timeline: Timeline, swing: Swing, ahead: int) -> list[Fact]:
    values = {"player": seat(ahead), "when": where(timeline.rounds, swing.round, swing.t)}
    change = chance(swing.before[ahead], swing.after[ahead])
    if swing.facts is None:
        return [fact("out_when", **values), change]
    return [fact("took_when", count=swing.facts.play.takes or 0, **values), change]


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
