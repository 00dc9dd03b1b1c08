"""A match in short: its winner or leader, and the reason. Also as said to each of its players."""

from collections.abc import Sequence
from typing import Final

from games.engine.message import seat, seats, share, when
from replays.analysis.account import SeatAccount
from replays.analysis.leaving import departures
from replays.analysis.moments.leads import standing_at
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import chance, split, where
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.winning.parts import equals, named, parts, quickness
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import TAKE
from replays.timeline import Timeline

_REASON: Final = 0.1
"""A take that helped less is no reason why a match was won."""
_PARTS: Final = ("rivals", "left", "wilds", "alone")
"""The parts of an account that add up to a score."""
_CLEARLY: Final = 1.5
"""So many times the stacks of another say more than the cards in them."""
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
AWAY: Final = ("own_never_played", "own_stopped_when")
"""A player who left reads one of these first."""
_RESULTS: Final = {f"own_{name}" for name in ("won", *_ORDINALS)}


def verdict(timeline: Timeline, account: Sequence[SeatAccount], swings: Sequence[Swing]) -> Text:
    """Who left, the winner or leader, the margin and the reason."""
    gone = departures(timeline)
    if timeline.result is None:
        return say(gone, so_far(standing(timeline)))
    won = timeline.result.winners
    if not won and timeline.rounds:
        return say(_abandoned(timeline), gone)
    reason = _reason(timeline, account, swings, won[0]) if len(won) == 1 else []
    return say(gone, outcome(timeline.totals, won), reason)


def _abandoned(timeline: Timeline) -> Fact:
    last = timeline.rounds[-1]
    number = last.number if len(timeline.rounds) > 1 else None
    return fact("abandoned_when", when=when(number, last.duration_ms))


def own_verdicts(
    timeline: Timeline, account: Sequence[SeatAccount], swings: Sequence[Swing]
) -> list[Text]:
    """For each seat the same as said to its player. Empty for those of a draw, and without a
    result."""
    won, totals = timeline.result.winners if timeline.result else (), timeline.totals
    told = list[Text]()
    for own in range(len(totals)):
        gone = [
            _own(each) if each.values["player"] == seat(own) else each
            for each in departures(timeline)
        ]
        first = own_outcome(totals, won, own)
        if first is None:
            told.append(say())
        elif own in won:
            told.append(say(gone, first, map(_own, _reason(timeline, account, swings, own))))
        else:
            why = account_reason(account, own, won[0], ahead=False)
            told.append(say(gone, first, _own(why)))
    return told


def without_result(own_verdict: Text) -> Text:
    """A player's verdict, made now or stored, without how the match ended for them."""
    return say(fact(kind, **values) for kind, values in own_verdict["say"] if kind not in _RESULTS)


def since_equal(position: Position, of: int) -> Text:
    """What moved a seat's chance, from equal players at the first deal to that position."""
    found = named(parts(equals(position), position, of), quickness(position, of))
    return say(fact("began_at", share=share(1 / position.seats)), split(found))


def outcome(totals: Sequence[int], won: Sequence[int]) -> Fact:
    """How a match ended. `won`: the seats that won it."""
    if not won:
        return fact("abandoned")
    best = totals[won[0]]
    if len(won) > 1:
        return fact("drew", players=seats(won), count=best)
    second = max(total for other, total in enumerate(totals) if other not in won)
    return fact("won", player=seat(won[0]), count=best, ahead=best - second)


def own_outcome(totals: Sequence[int], won: Sequence[int], own: int) -> Fact | None:
    """The same as said to a seat's player. None to those of a draw, and without a winner."""
    if not won or (own in won and len(won) > 1):
        return None
    if own in won:
        return _own(outcome(totals, won))
    place = _ORDINALS[sum(map(totals[own].__lt__, totals))]
    return fact(f"own_{place}", count=totals[won[0]] - totals[own], other=seat(won[0]))


def so_far(points: Sequence[int]) -> Fact:
    """The leader so far, and the margin."""
    best = max(points)
    ahead = [seat for seat, mine in enumerate(points) if mine == best]
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


def _reason(
    timeline: Timeline, account: Sequence[SeatAccount], swings: Sequence[Swing], winner: int
) -> list[Fact]:
    """Why the seat won: a take that decided it, or else the account."""
    helped = _best(swings, winner)
    if helped is None or helped.facts is None:
        others = [other for other in range(len(account)) if other != winner]
        second = max(others, key=timeline.totals.__getitem__)
        return [account_reason(account, winner, second, ahead=True)]
    there, cards = where(timeline.rounds, helped.round, helped.t), helped.facts.play.takes or 0
    took = fact("took_when", player=seat(winner), count=cards, when=there)
    return [took, chance(*helped.chances(winner))]


def _best(swings: Sequence[Swing], winner: int) -> Swing | None:
    """The take that helped the winner most, of those that were not lost again: the chance never
    fell back to where it was before."""
    lasting, least = list[Swing](), 1.0
    for swing in reversed(swings):
        before, after = swing.chances(winner)
        least = min(least, after)
        own = swing.cause == TAKE and swing.seats == (winner,)
        if own and swing.change(winner) >= _REASON and least > before:
            lasting.append(swing)
        least = min(least, before)
    return max(lasting, key=lambda swing: swing.change(winner), default=None)


def account_reason(account: Sequence[SeatAccount], of: int, other: int, *, ahead: bool) -> Fact:
    """The part of a seat's account that is furthest above another's, or below it if not `ahead`."""
    own, theirs = account[of], account[other]
    apart = {name: getattr(own, name) - getattr(theirs, name) for name in _PARTS}
    name = (max if ahead else min)(apart, key=apart.__getitem__)
    who = {"player": seat(of), "other": seat(other)}
    if name == "rivals" and not own.could:
        return fact("for_none_stacks", **who, theirs=theirs.won)
    more, less = (own, theirs) if ahead else (theirs, own)
    if name == "rivals" and more.won >= _CLEARLY * less.won:
        return fact("for_stacks", **who, won=own.won, count=own.could, theirs=theirs.won)
    count, others = (_cards(each, name) for each in (own, theirs))
    return fact(f"for_{name}" if count else f"for_none_{name}", **who, count=count, theirs=others)


def _cards(account: SeatAccount, part: str) -> int:
    return account.floor - account.left if part == "left" else int(getattr(account, part))


def _own(told: Fact) -> Fact:
    """A fact as said to its player, if it names one."""
    values = {name: value for name, value in told.values.items() if name != "player"}
    return fact(f"own_{told.kind}", **values) if "player" in told.values else told
