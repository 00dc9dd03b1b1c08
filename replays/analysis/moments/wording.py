"""Moments in words: one plain sentence each, with a reason only if the log shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.engine.cards import FACE, WILD, Card
from games.engine.events import Miss, Play
from games.records.plural import counted, joined
from replays.analysis.chances import Chance
from replays.analysis.moments.swings import Facts, Stake, Swing
from replays.analysis.winning.position import FIVE
from replays.timeline import Round

CLOSE_MS: Final = 150
"""A race won by less than this is worth mentioning."""
NOTICEABLE: Final = 0.005
"""Half a percent: less of a change is not worth a figure."""

Names = Sequence[str]


def percent(probability: float) -> str:
    """A probability in whole percent; 0% and 100% only if certain."""
    if 0 < probability < 0.01:
        return "under 1%"
    if 0.99 < probability < 1:
        return "over 99%"
    return f"{100 * probability:.0f}%"


def chance(before: float, after: float) -> str:
    """How a chance to win changed; that it is an estimate is said once, where it is shown."""
    first, then = percent(before), percent(after)
    if after == 1:
        return f"chance to win: {first} before it"
    if first == then and abs(after - before) < NOTICEABLE:
        return f"chance to win: {first} before and after"
    if first == then:
        first, then = (f"{100 * p:.1f}%" for p in (before, after))
    return f"chance to win: {first} → {then}"


def seconds(ms: int) -> str:
    """A time as one would say it: in ms below a tenth of a second."""
    return f"{ms} ms" if ms < 100 else f"{ms / 1_000:.1f} s"


def face(card: Card) -> str:
    return "a wild" if FACE[card] == WILD else f"a {FACE[card]}"


def cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def place(rounds: Sequence[Round], number: int, t: float) -> str:
    """When it was in one of these rounds; in the only one, the time alone."""
    time = f"{t // 60_000:.0f}:{t // 1_000 % 60:02.0f}"
    return f"in round {number} at {time}" if len(rounds) > 1 else f"at {time}"


def where(rounds: Sequence[Round], number: int, t: float) -> str:
    """The same as a sentence says it: which round, or when in the only one."""
    return f"in round {number}" if len(rounds) > 1 else place(rounds, number, t)


def take(swing: Swing, names: Names, biggest: int, leads: bool, *, over: bool = True) -> str:
    """A take; of how many that are the biggest it is one (0: of none), whether its taker led from
    then on, and whether the match is over."""
    facts = swing.facts
    assert facts is not None
    seat, size = facts.play.seat, cards(facts.play.takes or 0)
    parts = [f"{names[seat]} took {size} with {face(facts.play.card)}"]
    if biggest:
        which = "the biggest take" if biggest == 1 else "one of the biggest takes"
        parts.append(f"{which} of the match" if over else f"{which} so far")
    parts += _reason(facts, names)
    if leads:
        parts.append(
            "and was the favourite from then on" if over else "and has been the favourite since"
        )
    change = chance(swing.before[seat], swing.after[seat])
    return f"{', '.join(parts)}{_left(facts, names)} ({change})."


def _reason(facts: Facts, names: Names) -> list[str]:
    """Why a take came about: a race that was won, or the card that let it in; or nothing."""
    race = min(facts.beaten, key=lambda beaten: beaten.margin_ms, default=None)
    if race and race.margin_ms < CLOSE_MS:
        return [f"{race.margin_ms} ms ahead of {names[race.seat]}"]
    fed = facts.fed
    if fed and fed.soon:
        return [f"{seconds(fed.ms)} after {names[fed.seat]} played {face(fed.card)}"]
    own = facts.below
    if own and own.seat == facts.play.seat and FACE[facts.play.card] == FIVE and own.soon:
        return [f"{seconds(own.ms)} after their own {face(own.card).removeprefix('a ')}"]
    return []


def _left(facts: Facts, names: Names) -> str:
    """Who had been able to take longest, if anybody for longer than usual and without trying."""
    left = max(facts.ready, key=lambda ready: ready.chance.free_ms, default=None)
    if left is None or any(beaten.seat == left.chance.window.seat for beaten in facts.beaten):
        return ""
    window, ms = left.chance.window, left.chance.free_ms
    return f"; {names[window.seat]} had {seconds(ms)} to take it with {face(window.card)}"


def play(swing: Swing, names: Names, seat: int) -> str:
    """A play that took nothing; `seat`: the one it affected most."""
    facts = swing.facts
    assert facts is not None
    laid = facts.play
    whose = "" if seat == laid.seat else f"{names[seat]}’s "
    change = chance(swing.before[seat], swing.after[seat])
    return (
        f"{names[laid.seat]} played {face(laid.card)} on stack {laid.stack + 1} ({whose}{change})."
    )


def tie(swing: Swing, names: Names, seat: int) -> str:
    """A tie; `seat`: the one it affected most, or to which the take was worth most."""
    tied = joined(names[who] for who in swing.seats)
    if swing.stake is None:
        change = chance(swing.before[seat], swing.after[seat])
        went = f"{tied} tied, and their cards went to the discard piles"
        return f"{went} ({names[seat]}’s {change})."
    story = _at_stake(swing.stake, tied, len(swing.seats), names)
    return f"{story} ({with_take(swing, names)})."


def with_take(swing: Swing, names: Names) -> str:
    """What the take would have been worth in a tie for a stack, to whom it was worth most."""
    lost, seat = swing.lost
    now, instead = percent(swing.after[seat]), percent(swing.after[seat] + lost)
    return f"{names[seat]}’s chance to win: {now}, with the take {instead}"


def _at_stake(stake: Stake, tied: str, tries: int, names: Names) -> str:
    """A tie for a stack: how many cards, how close, and who had them in the end."""
    apart = f"{stake.spread_ms} ms apart" if stake.spread_ms else "in the same millisecond"
    alone = "either" if tries == 2 else "any of them"
    then = "nobody took the stack afterwards"
    if stake.taker is not None:
        then = f"{names[stake.taker]} took the stack {seconds(stake.after_ms)} later"
    return (
        f"{tied} tied, {apart}, where {alone} alone would have taken {cards(stake.cards)}; {then}"
    )


def out(swing: Swing, names: Names, seat: int) -> str:
    """An OUT that a player chose to shout; `seat`: the one it affected most."""
    (who,) = swing.seats
    change = chance(swing.before[seat], swing.after[seat])
    whose = "" if seat == who else f"{names[seat]}’s "
    then = ""
    if max(swing.after) == 1:
        then = " and won" if swing.after[who] == 1 else ", which ended the match"
    return f"{names[who]} shouted OUT{then} ({whose}{change})."


def missed_take(swing: Swing, names: Names, missed: Chance) -> str:
    """A take that somebody left to another player, or tried for too late."""
    seat, card = missed.window.seat, missed.window.card
    facts = swing.facts
    assert facts is not None
    stack, taker = cards((facts.play.takes or 1) - 1), names[facts.play.seat]
    late = next((beaten.margin_ms for beaten in facts.beaten if beaten.seat == seat), None)
    lost = f"left {stack} to {taker}"
    if late is not None:
        lost = f"came {late} ms late: {taker} took the {stack}"
    ready = f"{names[seat]} had {face(card)} ready for {seconds(missed.free_ms)}"
    if swing.change(seat) > -NOTICEABLE:  # it went to somebody whom this seat had not to fear
        return f"{ready}, but {lost}."
    change = chance(swing.before[seat], swing.after[seat])
    return f"{ready}, but {lost} ({names[seat]}’s {change})."


def mistake(miss: Miss, names: Names, lost: Play | None) -> str:
    """A card that did not fit; `lost`: the take that its player could have made meanwhile."""
    name, after = names[miss.seat], ""
    if lost is not None:
        size, then = cards((lost.takes or 1) - 1), seconds(lost.t - miss.t)
        after = f" {then} later {names[lost.seat]} took {size} that {name} could have taken."
    return f"{name} tried {face(miss.card)} on stack {miss.stack + 1}, where it didn’t fit.{after}"


def recurring(name: str, text: str, cause: str, count: int, *, alike: bool) -> str:
    """A sentence about the costliest of several tries of one cause; or, if all cost alike, one."""
    if count == 1:
        return text
    often = times(count)
    what = {
        "mistake": f"{name} tried cards that didn’t fit {often}",
        "late": f"{name} was clearly late for takes {often}",
        "kept a 5": f"{name} left takes with a 5 in hand {often}",
        "kept a wild": f"{name} left takes with a wild in hand {often}",
    }[cause]
    return f"{what}. {'For example' if alike else 'The costliest'}: {text}"


def feed(swing: Swing, names: Names) -> str:
    """The play that lay below a take."""
    facts = swing.facts
    assert facts is not None
    assert facts.fed is not None
    fed, taker = facts.fed, facts.play.seat
    change = chance(swing.before[taker], swing.after[taker])
    return (
        f"{names[fed.seat]} played {face(fed.card)} and {names[taker]} took the "
        f"{cards(facts.play.takes or 0)} {seconds(fed.ms)} later ({names[taker]}’s {change})."
    )


def race(swing: Swing, names: Names, loser: int, margin_ms: int) -> str:
    """A take that was won against a late try."""
    facts = swing.facts
    assert facts is not None
    seat = facts.play.seat
    change = chance(swing.before[seat], swing.after[seat])
    stack = cards((facts.play.takes or 1) - 1)
    ahead = f"{margin_ms} ms ahead of" if margin_ms else "in the same millisecond as"
    return (
        f"{names[seat]} took a stack of {stack} {ahead} {names[loser]} ({names[seat]}’s {change})."
    )


def comeback(name: str, low: float, when: str, behind: int) -> str:
    """How low the winner's chance was, when, and how many points behind the leader."""
    chance_was = f"a chance to win of {percent(low)} {when}"
    return f"{name} had {chance_was}, {counted(behind, 'point')} behind, and still won."


def lead(name: str, before: float, after: float, why: str, *, over: bool = True) -> str:
    """Who was the favourite from then on, or has been since if the match is not over."""
    lasting = "for good" if over else "and still is"
    return f"{name} became the favourite {lasting}{why} ({chance(before, after)})."


def left(name: str, before: float, after: float) -> str:
    """A favourite, or any player with a chance, who plays no more."""
    return f"{name} stopped playing ({chance(before, after)})."
