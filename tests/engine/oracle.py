"""A second opinion on what a valid round is, written from the text of the record format.

Slow and naive on purpose (`tests/engine/history.py`); `tests/engine/test_oracle.py` holds it
against `games.engine.facts.verify`. Each function is a row or a paragraph of the text and
gives the reason why an event cannot follow the events before it, or None.
"""

from collections.abc import Callable, Sequence
from typing import Any

from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from tests.engine.history import (
    Game,
    Position,
    Tried,
    fits,
    known,
    movements,
    owner,
    plays_on,
    position,
    stale,
    tries,
    ways,
)


def first_fault(game: Game, events: Sequence[Event], start: int = 0) -> tuple[int, str] | None:
    """The first event that cannot be true: its index, and why. The first `start` are true."""
    for index in range(start, len(events)):
        why = fault(game, list(events[:index]), events[index])
        if why:
            return index, why
    return None


# Faults


def fault(game: Game, past: list[Event], event: Event) -> str | None:
    """Why the event cannot follow these, or None."""
    return _order(game, past, event) or _OF_KIND[type(event)](game, past, event)


def _order(game: Game, past: list[Event], event: Event) -> str | None:
    if past and isinstance(past[-1], End):
        return "after the end"
    now = past[-1].t if past else 0
    if event.t < now:
        return "t falls"
    if past and isinstance(past[-1], Out):
        return None if _is_end(event, "out", now) else "end out expected"
    place = position(game, past)
    if game.rules.out == "empty" and past and isinstance(past[-1], Play):
        seat = past[-1].seat
        if not (place.hands[seat] or place.draws[seat] or place.discards[seat]):
            emptied = isinstance(event, Out) and event.seat == seat and event.t == now
            return None if emptied else "out expected"
    if _blocked(game, place):
        return None if _is_end(event, "blocked", now) else "end blocked expected"
    stall = _stall(game, past)
    if stall is not None and event.t >= stall:
        return None if _is_end(event, "stalled", stall) else "end stalled expected"
    return None


def _is_end(event: Event, reason: str, t: int) -> bool:
    return isinstance(event, End) and event.reason == reason and event.t == t


def _blocked(game: Game, place: Position) -> bool:
    cards = [card for pile in (*place.hands, *place.draws, *place.discards) for card in pile]
    return not any(
        ways(game.rules, card, place.top(slot)) for card in cards for slot in range(game.seats)
    )


def _stall(game: Game, past: Sequence[Event]) -> int | None:
    if not game.rules.stall_ms:
        return None
    return max([0, *(event.t for event in past if isinstance(event, Play))]) + game.rules.stall_ms


def _one_hand(game: Game, past: Sequence[Event], seat: int, t: int) -> str | None:
    rules = game.rules
    least = rules.tie_window_ms if seat in game.beginners else rules.one_hand_ms
    before = movements(past, seat)
    if any(t - moved < least for moved, _ in before):
        return "one hand"
    if before and before[-1][1] and t - before[-1][0] < rules.mistake_ms:
        return "one hand after a mistake"
    return None


def _three(place: Position, seat: int) -> bool:
    """Three in hand, or no card to draw."""
    return len(place.hands[seat]) == 3 or not place.draws[seat]


def _seen(past: Sequence[Event], seat: int, seen: int) -> str | None:
    if not 0 <= seen <= len(past):
        return "seen beyond the events before"
    if any(who == seat and (before or 0) > seen for _, who, _, before in tries(past)):
        return "seen falls"
    return None


def _where(game: Game, seat: int, slot: int) -> str | None:
    return None if 0 <= seat < game.seats and 0 <= slot < game.seats else "seat or stack"


def _should_tie(game: Game, past: Sequence[Event], tried: Tried) -> str | None:
    """ "Ties are not optional"; `seen` stands on a late try or mistake only."""
    t, seat, card, slot, number, _ = tried
    for count, line in enumerate(past, start=1):
        if not isinstance(line, Play | Tie) or line.stack != slot:
            continue
        part = [line.seat] if isinstance(line, Play) else [owner(other) for other in line.cards]
        if seat in part or t - line.t >= game.rules.tie_window_ms:
            continue
        top = position(game, past[: count - 1]).top(slot)
        if fits(game.rules, card, top, number) and not _stale_before(game, past, tried, count):
            return f"should be a tie with event {count}"
    return None


def _stale_before(game: Game, past: Sequence[Event], tried: Tried, count: int) -> bool:
    """Whether a late try or mistake was stale already before event `count`."""
    if tried.seen is None:
        return False
    since = known(past, tried.seat, tried.slot, tried.seen)
    return since < count and stale(game, past[: count - 1], tried.seat, tried.slot, since)


def _play(game: Game, past: list[Event], event: Play) -> str | None:
    t, seat, card, slot, number, takes, seen = event
    if _where(game, seat, slot):
        return "seat or stack"
    place = position(game, past)
    if card not in place.hands[seat]:
        return "not in hand"
    if game.rules.refill_before_play and not _three(place, seat):
        return "refill first"
    top = place.top(slot)
    way = number if card[1] == "R" else (None if card[1] == "5" else int(card[1]))
    if way not in ways(game.rules, card, top) or (card[1] != "R" and number is not None):
        return "does not fit"
    if takes != (len(place.stacks[slot]) + 1 if way is None else None):
        return "takes"
    if seen is not None:
        why = _seen(past, seat, seen)
        if why or stale(game, past, seat, slot, seen):
            return why or "stale"
    tried = Tried(t, seat, card, slot, number, None)
    return _one_hand(game, past, seat, t) or _should_tie(game, past, tried)


def _draw(game: Game, past: list[Event], event: Draw) -> str | None:
    if _where(game, event.seat, 0):
        return "seat"
    place = position(game, past)
    if len(place.hands[event.seat]) > 2:
        return "hand full"
    if place.draws[event.seat][:1] != [event.card]:
        return "wrong card drawn"
    return _one_hand(game, past, event.seat, event.t)


def _discard(game: Game, past: list[Event], event: Discard) -> str | None:
    if _where(game, event.seat, 0):
        return "seat"
    place = position(game, past)
    if event.card not in place.hands[event.seat]:
        return "not in hand"
    if game.rules.refill_before_discard and not _three(place, event.seat):
        return "refill first"
    return _one_hand(game, past, event.seat, event.t)


def _tie(game: Game, past: list[Event], event: Tie) -> str | None:
    t, slot, cards, after, seens = event
    window = game.rules.tie_window_ms
    owners = [owner(card) for card in cards]
    if not window or len(cards) < 2 or len(set(owners)) < len(owners):
        return "no tie"
    if len(after) != len(cards) or (seens is not None and len(seens) != len(cards)):
        return "lengths"
    if after[0] or list(after) != sorted(after) or after[-1] >= window:
        return "after"
    for place, card in enumerate(cards):
        seen = None if seens is None else seens[place]
        tried = Tried(t + after[place], owner(card), card, slot, None, seen)
        why = _tied(game, past, tried)
        if why:
            return f"tied card: {why}"
    return None


def _tied(game: Game, past: list[Event], tried: Tried) -> str | None:
    t, seat, card, slot, _, seen = tried
    if _where(game, seat, slot):
        return "seat or stack"
    place = position(game, past)
    if card not in place.hands[seat]:
        return "not in hand"
    if not fits(game.rules, card, place.top(slot), None):
        return "does not fit"
    if game.rules.refill_before_play and not _three(place, seat):
        return "refill first"
    if seen is not None:
        why = _seen(past, seat, seen)
        if why or stale(game, past, seat, slot, seen):
            return why or "stale"
    return _one_hand(game, past, seat, t) or _should_tie(game, past, tried._replace(seen=None))


def _try(game: Game, past: list[Event], event: Late | Miss) -> str | None:
    """What late tries and mistakes have in common."""
    t, seat, card, slot, number, seen = event
    if _where(game, seat, slot):
        return "seat or stack"
    place = position(game, past)
    if card not in place.hands[seat]:
        return "not in hand"
    if number is not None and (card[1] != "R" or not 1 <= number <= 4):
        return "as"
    why = _seen(past, seat, seen) or _one_hand(game, past, seat, t)
    if why:
        return why
    now = fits(game.rules, card, place.top(slot), number)
    if now and not stale(game, past, seat, slot, seen):
        return "it could be played"
    if isinstance(event, Late) or not game.rules.refill_before_play or _three(place, seat):
        return _should_tie(game, past, Tried(*event))
    return None


def _then(game: Game, past: list[Event], event: Late | Miss) -> bool:
    """Whether the card fitted what its player saw."""
    knew = known(past, event.seat, event.stack, event.seen)
    top = position(game, past[:knew]).top(event.stack)
    return fits(game.rules, event.card, top, event.number)


def _late(game: Game, past: list[Event], event: Late) -> str | None:
    why = _try(game, past, event)
    if why:
        return why
    if game.rules.refill_before_play and not _three(position(game, past), event.seat):
        return "refill first"
    if not _then(game, past, event):
        return "it did not fit what was seen"
    plays = plays_on(past, event.stack)
    knew = known(past, event.seat, event.stack, event.seen)
    if not plays or plays[-1][0] <= knew or plays[-1][1].seat == event.seat:
        return "nobody was before"
    return None


def _miss(game: Game, past: list[Event], event: Miss) -> str | None:
    why = _try(game, past, event)
    if why:
        return why
    if _then(game, past, event):
        return "it fitted what was seen"
    own_ties = [
        count
        for count, line in enumerate(past, start=1)
        if isinstance(line, Tie)
        and line.stack == event.stack
        and event.seat in map(owner, line.cards)
    ]
    return "an own tie not yet shown" if any(count > event.seen for count in own_ties) else None


def _out(game: Game, past: list[Event], event: Out) -> str | None:
    if _where(game, event.seat, 0):
        return "seat"
    place = position(game, past)
    if place.draws[event.seat] or place.discards[event.seat]:
        return "not out"
    if game.rules.out == "empty":
        emptied = past and isinstance(past[-1], Play) and past[-1].seat == event.seat
        return None if emptied and not place.hands[event.seat] else "not out"
    return None


def _end(game: Game, past: list[Event], event: End) -> str | None:
    place = position(game, past)
    why = {
        "out": bool(past) and isinstance(past[-1], Out),
        "blocked": _blocked(game, place),
        "stalled": event.t == _stall(game, past),
        "abandoned": True,
    }[event.reason]
    if not why:
        return f"not {event.reason}"
    scores = [
        len(place.scores[seat]) - len(place.draws[seat]) - len(place.discards[seat])
        for seat in range(game.seats)
    ]
    if game.rules.floor_at_zero:
        scores = [max(score, 0) for score in scores]
    if event.reason == "abandoned":
        scores = [0] * game.seats
    totals = [a + b for a, b in zip(game.totals or (0,) * game.seats, scores, strict=True)]
    return None if (list(event.scores), list(event.totals)) == (scores, totals) else "scores"


_OF_KIND: dict[type[Event], Callable[[Game, list[Event], Any], str | None]] = {
    Play: _play,
    Draw: _draw,
    Discard: _discard,
    Tie: _tie,
    Late: _late,
    Miss: _miss,
    Out: _out,
    End: _end,
}
