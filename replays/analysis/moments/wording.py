"""Moments as facts: what happened, with a reason only if the log shows it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.engine.cards import FACE
from games.engine.events import Miss, Play
from games.engine.message import (
    Value,
    card,
    lasting,
    points_between,
    seat,
    seats,
    share,
    signed,
    spoken,
    when,
)
from replays.analysis.chances import Chance
from replays.analysis.moments.swings import Facts, Stake, Swing
from replays.analysis.sentences import Fact, Text, fact, say
from replays.analysis.winning.position import FIVE
from replays.timeline import Round

CLOSE_MS: Final = 150
"""A race won by less than this is worth mentioning."""
NOTICEABLE: Final = 0.005
"""Half a percent: a smaller change is not worth a figure."""
_LOST: Final = 2
"""A missed take that cost fewer points of chance to win gets no figure."""


def chance(before: float, after: float, of: int | None = None) -> Fact:
    """How the chance to win changed for the player just named, or for the seat `of`. The page says
    once that it is an estimate."""
    kind, values = "chance", {"before": share(before), "after": share(after)}
    if after == 1:
        kind = "chance_won"
    elif spoken(values["before"]) == spoken(values["after"]):
        kind = "chance_kept"
    return fact(kind, **values) if of is None else fact(f"{kind}_of", player=seat(of), **values)


def _change(swing: Swing, of: int, told: int | None = None) -> Fact:
    """A swing's effect on a seat. `told`: the player just named."""
    return chance(*swing.chances(of), None if of == told else of)


def where(rounds: Sequence[Round], number: int, t: float) -> Value:
    """In which of these rounds it was. In a single round: when."""
    return when(number) if len(rounds) > 1 else when(None, t)


def take(swing: Swing, biggest: int, leads: bool, *, over: bool = True) -> Text:
    """A take. `biggest`: how many takes share the biggest size with it (0: it is not among them).
    `leads`: its taker has led ever since. `over`: the match is over."""
    facts = swing.facts
    assert facts is not None
    play, yet = facts.play, "" if over else "_yet"
    told = [fact("took", player=seat(play.seat), count=play.takes or 0, card=card(play.card))]
    if biggest:
        told.append(fact(f"biggest{yet}" if biggest == 1 else f"among_biggest{yet}"))
    told += _reason(facts)
    if leads:
        told.append(fact("favourite" if over else "favourite_since", player=seat(play.seat)))
    return say(told, _longest_ready(facts), _change(swing, play.seat, play.seat))


def _reason(facts: Facts) -> Iterator[Fact]:
    """Why a take came about, if the log shows it: a race it won, or the card below it."""
    race = min(facts.beaten, key=lambda beaten: beaten.margin_ms, default=None)
    taker, fed, own = facts.play.seat, facts.fed, facts.below
    if race and race.margin_ms < CLOSE_MS:
        yield fact("ahead_of", player=seat(taker), ms=race.margin_ms, other=seat(race.seat))
    elif fed and fed.soon:
        yield fact("fed_before", other=seat(fed.seat), card=card(fed.card), time=lasting(fed.ms))
    elif own and own.seat == taker and FACE[facts.play.card] == FIVE and own.soon:
        yield fact("own_before", player=seat(taker), card=card(own.card), time=lasting(own.ms))


def _longest_ready(facts: Facts) -> Iterator[Fact]:
    """The seat that could take longest without trying, if for longer than usual."""
    left = max(facts.ready, key=lambda ready: ready.chance.free_ms, default=None)
    if left and all(beaten.seat != left.chance.window.seat for beaten in facts.beaten):
        window, time = left.chance.window, lasting(left.chance.free_ms)
        yield fact("could_take", player=seat(window.seat), card=card(window.card), time=time)


def play(swing: Swing, moved: int) -> Text:
    """A play that took nothing. `moved`: the seat that it affected most."""
    facts = swing.facts
    assert facts is not None
    laid = facts.play
    where = {"player": seat(laid.seat), "card": card(laid.card), "stack": laid.stack + 1}
    return say(fact("played", **where), _change(swing, moved, laid.seat))


def tie(swing: Swing, moved: int) -> Text:
    """A tie. `moved`: the seat that it affected most, or to which the take was worth most."""
    tied = seats(swing.seats)
    if swing.stake is None:
        return say(fact("tied", players=tied), _change(swing, moved))
    return say(_at_stake(swing.stake, tied, len(swing.seats)), with_take(swing))


def with_take(swing: Swing) -> Fact:
    """What the take would have been worth in a tie for a stack, to whom it was worth most."""
    _lost, of = swing.lost
    instead, now = map(share, swing.untied)
    return fact("with_take", player=seat(of), now=now, instead=instead)


def _at_stake(stake: Stake, tied: Value, tries: int) -> Iterator[Fact]:
    """A tie for a stack: how many cards, how close, and who had them in the end."""
    if stake.spread_ms:
        yield fact("tied_apart", players=tied, ms=stake.spread_ms)
    else:
        yield fact("tied_at_once", players=tied)
    yield fact("either_alone" if tries == 2 else "each_alone", count=stake.cards)
    if stake.taker is None:
        yield fact("none_took_after")
    else:
        yield fact("took_after_tie", player=seat(stake.taker), time=lasting(stake.after_ms))


def out(swing: Swing, moved: int) -> Text:
    """An OUT that a player chose to shout. `moved`: the seat that it affected most."""
    (who,) = swing.seats
    kind = "out"
    if max(swing.after) == 1:
        kind = "out_and_won" if swing.after[who] == 1 else "out_and_ended"
    return say(fact(kind, player=seat(who)), _change(swing, moved, who))


def missed_take(swing: Swing, missed: Chance) -> Text:
    """A take that a player left to another one, or tried for too late."""
    window, facts = missed.window, swing.facts
    assert facts is not None
    late = next((each.margin_ms for each in facts.beaten if each.seat == window.seat), None)
    kind, values = ("missed_left", {}) if late is None else ("missed_late", {"ms": late})
    left = fact(
        kind,
        player=seat(window.seat),
        card=card(window.card),
        time=lasting(missed.free_ms),
        count=facts.play.takes or 0,
        taker=seat(facts.play.seat),
        **values,
    )
    if points_between(*swing.chances(window.seat)) > -_LOST:  # the taker was harmless to this seat
        return say(left)
    return say(left, _change(swing, window.seat))


def mistake(miss: Miss, lost: Play | None) -> Text:
    """A card that did not fit. `lost`: the take that its player could have made meanwhile."""
    who = seat(miss.seat)
    tried = fact("mistake", player=who, card=card(miss.card), stack=miss.stack + 1)
    if lost is None:
        return say(tried)
    count, time = lost.takes or 0, lasting(lost.t - miss.t)
    taker = seat(lost.seat)
    return say(tried, fact("lost_meanwhile", count=count, time=time, taker=taker, player=who))


def feed(swing: Swing) -> Text:
    """The play that lay below a take."""
    facts = swing.facts
    assert facts is not None
    assert facts.fed is not None
    fed, taker = facts.fed, facts.play.seat
    told = fact(
        "fed",
        player=seat(fed.seat),
        card=card(fed.card),
        taker=seat(taker),
        count=facts.play.takes or 0,
        time=lasting(fed.ms),
    )
    return say(told, _change(swing, taker))


def race(swing: Swing, loser: int, margin_ms: int) -> Text:
    """A take that was won against a late try."""
    facts = swing.facts
    assert facts is not None
    winner, count = facts.play.seat, facts.play.takes or 0
    kind = "raced" if margin_ms else "raced_at_once"
    values = {"player": seat(winner), "count": count, "other": seat(loser), "ms": margin_ms}
    return say(fact(kind, **values), _change(swing, winner, winner))


def comeback(of: int, low: float, where: Value, behind: int, gains: Sequence[Fact]) -> Text:
    """How low the winner's chance was, when, how many points behind the leader, and how it rose."""
    return say(fact("comeback", player=seat(of), low=share(low), when=where, count=behind), gains)


def gain(swing: Swing, rounds: Sequence[Round]) -> Fact:
    """A take of a comeback, with its player's chance to win before and after."""
    assert swing.facts is not None
    (taker,) = swing.seats
    before, after = map(share, swing.chances(taker))
    there, count = where(rounds, swing.round, swing.t), swing.facts.play.takes or 0
    return fact("gained", when=there, count=count, before=before, after=after)


def lead(of: int, before: float, after: float, reason: Fact | None, *, over: bool = True) -> Text:
    """The favourite ever since. In a match that is not over, the favourite so far."""
    became = fact("favourite_for_good" if over else "favourite_for_now", player=seat(of))
    return say(became, [reason] if reason else [], chance(before, after))


def left(of: int, before: float, after: float) -> Text:
    """A favourite, or any player with a chance, who plays no more."""
    return say(fact("stopped", player=seat(of)), chance(before, after))


def split(found: Mapping[str, float]) -> list[Fact]:
    """The parts of a change of a chance, in whole percentage points, from two on."""
    told = {name: round(100 * part) for name, part in found.items()}
    return [
        fact(f"by_{name}" if name != "pace" or points > 0 else "by_slower", points=signed(points))
        for name, points in told.items()
        if abs(points) > 1
    ]


def won(of: int, count: int, ahead: int, before: float) -> Text:
    """The result, the last step of the curve."""
    return say(fact("won", player=seat(of), count=count, ahead=ahead), chance(before, 1))
