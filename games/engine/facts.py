"""Whether an event is true: the check made of every line of a round.

`verify` checks an event against the rules (`games.engine.rules`) and the table before it. Each kind
of event has one `_verify_x`, which raises Fault with the expected and the found value. The table is
only read.
"""

from collections.abc import Callable
from typing import Any, Final

from games.engine import scoring
from games.engine.actions import Try
from games.engine.cards import DECK_LETTERS, FACE, WILD, Card
from games.engine.events import MAX_EVENTS, Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.fitting import FREE, fits, takes
from games.engine.message import Message, WordedError
from games.engine.rules import (
    Reason,
    Tried,
    demanded,
    missed_tie,
    needs_refill,
    no_discard,
    no_draw,
    no_movement,
    no_shout,
    no_such_try,
    refill_reason,
    stall_at,
    top_after,
    viewed,
)
from games.engine.table import Table


class Fault(WordedError):  # noqa: N818 - the field's word for it
    """An event that cannot have happened on this table. The message says why."""


def verify(table: Table, event: Event) -> None:
    """Raise Fault unless the event can come next on this table."""
    t = event.t
    if table.ended:
        raise Fault("the round has ended, expected a deal or the result")
    if table.events >= MAX_EVENTS:
        raise Fault("more than {most:,} events in a round", most=MAX_EVENTS)
    if t < table.t:
        raise Fault(
            "t must not fall: expected at least {least}, found {found}", least=table.t, found=t
        )
    kind = type(table.last)
    if kind is Play or kind is Out or not table.events:
        _verify_demanded(table, event)
    stall = table.rules.stall_ms
    if stall and t >= table.last_play + stall:
        _verify_stalled(table, event)
    _VERIFY[type(event)](table, event)


def _verify_stalled(table: Table, event: Event) -> None:
    if type(event) is not End or event.reason != "stalled":
        raise Fault("the round is stalled: end expected at t {t}", t=stall_at(table))


def _verify_demanded(table: Table, event: Event) -> None:
    wanted = demanded(table)
    if wanted is None:
        return
    kind = f"end {event.reason}" if type(event) is End else type(event).__name__.lower()
    if kind != wanted:
        raise Fault("{wanted} expected, found {found}", wanted=wanted, found=kind)
    if event.t != table.t:
        raise Fault(
            "{wanted} expected at t {t}, found t {found}", wanted=wanted, t=table.t, found=event.t
        )


def _verify_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < table.seats:
        raise Fault("seat must be 0 to {last}, found {found}", last=table.seats - 1, found=seat)


def _deny(reason: Reason | None) -> None:
    if reason:
        raise Fault(reason.message)


def _verify_seen(table: Table, seat: int, seen: int) -> None:
    if seen > table.events:
        raise Fault("seen must be at most {most}, found {found}", most=table.events, found=seen)
    if seen < table.seen[seat]:
        raise Fault(
            "seen falls: seat {seat} had seen {before}, found {found}",
            seat=seat,
            before=table.seen[seat],
            found=seen,
        )


def _verify_hand(table: Table, seat: int, card: Card, t: int) -> None:
    if card not in table.hands[seat]:
        raise Fault("{card} is not in hand of seat {seat}", card=card, seat=seat)
    if t < table.free[seat]:
        _deny(no_movement(table, seat, t))


def _verify_refilled(table: Table, seat: int) -> None:
    if needs_refill(table, seat):
        _deny(refill_reason(table, seat))


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
        raise Fault(
            "takes: expected {expected}, found {found}",
            expected=_or_none(expected),
            found=_or_none(taken),
        )
    if seen is not None:
        _verify_fresh(table, seat, slot, seen)
    visits = table.visits[slot]
    if visits and t - visits[-1].t < rules.tie_window_ms:
        _verify_untied(table, Tried(seat, slot, t, face, number))


def _misfit(card: Card, slot: int, top: int, number: int | None) -> Message:
    values: dict[str, Any] = {"card": card, "slot": slot, "top": top, "number": number}
    if number:
        if top:
            return Message(
                "{card} as {number} does not fit slot {slot}, whose top is {top}", **values
            )
        return Message("{card} as {number} does not fit the free slot {slot}", **values)
    if top:
        return Message("{card} does not fit slot {slot}, whose top is {top}", **values)
    return Message("{card} does not fit the free slot {slot}", **values)


def _or_none(value: int | None) -> str:
    return "none" if value is None else str(value)


def _verify_slot(table: Table, slot: int) -> None:
    if not 0 <= slot < table.seats:
        raise Fault("stack must be 0 to {last}, found {found}", last=table.seats - 1, found=slot)


def _verify_draw(table: Table, event: Draw) -> None:
    t, seat, card = event
    _verify_seat(table, seat)
    reason = no_draw(table, seat)
    if reason:
        raise Fault(reason.message)
    top = table.draw_piles[seat][-1]
    if card != top:
        raise Fault("wrong card drawn: expected {top}, found {found}", top=top, found=card)
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
                "after must begin with 0, never fall and stay below {window}, found {found}",
                window=window,
                found=list(event.after),
            )
    for place, seat in enumerate(seats):
        _verify_tied(table, event, place, seat)


def _tied_seats(table: Table, event: Tie) -> list[int]:
    count = len(event.cards)
    seats = [DECK_LETTERS.index(card[0]) for card in event.cards]
    if count < 2 or len(set(seats)) < count or max(seats) >= table.seats:
        raise Fault(
            "cards of a tie must be of two or more different seats, found {found}",
            found=event.cards,
        )
    for name, values in (("after", event.after), ("seen", event.seen)):
        if values is not None and len(values) != count:
            raise Fault(
                "{name} must have one entry for each of {count} cards", name=name, count=count
            )
    return seats


def _verify_tied(table: Table, event: Tie, place: int, seat: int) -> None:
    slot, card, t = event.stack, event.cards[place], event.t + event.after[place]
    if card not in table.hands[seat]:
        raise Fault("tied card {card} is not in hand of seat {seat}", card=card, seat=seat)
    _deny(no_movement(table, seat, t))
    _verify_refilled(table, seat)
    face = FACE[card]
    if not fits(table.rules, table.tops[slot], face):
        raise Fault("tied card: {misfit}", misfit=_misfit(card, slot, table.tops[slot], None))
    if event.seen is not None:
        _verify_fresh(table, seat, slot, event.seen[place])
    _verify_untied(table, Tried(seat, slot, t, face, None))


def _verify_fresh(table: Table, seat: int, slot: int, seen: int) -> None:
    _verify_seen(table, seat, seen)
    if table.turned[slot] > viewed(table, seat, slot, seen):
        raise Fault(
            "stale: another seat started or took slot {slot} after event {seen}",
            slot=slot,
            seen=seen,
        )


def _verify_try(table: Table, event: Late | Miss) -> tuple[int, bool, bool, bool]:
    """The common check of late tries and mistakes. Returns (view, fitted then, fits now, stale)."""
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
        raise Fault(
            "late but it did not fit what was seen: {card} on slot {stack}",
            card=event.card,
            stack=event.stack,
        )
    plays = table.plays[event.stack]
    if not plays or plays[-1].event <= view:
        raise Fault(
            "late but no one was before on slot {stack} after event {view}",
            stack=event.stack,
            view=view,
        )
    if now and not stale:
        raise Fault(
            "late but {card} fits slot {stack}: expected a play", card=event.card, stack=event.stack
        )
    _verify_untied(table, _tried(event), view)


def _tried(event: Late | Miss) -> Tried:
    return Tried(event.seat, event.stack, event.t, FACE[event.card], event.number)


def _verify_miss(table: Table, event: Miss) -> None:
    view, then, now, stale = _verify_try(table, event)
    if then:
        raise Fault(
            "a miss but it fitted what was seen: {card} on slot {stack}",
            card=event.card,
            stack=event.stack,
        )
    if now and not stale:
        raise Fault(
            "a miss but {card} fits slot {stack}: expected a play",
            card=event.card,
            stack=event.stack,
        )
    if table.tied[event.seat][event.stack] > event.seen:
        raise Fault(
            "a miss after an own tie on slot {stack} that was not yet shown", stack=event.stack
        )
    if not needs_refill(table, event.seat):
        _verify_untied(table, _tried(event), view)


def _verify_out(table: Table, event: Out) -> None:
    _verify_seat(table, event.seat)
    if demanded(table) != "out":
        _deny(no_shout(table, event.seat))
    elif event.seat != getattr(table.last, "seat", None):
        raise Fault(
            "out expected of the seat that played its last card, found {found}", found=event.seat
        )


def _verify_end(table: Table, event: End) -> None:
    if event.reason != "abandoned":
        _verify_reason(table, event)
    expected = scoring.end(table, event.t, event.reason)
    if event.scores != expected.scores:
        raise Fault(
            "scores: expected {expected}, found {found}",
            expected=list(expected.scores),
            found=list(event.scores),
        )
    if event.totals != expected.totals:
        raise Fault(
            "totals: expected {expected}, found {found}",
            expected=list(expected.totals),
            found=list(event.totals),
        )


def _verify_reason(table: Table, event: End) -> None:
    if demanded(table) == f"end {event.reason}":
        return
    if event.reason != "stalled":
        raise Fault("not {reason}: the round goes on", reason=event.reason)
    stall = stall_at(table)
    if event.t != stall:
        raise Fault(
            "not stalled: expected at t {expected}, found t {found}",
            expected=_or_none(stall),
            found=event.t,
        )


def _verify_untied(table: Table, tried: Tried, view: int | None = None) -> None:
    """Raise Fault if a try belongs to a tie with an earlier play or tie on its slot."""
    visit = missed_tie(table, tried, view)
    if visit:
        raise Fault(
            "should be a tie: seat {seat} tried slot {slot} {ms} ms after event {event} "
            "and its card fitted there too (window {window} ms)",
            seat=tried.seat,
            slot=tried.slot,
            ms=tried.t - visit.t,
            event=visit.event,
            window=table.rules.tie_window_ms,
        )


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
