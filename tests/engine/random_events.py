"""Random events for a checker, valid ones and near misses, and true logs with one change.

Everything comes from one `random.Random`, so a seed reproduces it.
"""

from random import Random
from typing import Any

from games.engine.cards import DECK_LETTERS, FACE, FACE_LETTERS, WILD
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.fitting import fits, takes
from games.engine.scoring import end
from games.engine.table import Table
from tests.engine.unruly import random_gap, random_seen


def random_event(rng: Random, table: Table) -> Event:
    """An event that might come next on the table, or nearly."""
    last = table.last
    demanding = (isinstance(last, Play) and not any(table.hands[last.seat])) or table.ended
    if isinstance(last, Out) or demanding or rng.random() < 0.03:
        return random_closing(rng, table)
    t = table.t + random_gap(rng, table.rules)
    if rng.random() < 0.02:
        t = max(0, table.t - rng.randint(0, 60))
    seat = rng.randrange(table.seats)
    if rng.random() < 0.7:  # a hand that is free
        t = max(t, table.free[seat])
    kind = rng.random()
    if kind < 0.25:
        return random_late(rng, table, t, seat) or random_draw(rng, table, t, seat)
    if kind < 0.30:
        return random_draw(rng, table, t, seat)
    if kind < 0.38 and table.hands[seat]:
        return Discard(t, seat, rng.choice(table.hands[seat]))
    if kind < 0.55:
        return random_tie(rng, table, t)
    return random_lay(rng, table, t, seat)


def random_draw(rng: Random, table: Table, t: int, seat: int) -> Draw:
    pile = table.draw_piles[seat]
    card = pile[-1] if pile and rng.random() < 0.97 else f"{DECK_LETTERS[seat]}1a"
    return Draw(t, seat, card)


def random_closing(rng: Random, table: Table) -> Event:
    """An OUT or an end, or what comes near one."""
    t = table.t + rng.choice([0, 0, 0, 0, 0, 1])
    seat = rng.randrange(table.seats)
    if isinstance(table.last, Play) and rng.random() < 0.8:
        seat = table.last.seat
    if rng.random() < 0.3:
        return Out(t, seat)
    reason = rng.choice(["out", "blocked", "stalled", "abandoned"])
    if reason == "stalled":
        t = max(t, table.last_play + table.rules.stall_ms + rng.choice([0, 0, 0, 1, -1]))
    event = end(table, t, reason)
    if rng.random() < 0.1:
        event = event._replace(scores=(event.scores[0] + 1, *event.scores[1:]))
    return event


def random_lay(rng: Random, table: Table, t: int, seat: int) -> Event:
    """A play, late try or mistake."""
    own = table.hands[seat]
    card = rng.choice(own) if own and rng.random() < 0.97 else "A1a"
    slot = rng.randrange(table.seats)
    contested = [s for s in range(table.seats) if table.plays[s]]
    if contested and rng.random() < 0.5:
        slot = max(contested, key=lambda s: table.plays[s][-1].event)
        if rng.random() < 0.5:
            window = table.rules.tie_window_ms
            t = max(table.t, table.plays[slot][-1].t + rng.randint(0, window))
    face, top = FACE[card], table.tops[slot]
    free_number = rng.choice([None, 1, 2, 3, 4])
    number = free_number if face == WILD or rng.random() < 0.02 else None
    seen = random_seen(rng, table.events)
    if rng.random() < 0.7 and seen is not None:
        seen = max(seen, table.seen[seat])
    kind = rng.random()
    sits = fits(table.rules, top, face, number)
    if kind < (0.85 if sits else 0.1):
        taken = len(table.stacks[slot]) + 1 if sits and takes(top, face, number) else None
        if rng.random() < 0.03:
            taken = rng.choice([None, 1, 2])
        if face == WILD and not top and rng.random() < 0.9:
            number = 1
        return Play(t, seat, card, slot, number, taken, seen)
    if sits and rng.random() < 0.8:
        return random_draw(rng, table, t, seat)
    shown = seen if seen is not None else table.events
    return (Late if rng.random() < 0.5 else Miss)(t, seat, card, slot, number, shown)


def random_late(rng: Random, table: Table, t: int, seat: int) -> Late | Miss | None:
    """A try of what fitted a slot once, by one who may have seen no more than that."""
    visits = [(slot, visit) for slot, some in enumerate(table.plays) for visit in some[-4:]]
    if not visits:
        return None
    slot, visit = rng.choice(visits)
    rules = table.rules
    cards = [card for card in table.hands[seat] if fits(rules, visit.found, FACE[card])]
    if not cards:
        return None
    card = rng.choice(cards)
    number = rng.choice([None, 1, 2, 3, 4]) if FACE[card] == WILD else None
    seen = max(0, visit.event - rng.choice([0, 1, 1, 1, 2]))
    if rng.random() < 0.7:
        seen = max(seen, table.seen[seat])
    kind: Any = rng.choice([Late, Late, Late, Miss])
    return kind(t, seat, card, slot, number, seen)


def random_tie(rng: Random, table: Table, t: int) -> Tie:
    """A tie of cards that mostly fit one slot, by seats that mostly may move."""
    slot = rng.randrange(table.seats)
    cards = []
    for seat in range(table.seats):
        hand = table.hands[seat]
        fitting = [card for card in hand if fits(table.rules, table.tops[slot], FACE[card])]
        chosen = fitting if fitting and rng.random() < 0.97 else hand
        if chosen and (fitting or rng.random() < 0.05):
            cards.append(rng.choice(chosen))
    rng.shuffle(cards)
    if rng.random() < 0.8:
        cards = cards[: max(2, rng.randint(2, 5))]
        t = max([t, *(table.free[_owner(card)] for card in cards if rng.random() < 0.9)])
    window = table.rules.tie_window_ms
    gaps = sorted(rng.randint(0, max(0, window - 1)) for _ in cards[1:])
    if rng.random() < 0.05 and gaps:
        gaps[-1] = window
    seen: tuple[int, ...] | None = None
    if rng.random() < 0.7:
        seen = tuple(_seen_now(rng, table, card) for card in cards)
    return Tie(t, slot, tuple(cards), (0, *gaps)[: len(cards)], seen)


def _seen_now(rng: Random, table: Table, card: str) -> int:
    seen = random_seen(rng, table.events)
    low = table.seen[_owner(card)]
    return max(table.events if seen is None else seen, low if rng.random() < 0.9 else 0)


def _owner(card: str) -> int:
    return DECK_LETTERS.index(card[0])


# A true log with something wrong in it


def mutated(rng: Random, events: tuple[Event, ...]) -> tuple[list[Event], int]:
    """The log with one thing changed, and the index of the first event that differs."""
    log = list(events)
    at = rng.randrange(len(log))
    kind = rng.choice(["t", "t", "tail", "field", "field", "field", "kind", "line", "tie"])
    if kind == "t":
        log[at] = log[at]._replace(t=max(0, log[at].t + rng.randint(-80, 80)))
    elif kind == "tail":
        gap = rng.randint(-120, 50)
        log[at:] = [event._replace(t=max(0, event.t + gap)) for event in log[at:]]
    elif kind == "field":
        log[at] = _other_field(rng, log[at])
    elif kind == "kind":
        log[at] = _other_kind(rng, log[at], at)
    elif kind == "tie":
        at = _make_tie(rng, log, at)
    else:
        at = _shuffle_lines(rng, log, at)
    return log, at


def _other_field(rng: Random, event: Event) -> Event:
    name = rng.choice([name for name in event._fields if name != "t"] or ["t"])
    value = getattr(event, name)
    other: Any
    if name == "card":
        other = f"{value[0]}{rng.choice(FACE_LETTERS)}{rng.choice('abc')}"
    elif name in ("cards", "after", "seen", "scores", "totals") and isinstance(value, tuple):
        other = _other_tuple(rng, value)
    elif name == "reason":
        other = rng.choice(["out", "blocked", "stalled", "abandoned"])
    elif value is None:
        other = rng.randint(0, 4)
    else:
        other = rng.choice([max(0, value + rng.choice([-3, -2, -1, 1, 2, 3])), value, 0, None])
        if other is None and not (name in ("number", "takes") or isinstance(event, Play)):
            other = 0
        if other is None and name in ("seat", "stack"):
            other = 0
    return event._replace(**{name: other})


def _other_tuple(rng: Random, values: tuple[Any, ...]) -> tuple[Any, ...]:
    if not values:
        return values
    place = rng.randrange(len(values))
    kind = rng.random()
    if kind < 0.2:
        return values[:place] + values[place + 1 :]
    if kind < 0.4 and isinstance(values[0], str):
        return tuple(rng.sample(values, len(values)))
    value = values[place]
    if isinstance(value, str):
        changed = f"{value[0]}{rng.choice(FACE_LETTERS)}{value[2]}"
    else:
        changed = max(0, value + rng.choice([-2, -1, 1, 2, 30]))
    return (*values[:place], changed, *values[place + 1 :])


def _other_kind(rng: Random, event: Event, at: int) -> Event:
    if not isinstance(event, Play | Late | Miss):
        return Out(event.t, rng.randrange(2)) if rng.random() < 0.5 else event
    t, seat, card, slot, number = event[:5]
    seen = at if event.seen is None else event.seen
    kind = rng.choice([Play, Late, Miss, Discard, Draw])
    if kind in (Discard, Draw):
        return kind(t, seat, card)
    if kind is Play:
        return Play(t, seat, card, slot, number, None, seen)
    return kind(t, seat, card, slot, number, seen)


def _make_tie(rng: Random, log: list[Event], at: int) -> int:
    """Turn a play into a tie with the next play there, or a tie into its first play."""
    event = log[at]
    if isinstance(event, Tie):
        card = event.cards[0]
        log[at] = Play(event.t, _owner(card), card, event.stack)
    elif isinstance(event, Play):
        for place in range(at + 1, len(log)):
            other = log[place]
            if isinstance(other, Play) and other.seat != event.seat:
                log[at] = Tie(
                    event.t, event.stack, (event.card, other.card), (0, rng.randint(0, 60))
                )
                if rng.random() < 0.5:
                    del log[place]
                break
    return at


def _shuffle_lines(rng: Random, log: list[Event], at: int) -> int:
    kind = rng.choice(["drop", "twice", "swap", "end"])
    if kind == "drop":
        del log[at]
    elif kind == "twice":
        log.insert(at, log[at])
    elif kind == "end":
        log.insert(at, End(log[at].t, "abandoned", (0, 0), (0, 0)))
    elif at + 1 < len(log):
        log[at], log[at + 1] = log[at + 1], log[at]
    return at
