"""The law of a round: what a seat may do, what a try comes to, what must come next.

In this file, in this order:
- what the round itself demands: an OUT of an emptied hand, a blocked end, a stalled end;
- what a seat may do: draw, discard, lay a card, shout, each as `no_x`, which gives the
  reason against it or None, and `legal_actions` made of them;
- what a try comes to (`judge`): a play, a late try, a mistake, or a refusal;
- which tries are tied;
- `verify`: whether an event is a true fact on a table. Everything here reads the table only.

A try is judged on two pictures of its slot: as it is now, and as its player saw it. The
second is the slot after the first `seen` events or after the seat's own last play there,
whichever is later (`viewed`). A try is stale if another seat has started or taken a stack
in the slot since.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from enum import Enum
from typing import Any, Final, NamedTuple

from games.engine import scoring
from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import DECK_LETTERS, FACE, WILD, Card
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.fitting import FREE, STAYING, fit_masks, fits, takes, uses
from games.engine.table import HAND, Table, Visit


class Fault(Exception):  # noqa: N818 - the field's word for it
    """An event that cannot have happened on this table; the message says why."""


class Reason(NamedTuple):
    """Why something is not allowed: the rule's name, words, and ms still to wait."""

    rule: str
    message: str
    wait_ms: int = 0


class Verdict(Enum):
    """What a try comes to when it is not refused; a play may still become a tie."""

    PLAY = "play"
    LATE = "late"
    MISS = "miss"


# What the round itself demands


def emptied(table: Table, seat: int) -> bool:
    """Whether a seat has neither hand nor draw nor discard pile."""
    return not (table.hands[seat] or table.draw_piles[seat] or table.discard_piles[seat])


def blocked(table: Table) -> bool:
    """Whether no card that any seat still has could be played anywhere."""
    masks, faces = fit_masks(table.rules.wild_starts), table.faces
    for top in table.tops:  # noqa: SIM110 - asked after every play, and the first top ends it
        if masks[top] & faces:
            return False
    return True


def demanded(table: Table) -> str | None:
    """What has to come next and at once: `out`, `end out`, `end blocked`, or None."""
    last = table.last
    kind = type(last)
    if kind is Out:
        return "end out"
    if last is not None and kind is not Play:
        return None
    if isinstance(last, Play) and table.rules.out == "empty" and emptied(table, last.seat):
        return "out"
    return "end blocked" if blocked(table) else None


def stall_at(table: Table) -> int | None:
    """The t at which the round is stalled unless somebody plays before; None: never."""
    stall = table.rules.stall_ms
    return table.last_play + stall if stall else None


# What a seat may do


def no_movement(table: Table, seat: int, t: int) -> Reason | None:
    """Why a seat's hand may not move at t: one hand, and a mistake takes longer."""
    wait = table.free[seat] - t
    if wait <= 0:
        return None
    return Reason(
        "one-hand",
        f"one hand: the hand of seat {seat} is free from {table.free[seat]}, found t {t} "
        f"({table.hand_ms[seat]} ms after a movement, {table.rules.mistake_ms} after a mistake)",
        wait,
    )


def no_hold(table: Table, seat: int, card: Card) -> Reason | None:
    """Why a seat may not use that card: it has to be in its hand."""
    if card in table.hands[seat]:
        return None
    return Reason("not-in-hand", f"{card} is not in hand of seat {seat}")


def no_draw(table: Table, seat: int) -> Reason | None:
    """Why a seat may not draw now."""
    if len(table.hands[seat]) >= HAND:
        return Reason("hand-full", f"hand full: seat {seat} holds {HAND} cards already")
    if not table.draw_piles[seat]:
        return Reason("no-card-to-draw", f"seat {seat} has no card to draw")
    return None


def short(table: Table, seat: int) -> bool:
    """Whether a seat could still fill its hand to three."""
    return len(table.hands[seat]) < HAND and bool(table.draw_piles[seat])


def _refill(table: Table, seat: int) -> Reason:
    return Reason(
        "refill-first",
        f"refill first: seat {seat} holds {len(table.hands[seat])} cards and could hold {HAND}",
    )


def no_discard(table: Table, seat: int, card: Card) -> Reason | None:
    """Why a seat may not lay that card on its discard pile now."""
    if card not in table.hands[seat]:
        return no_hold(table, seat, card)
    if table.rules.refill_before_discard and short(table, seat):
        return _refill(table, seat)
    return None


def no_shout(table: Table, seat: int) -> Reason | None:
    """Why a seat may not say OUT now."""
    if table.rules.out != "shout":
        return Reason("out-by-itself", "not out: in this edition a seat without cards is out")
    if table.draw_piles[seat] or table.discard_piles[seat]:
        return Reason("not-out", f"not out: seat {seat} still has cards in its piles")
    return None


def no_such_try(table: Table, action: Try) -> Reason | None:
    """Why a try names something that is not there: its card, its slot, its number."""
    if not 0 <= action.stack < table.seats:
        return Reason("no-such-slot", f"stack must be 0 to {table.seats - 1}, found {action.stack}")
    if action.number is not None:
        if FACE.get(action.card) != WILD:
            return Reason("not-wild", f"as: only a wild stands for a number, not {action.card}")
        if action.number not in STAYING:
            return Reason("not-wild", f"as must be 1 to 4, found {action.number}")
    return no_hold(table, action.seat, action.card)


def needs_refill(table: Table, seat: int) -> bool:
    """Whether a seat must draw before it may lay a card."""
    return table.rules.refill_before_play and short(table, seat)


def legal_actions(table: Table, seat: int) -> list[Action]:
    """Everything a seat may do on the table as it is, apart from having to wait for its hand."""
    if table.ended or demanded(table):
        return []
    actions: list[Action] = [] if no_draw(table, seat) else [DrawOne(seat)]
    if not needs_refill(table, seat):
        actions += [
            Try(seat, card, slot, number)
            for card in table.hands[seat]
            for slot, top in enumerate(table.tops)
            for number in uses(table.rules, top, FACE[card])
        ]
    actions += [DiscardOne(seat, c) for c in table.hands[seat] if not no_discard(table, seat, c)]
    if not no_shout(table, seat):
        actions.append(Shout(seat))
    return actions


# What a try comes to


def viewed(table: Table, seat: int, slot: int, seen: int) -> int:
    """Up to which event a player knew a slot who had been shown `seen` events."""
    return max(seen, table.own[seat][slot])


def top_after(table: Table, slot: int, event: int) -> int:
    """The slot's top as it was after the first `event` events."""
    known = bisect_right(table.plays[slot], event, key=_event_of)
    return table.plays[slot][known - 1].left if known else FREE


def _event_of(visit: Visit) -> int:
    return visit.event


def judge(table: Table, action: Try, seen: int) -> Verdict | Reason:
    """What a try by a player who had been shown `seen` events comes to on the table as it is.

    Whether the hand is free to move is not asked here: `no_movement`.
    """
    return no_such_try(table, action) or weigh(table, action, seen)


def weigh(table: Table, action: Try, seen: int) -> Verdict | Reason:
    """`judge` for a try whose card is known to be in hand, and its slot and number possible."""
    seat, card, slot, number, _ = action
    face = FACE[card]
    view = viewed(table, seat, slot, seen)
    stale = table.turned[slot] > view
    if not stale and fits(table.rules, table.tops[slot], face, number):
        return _refill(table, seat) if needs_refill(table, seat) else Verdict.PLAY
    if fits(table.rules, top_after(table, slot, view), face, number):
        return _refill(table, seat) if needs_refill(table, seat) else Verdict.LATE
    if table.tied[seat][slot] > seen:
        return Reason("tie-not-shown", f"an own card was tied on slot {slot}, not yet shown")
    return Verdict.MISS


# Ties


def _stale_before(table: Table, slot: int, view: int, event: int) -> bool:
    """Whether somebody started or took a stack in the slot after `view` and before `event`."""
    plays = table.plays[slot]
    later = range(bisect_right(plays, view, key=_event_of), len(plays))
    return any(plays[place].turning and plays[place].event < event for place in later)


class _Tried(NamedTuple):
    """A try as the tie rule looks at it; `number`: what a wild was said to stand for."""

    seat: int
    slot: int
    t: int
    face: int
    number: int | None


def _missed_tie(table: Table, tried: _Tried, view: int | None = None) -> Visit | None:
    """The earlier play or tie that a try belongs to a tie with.

    `view`: for a late try or a mistake, up to which event its player knew the slot.
    """
    seat, slot, t, face, number = tried
    for visit in reversed(table.visits[slot]):
        if t - visit.t >= table.rules.tie_window_ms:
            return None
        if seat in visit.seats or not fits(table.rules, visit.found, face, number):
            continue
        if view is None or not _stale_before(table, slot, view, visit.event):
            return visit
    return None


def _verify_untied(table: Table, tried: _Tried, view: int | None = None) -> None:
    """Raise Fault if a try belongs to a tie with an earlier play or tie on its slot."""
    visit = _missed_tie(table, tried, view)
    if visit:
        raise Fault(
            f"should be a tie: seat {tried.seat} tried slot {tried.slot} {tried.t - visit.t} ms "
            f"after event {visit.event} and its card fitted there too "
            f"(window {table.rules.tie_window_ms} ms)"
        )


def no_tie(table: Table, action: Try, t: int) -> Reason | None:
    """Why a try at t that could be played may not stand in a tie.

    A tie does not tell what a wild was tried as, and any use of it counts. So a wild that as
    its number had no part in a tie a moment ago, but as another could have had, cannot have
    a part in the next one.
    """
    if action.number is None:
        return None
    tried = _Tried(action.seat, action.stack, t, FACE[action.card], None)
    if _missed_tie(table, tried) is None:
        return None
    return Reason("wild-contested", f"{action.card} as {action.number} was tried in another's tie")


# Whether an event is true


def verify(table: Table, event: Event) -> None:
    """Raise Fault unless the event can be the next fact on the table."""
    t = event.t
    if table.ended:
        raise Fault("the round has ended, expected a deal or the result")
    if t < table.t:
        raise Fault(f"t must not fall: expected at least {table.t}, found {t}")
    kind = type(table.last)
    if kind is Play or kind is Out or not table.events:
        _verify_demanded(table, event)
    stall = table.rules.stall_ms
    if stall and t >= table.last_play + stall:
        _verify_stalled(table, event)
    _VERIFY[type(event)](table, event)


def _verify_stalled(table: Table, event: Event) -> None:
    if type(event) is not End or event.reason != "stalled":
        raise Fault(f"the round is stalled: end expected at t {stall_at(table)}")


def _verify_demanded(table: Table, event: Event) -> None:
    wanted = demanded(table)
    if wanted is None:
        return
    found = f"end {event.reason}" if type(event) is End else type(event).__name__.lower()
    if found != wanted:
        raise Fault(f"{wanted} expected, found {found}")
    if event.t != table.t:
        raise Fault(f"{wanted} expected at t {table.t}, found t {event.t}")


def _verify_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < table.seats:
        raise Fault(f"seat must be 0 to {table.seats - 1}, found {seat}")


def _deny(reason: Reason | None) -> None:
    if reason:
        raise Fault(reason.message)


def _verify_seen(table: Table, seat: int, seen: int) -> None:
    if seen > table.events:
        raise Fault(f"seen must be at most {table.events}, found {seen}")
    if seen < table.seen[seat]:
        raise Fault(f"seen falls: seat {seat} had seen {table.seen[seat]}, found {seen}")


def _verify_hand(table: Table, seat: int, card: Card, t: int) -> None:
    if card not in table.hands[seat]:
        raise Fault(f"{card} is not in hand of seat {seat}")
    if t < table.free[seat]:
        _deny(no_movement(table, seat, t))


def _verify_refilled(table: Table, seat: int) -> None:
    if needs_refill(table, seat):
        _deny(_refill(table, seat))


def _verify_play(table: Table, event: Play) -> None:
    t, seat, card, slot, number, taken, seen = event
    _verify_seat(table, seat)
    _verify_slot(table, slot)
    _verify_hand(table, seat, card, t)
    rules = table.rules
    if rules.refill_before_play:
        _verify_refilled(table, seat)
    top, face = table.tops[slot], FACE[card]
    if not fits(rules, top, face, number):
        raise Fault(_misfit(card, slot, top, number))
    if face == WILD and top == FREE and number is None:
        raise Fault("as must be 1 on a wild that starts a stack")
    expected = len(table.stacks[slot]) + 1 if takes(top, face, number) else None
    if taken != expected:
        raise Fault(f"takes: expected {_or_none(expected)}, found {_or_none(taken)}")
    if seen is not None:
        _verify_fresh(table, seat, slot, seen)
    visits = table.visits[slot]
    if visits and t - visits[-1].t < rules.tie_window_ms:
        _verify_untied(table, _Tried(seat, slot, t, face, number))


def _misfit(card: Card, slot: int, top: int, number: int | None) -> str:
    place = f"slot {slot}, whose top is {top}" if top else f"the free slot {slot}"
    return f"{card}{f' as {number}' if number else ''} does not fit {place}"


def _or_none(value: int | None) -> str:
    return "none" if value is None else str(value)


def _verify_slot(table: Table, slot: int) -> None:
    if not 0 <= slot < table.seats:
        raise Fault(f"stack must be 0 to {table.seats - 1}, found {slot}")


def _verify_draw(table: Table, event: Draw) -> None:
    t, seat, card = event
    _verify_seat(table, seat)
    reason = no_draw(table, seat)
    if reason:
        raise Fault(reason.message)
    top = table.draw_piles[seat][-1]
    if card != top:
        raise Fault(f"wrong card drawn: expected {top}, found {card}")
    if t < table.free[seat]:
        _deny(no_movement(table, seat, t))


def _verify_discard(table: Table, event: Discard) -> None:
    t, seat, card = event
    _verify_seat(table, seat)
    reason = no_discard(table, seat, card)
    if reason:
        raise Fault(reason.message)
    if t < table.free[seat]:
        _deny(no_movement(table, seat, t))


def _verify_tie(table: Table, event: Tie) -> None:
    window = table.rules.tie_window_ms
    if not window:
        raise Fault("ties are off: tie_window_ms is 0")
    _verify_slot(table, event.stack)
    seats = _tied_seats(table, event)
    for place, after in enumerate(event.after):
        if not (event.after[place - 1] if place else 0) <= after < window or (not place and after):
            raise Fault(
                f"after must begin with 0, never fall and stay below {window}, "
                f"found {list(event.after)}"
            )
    for place, seat in enumerate(seats):
        _verify_tied(table, event, place, seat)


def _tied_seats(table: Table, event: Tie) -> list[int]:
    count = len(event.cards)
    seats = [DECK_LETTERS.index(card[0]) for card in event.cards]
    if count < 2 or len(set(seats)) < count or max(seats) >= table.seats:
        raise Fault(f"cards of a tie must be of two or more different seats, found {event.cards}")
    for name, values in (("after", event.after), ("seen", event.seen)):
        if values is not None and len(values) != count:
            raise Fault(f"{name} must have one entry for each of {count} cards")
    return seats


def _verify_tied(table: Table, event: Tie, place: int, seat: int) -> None:
    slot, card, t = event.stack, event.cards[place], event.t + event.after[place]
    if card not in table.hands[seat]:
        raise Fault(f"tied card {card} is not in hand of seat {seat}")
    _deny(no_movement(table, seat, t))
    _verify_refilled(table, seat)
    face = FACE[card]
    if not fits(table.rules, table.tops[slot], face):
        raise Fault(f"tied card: {_misfit(card, slot, table.tops[slot], None)}")
    if event.seen is not None:
        _verify_fresh(table, seat, slot, event.seen[place])
    _verify_untied(table, _Tried(seat, slot, t, face, None))


def _verify_fresh(table: Table, seat: int, slot: int, seen: int) -> None:
    _verify_seen(table, seat, seen)
    if table.turned[slot] > viewed(table, seat, slot, seen):
        raise Fault(f"stale: another seat started or took slot {slot} after event {seen}")


def _verify_try(table: Table, event: Late | Miss) -> tuple[int, bool, bool, bool]:
    """Check what late tries and mistakes share; (view, fitted then, fits now, stale)."""
    _verify_seat(table, event.seat)
    _deny(no_such_try(table, Try(event.seat, event.card, event.stack, event.number)))
    _deny(no_movement(table, event.seat, event.t))
    _verify_seen(table, event.seat, event.seen)
    view = viewed(table, event.seat, event.stack, event.seen)
    face, slot = FACE[event.card], event.stack
    then = fits(table.rules, top_after(table, slot, view), face, event.number)
    now = fits(table.rules, table.tops[slot], face, event.number)
    return view, then, now, table.turned[slot] > view


def _verify_late(table: Table, event: Late) -> None:
    view, then, now, stale = _verify_try(table, event)
    _verify_refilled(table, event.seat)
    if not then:
        raise Fault(f"late but it did not fit what was seen: {event.card} on slot {event.stack}")
    plays = table.plays[event.stack]
    if not plays or plays[-1].event <= view:
        raise Fault(f"late but nobody was before on slot {event.stack} after event {view}")
    if now and not stale:
        raise Fault(f"late but {event.card} fits slot {event.stack}: expected a play")
    _verify_untied(table, _tried(event), view)


def _tried(event: Late | Miss) -> _Tried:
    return _Tried(event.seat, event.stack, event.t, FACE[event.card], event.number)


def _verify_miss(table: Table, event: Miss) -> None:
    view, then, now, stale = _verify_try(table, event)
    if then:
        raise Fault(f"a miss but it fitted what was seen: {event.card} on slot {event.stack}")
    if now and not stale:
        raise Fault(f"a miss but {event.card} fits slot {event.stack}: expected a play")
    if table.tied[event.seat][event.stack] > event.seen:
        raise Fault(f"a miss after an own tie on slot {event.stack} that was not yet shown")
    if not needs_refill(table, event.seat):
        _verify_untied(table, _tried(event), view)


def _verify_out(table: Table, event: Out) -> None:
    _verify_seat(table, event.seat)
    if demanded(table) != "out":
        _deny(no_shout(table, event.seat))
    elif event.seat != getattr(table.last, "seat", None):
        raise Fault(f"out expected of the seat that played its last card, found {event.seat}")


def _verify_end(table: Table, event: End) -> None:
    if event.reason != "abandoned":
        _verify_reason(table, event)
    expected = scoring.end(table, event.t, event.reason)
    if event.scores != expected.scores:
        raise Fault(f"scores: expected {list(expected.scores)}, found {list(event.scores)}")
    if event.totals != expected.totals:
        raise Fault(f"totals: expected {list(expected.totals)}, found {list(event.totals)}")


def _verify_reason(table: Table, event: End) -> None:
    if demanded(table) == f"end {event.reason}":
        return
    if event.reason != "stalled":
        raise Fault(f"not {event.reason}: the round goes on")
    stall = stall_at(table)
    if event.t != stall:
        raise Fault(f"not stalled: expected at t {_or_none(stall)}, found t {event.t}")


_VERIFY: Final[dict[type, Callable[[Table, Any], None]]] = {
    Play: _verify_play,
    Draw: _verify_draw,
    Discard: _verify_discard,
    Tie: _verify_tie,
    Late: _verify_late,
    Miss: _verify_miss,
    Out: _verify_out,
    End: _verify_end,
}
