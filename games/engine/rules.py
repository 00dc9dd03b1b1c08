"""The rules of a round: a seat's options, the result of a try, and forced events.

In this file, in this order:
- forced events: OUT after an emptied hand, a blocked end, a stalled end
- a seat's options: draw, discard, play a card, shout. Each has a `no_x`, which gives the
  reason against it or None.
- the result of a try (`judge`): a play, a late try, a mistake, or a refusal
- which tries are tied

Everything here only reads the table. `games.engine.facts` checks events with it.

A try is judged against two pictures of its slot: as it is now, and as its player saw it. The second
is the slot after the first `seen` events or after the seat's own last play there, whichever is
later (`viewed`). A try is stale if another seat has since started or taken a stack in the slot.
"""

from bisect import bisect_right
from enum import Enum
from typing import NamedTuple, final

from games.engine.actions import Try
from games.engine.cards import FACE, WILD, Card
from games.engine.events import Out, Play
from games.engine.fitting import FREE, STAYING, fit_masks, fits
from games.engine.message import Message
from games.engine.table import HAND, Table, Visit


@final
class Reason(NamedTuple):
    """Why something is not allowed: the rule's name, an explanation, and ms left to wait."""

    rule: str
    message: Message
    wait_ms: int = 0


class Verdict(Enum):
    """The result of a try that is not refused. A play may still become a tie."""

    PLAY = "play"
    LATE = "late"
    MISS = "miss"


# What the round itself requires


def emptied(table: Table, seat: int) -> bool:
    """Whether a seat has no hand, draw pile or discard pile left."""
    return not (table.hands[seat] or table.draw_piles[seat] or table.discard_piles[seat])


def blocked(table: Table) -> bool:
    """Whether no card that any seat still has can be played anywhere."""
    masks, faces = fit_masks(table.rules.wild_starts), table.faces
    for top in table.tops:  # noqa: SIM110 - asked after every play, and the first top ends it
        if masks[top] & faces:
            return False
    return True


def demanded(table: Table) -> str | None:
    """The forced event, at once: `out`, `end out`, `end blocked`, or None."""
    last = table.last
    if type(last) is Play:
        if table.rules.out == "empty" and emptied(table, last.seat):
            return "out"
    elif last is not None:
        return "end out" if type(last) is Out else None
    return "end blocked" if blocked(table) else None


def stall_at(table: Table) -> int | None:
    """The t at which the round stalls unless someone plays first. None: never."""
    stall = table.rules.stall_ms
    return table.last_play + stall if stall else None


# What a seat may do


def no_movement(table: Table, seat: int, t: int) -> Reason | None:
    """Why a seat may not move its hand at t: it has one hand, and a mistake costs more time."""
    wait = table.free[seat] - t
    if wait <= 0:
        return None
    return Reason(
        "one-hand",
        Message(
            "one hand: the hand of seat {seat} is free from {free}, found t {t} "
            "({hand_ms} ms after a movement, {mistake_ms} after a mistake)",
            seat=seat,
            free=table.free[seat],
            t=t,
            hand_ms=table.hand_ms[seat],
            mistake_ms=table.rules.mistake_ms,
        ),
        wait,
    )


def not_in_hand(table: Table, seat: int, card: Card) -> Reason | None:
    if card in table.hands[seat]:
        return None
    return Reason(
        "not-in-hand", Message("{card} is not in hand of seat {seat}", card=card, seat=seat)
    )


def no_draw(table: Table, seat: int) -> Reason | None:
    if len(table.hands[seat]) >= HAND:
        return Reason(
            "hand-full",
            Message("hand full: seat {seat} has {full} cards already", seat=seat, full=HAND),
        )
    if not table.draw_piles[seat]:
        return Reason("no-card-to-draw", Message("seat {seat} has no card to draw", seat=seat))
    return None


def can_refill(table: Table, seat: int) -> bool:
    """Whether a seat could still fill its hand to three."""
    return len(table.hands[seat]) < HAND and bool(table.draw_piles[seat])


def refill_reason(table: Table, seat: int) -> Reason:
    return Reason(
        "refill-first",
        Message(
            "refill first: seat {seat} has {count} cards and could have {full}",
            seat=seat,
            count=len(table.hands[seat]),
            full=HAND,
        ),
    )


def no_discard(table: Table, seat: int, card: Card) -> Reason | None:
    if card not in table.hands[seat]:
        return not_in_hand(table, seat, card)
    if table.rules.refill_before_discard and can_refill(table, seat):
        return refill_reason(table, seat)
    return None


def no_shout(table: Table, seat: int) -> Reason | None:
    if table.rules.out != "shout":
        return Reason(
            "out-by-itself", Message("not out: in this edition a seat without cards is out")
        )
    if table.draw_piles[seat] or table.discard_piles[seat]:
        return Reason(
            "not-out", Message("not out: seat {seat} still has cards in its piles", seat=seat)
        )
    return None


def no_such_try(table: Table, action: Try) -> Reason | None:
    """Why a try names something that does not exist: its card, slot or number."""
    if not 0 <= action.stack < table.seats:
        return Reason(
            "no-such-slot",
            Message(
                "stack must be 0 to {last}, found {found}", last=table.seats - 1, found=action.stack
            ),
        )
    if action.number is not None:
        if FACE.get(action.card) != WILD:
            return Reason(
                "not-wild", Message("as: only a wild can be a number, not {card}", card=action.card)
            )
        if action.number not in STAYING:
            return Reason(
                "not-wild", Message("as must be 1 to 4, found {found}", found=action.number)
            )
    return not_in_hand(table, action.seat, action.card)


def needs_refill(table: Table, seat: int) -> bool:
    return table.rules.refill_before_play and can_refill(table, seat)


# What becomes of a try


def viewed(table: Table, seat: int, slot: int, seen: int) -> int:
    """The last event on a slot known to a player who had been shown `seen` events."""
    own = table.own[seat][slot]
    return own if own > seen else seen  # noqa: FURB136 - max() takes four times as long


def top_after(table: Table, slot: int, event: int) -> int:
    """The slot's top after the first `event` events."""
    known = bisect_right(table.plays[slot], event, key=_event_of)
    return table.plays[slot][known - 1].left if known else FREE


def _event_of(visit: Visit) -> int:
    return visit.event


def judge(table: Table, action: Try, seen: int) -> Verdict | Reason:
    """The result of a try on this table by a player who had been shown `seen` events.

    Whether the hand is free to move is not checked here, but by `no_movement`.
    """
    return no_such_try(table, action) or weigh(table, action, seen)


def weigh(table: Table, action: Try, seen: int) -> Verdict | Reason:
    """`judge` for a try known to have its card in hand and a possible slot and number."""
    seat, card, slot, number, _ = action
    face = FACE[card]
    view = viewed(table, seat, slot, seen)
    stale = table.turned[slot] > view
    if not stale and fits(table.rules, table.tops[slot], face, number):
        return refill_reason(table, seat) if needs_refill(table, seat) else Verdict.PLAY
    if fits(table.rules, top_after(table, slot, view), face, number):
        return refill_reason(table, seat) if needs_refill(table, seat) else Verdict.LATE
    if table.tied[seat][slot] > seen:
        return Reason(
            "tie-not-shown",
            Message("an own card was tied on slot {slot}, not yet shown", slot=slot),
        )
    return Verdict.MISS


# Ties


def _stale_before(table: Table, slot: int, view: int, event: int) -> bool:
    """Whether anyone started or took a stack in the slot after `view` and before `event`."""
    plays = table.plays[slot]
    later = range(bisect_right(plays, view, key=_event_of), len(plays))
    return any(plays[place].turning and plays[place].event < event for place in later)


class Tried(NamedTuple):
    """A try as the tie rule sees it. `number`: a wild's declared number."""

    seat: int
    slot: int
    t: int
    face: int
    number: int | None


def missed_tie(table: Table, tried: Tried, view: int | None = None) -> Visit | None:
    """The earlier play or tie that this try should have been tied with.

    `view`: for a late try or a mistake, the last event on the slot that its player knew.
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
    """Why a playable try at t may not be part of a tie.

    A tie does not record what a wild was played as, and any use of it counts. So a wild whose
    number kept it out of a recent tie, although another number could have been part of it,
    may not be part of the next one.
    """
    if action.number is None:
        return None
    tried = Tried(action.seat, action.stack, t, FACE[action.card], None)
    if missed_tie(table, tried) is None:
        return None
    return Reason(
        "wild-contested",
        Message(
            "{card} as {number} was tried in another's tie", card=action.card, number=action.number
        ),
    )
