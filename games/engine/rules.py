"""The law of a round: what a seat may do, what a try comes to, what must come next.

In this file, in this order:
- what the round itself demands: an OUT of an emptied hand, a blocked end, a stalled end;
- what a seat may do: draw, discard, lay a card, shout, each as `no_x`, which gives the
  reason against it or None, and `legal_actions` made of them;
- what a try comes to (`judge`): a play, a late try, a mistake, or a refusal;
- which tries are tied.
Everything here reads the table only. `games.engine.facts` checks events by it.

A try is judged on two pictures of its slot: as it is now, and as its player saw it. The
second is the slot after the first `seen` events or after the seat's own last play there,
whichever is later (`viewed`). A try is stale if another seat has started or taken a stack
in the slot since.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from typing import NamedTuple, final

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import FACE, WILD, Card
from games.engine.events import Out, Play
from games.engine.fitting import FREE, STAYING, fit_masks, fits, uses
from games.engine.table import HAND, Table, Visit


@final
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
    if type(last) is Play:
        if table.rules.out == "empty" and emptied(table, last.seat):
            return "out"
    elif last is not None:
        return "end out" if type(last) is Out else None
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


def not_in_hand(table: Table, seat: int, card: Card) -> Reason | None:
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


def can_refill(table: Table, seat: int) -> bool:
    """Whether a seat could still fill its hand to three."""
    return len(table.hands[seat]) < HAND and bool(table.draw_piles[seat])


def refill_reason(table: Table, seat: int) -> Reason:
    """Why a seat has to draw first."""
    return Reason(
        "refill-first",
        f"refill first: seat {seat} holds {len(table.hands[seat])} cards and could hold {HAND}",
    )


def no_discard(table: Table, seat: int, card: Card) -> Reason | None:
    """Why a seat may not lay that card on its discard pile now."""
    if card not in table.hands[seat]:
        return not_in_hand(table, seat, card)
    if table.rules.refill_before_discard and can_refill(table, seat):
        return refill_reason(table, seat)
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
    return not_in_hand(table, action.seat, action.card)


def needs_refill(table: Table, seat: int) -> bool:
    """Whether a seat must draw before it may lay a card."""
    return table.rules.refill_before_play and can_refill(table, seat)


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
    own = table.own[seat][slot]
    return own if own > seen else seen  # noqa: FURB136 - max() takes four times as long


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
        return refill_reason(table, seat) if needs_refill(table, seat) else Verdict.PLAY
    if fits(table.rules, top_after(table, slot, view), face, number):
        return refill_reason(table, seat) if needs_refill(table, seat) else Verdict.LATE
    if table.tied[seat][slot] > seen:
        return Reason("tie-not-shown", f"an own card was tied on slot {slot}, not yet shown")
    return Verdict.MISS


# Ties


def _stale_before(table: Table, slot: int, view: int, event: int) -> bool:
    """Whether somebody started or took a stack in the slot after `view` and before `event`."""
    plays = table.plays[slot]
    later = range(bisect_right(plays, view, key=_event_of), len(plays))
    return any(plays[place].turning and plays[place].event < event for place in later)


class Tried(NamedTuple):
    """A try as the tie rule looks at it; `number`: what a wild was said to stand for."""

    seat: int
    slot: int
    t: int
    face: int
    number: int | None


def missed_tie(table: Table, tried: Tried, view: int | None = None) -> Visit | None:
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


def no_tie(table: Table, action: Try, t: int) -> Reason | None:
    """Why a try at t that could be played may not stand in a tie.

    A tie does not tell what a wild was tried as, and any use of it counts. So a wild that as
    its number had no part in a tie a moment ago, but as another could have had, cannot have
    a part in the next one.
    """
    if action.number is None:
        return None
    tried = Tried(action.seat, action.stack, t, FACE[action.card], None)
    if missed_tie(table, tried) is None:
        return None
    return Reason("wild-contested", f"{action.card} as {action.number} was tried in another's tie")
