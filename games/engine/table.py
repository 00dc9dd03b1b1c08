"""The table: where every card is, and counts of the seats' actions in this round.

Only `apply` changes a table. It moves cards and counts events. It knows no rules, so it must be
given true events (`games.engine.facts.verify`).

Piles are lists with the top card last. When a draw pile runs out, the discard pile becomes the draw
pile at once, unshuffled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.engine.cards import DECK_LETTERS, FACE, FACE_LETTERS, HIDDEN, WILD, Card
from games.engine.editions import Rules
from games.engine.events import Deal, Discard, Draw, End, Event, Late, Miss, Play, Tie

HAND: Final = 3
"""The most cards in a hand."""
_new: Final = tuple.__new__  # a named tuple from a whole tuple, at half the cost


class Visit(NamedTuple):
    """A play or tie on a slot: which event, when, and the slot's top before and after."""

    event: int
    t: int
    found: int
    left: int
    seats: tuple[int, ...]

    @property
    def turning(self) -> bool:
        """Whether it started or took a stack. A tie changes nothing, so it did not."""
        return self.found != self.left and not (self.found and self.left)


class Table:
    """One round's table in a match of `seats` seats. `beginners`: the seats with a fast hand.

    `totals` are the scores of the earlier rounds, including this one once it has ended.
    """

    def __init__(self, rules: Rules, seats: int, beginners: Sequence[int] = ()) -> None:
        self.rules = rules
        self.seats = seats
        self.hand_ms = [
            rules.tie_window_ms if seat in beginners else rules.one_hand_ms for seat in range(seats)
        ]
        self.totals: tuple[int, ...] = (0,) * seats
        self.round = 0
        self._clear()

    def _clear(self) -> None:
        seats = range(self.seats)
        self.hands: list[list[Card]] = [[] for _ in seats]
        self.draw_piles: list[list[Card]] = [[] for _ in seats]
        self.discard_piles: list[list[Card]] = [[] for _ in seats]
        self.score_piles: list[list[Card]] = [[] for _ in seats]
        self.stacks: list[list[Card]] = [[] for _ in seats]
        self.tops: list[int] = [0] * self.seats
        self.pool: list[int] = [0] * (WILD + 1)  # per face, the cards not yet played
        self.faces = 0  # the faces in the pool, as bits (1 << face)
        self.events = 0
        self.t = 0
        self.last: Event | None = None
        self.last_play = 0
        self.free: list[int] = [0] * self.seats  # the t from which each seat may move its hand
        self.seen: list[int] = [0] * self.seats  # each seat's last `seen`
        self.plays: list[list[Visit]] = [[] for _ in seats]  # per slot, all plays
        self.visits: list[list[Visit]] = [[] for _ in seats]  # those that may still be tied with
        self.turned: list[int] = [0] * self.seats  # per slot, the last start or take
        self.own: list[list[int]] = [[0] * self.seats for _ in seats]  # seat's last play on slot
        self.tied: list[list[int]] = [[0] * self.seats for _ in seats]  # seat's last tie on slot
        self.ended: str | None = None

    def deal(self, deal: Deal) -> None:
        """Begin a round: clear the table and give each seat its deck and its first three cards."""
        self._clear()
        self.round = deal.round
        for seat, deck in enumerate(deal.decks):
            self.hands[seat] = list(deck[:HAND])
            self.draw_piles[seat] = list(deck[: HAND - 1 : -1])
            for card in deck:
                self.pool[FACE.get(card, 0)] += 1
        self.faces = sum(1 << face for face, count in enumerate(self.pool) if count)

    def copy(self) -> Table:
        twin = Table(self.rules, self.seats)
        twin.hand_ms, twin.totals, twin.round = self.hand_ms, self.totals, self.round
        twin.hands = [hand[:] for hand in self.hands]
        twin.draw_piles = [pile[:] for pile in self.draw_piles]
        twin.discard_piles = [pile[:] for pile in self.discard_piles]
        twin.score_piles = [pile[:] for pile in self.score_piles]
        twin.stacks = [stack[:] for stack in self.stacks]
        twin.tops, twin.pool, twin.faces = self.tops[:], self.pool[:], self.faces
        twin.events, twin.t, twin.last = self.events, self.t, self.last
        twin.last_play, twin.free, twin.seen = self.last_play, self.free[:], self.seen[:]
        twin.plays = [visits[:] for visits in self.plays]
        twin.visits = [visits[:] for visits in self.visits]
        twin.turned = self.turned[:]
        twin.own = [events[:] for events in self.own]
        twin.tied = [events[:] for events in self.tied]
        twin.ended = self.ended
        return twin

    def __str__(self) -> str:
        slots = [
            f"slot {slot}  {face_of_top(self.tops[slot])}  {' '.join(stack) or 'free'}"
            for slot, stack in enumerate(self.stacks)
        ]
        seats = [
            f"seat {DECK_LETTERS[seat]}  hand {' '.join(self.hands[seat]) or '-':11}"
            f"  draw {len(self.draw_piles[seat]):2}  discard {len(self.discard_piles[seat]):2}"
            f"  score {len(self.score_piles[seat]):2}  total {self.totals[seat]}"
            for seat in range(self.seats)
        ]
        state = self.ended or "open"
        head = f"round {self.round}, {self.events} events, t {self.t}, {state}"
        return "\n".join([head, *slots, *seats])

    def __repr__(self) -> str:
        return f"<{self}>"


def face_of_top(top: int) -> str:
    """A top as one character: its number, or a dot for a free slot."""
    return FACE_LETTERS[top - 1] if top else "."


def apply(table: Table, event: Event) -> None:
    """Apply a fact to the table: move its cards, count it, and keep data for the rules.

    When a seat is OUT, nothing moves.
    """
    table.events += 1
    table.t = event[0]
    table.last = event
    if type(event) is Draw:  # the most frequent kind first
        _draw(table, event)
    elif type(event) is Discard:
        _discard(table, event)
    elif type(event) is Play:
        _play(table, event)
    elif type(event) is Tie:
        _tie(table, event)
    elif type(event) is Late:
        _late(table, event)
    elif type(event) is Miss:
        _miss(table, event)
    elif type(event) is End:
        _end(table, event)


def _play(table: Table, event: Play) -> None:
    t, seat, card, slot, number, taken, seen = event
    now, found, face = table.events, table.tops[slot], FACE[card]
    _from_hand(table, seat, card)
    left = table.pool[face] = table.pool[face] - 1
    if not left:
        table.faces &= ~(1 << face)
    stack = table.stacks[slot]
    stack.append(card)
    if taken is None:
        left = number or face
    else:
        table.score_piles[seat] += stack
        stack.clear()
        left = 0
    if not (found and left):
        table.turned[slot] = now
    table.tops[slot] = left
    table.own[seat][slot] = now
    visit = _new(Visit, (now, t, found, left, (seat,)))
    table.plays[slot].append(visit)
    _visit(table, slot, visit)
    table.last_play = t
    table.free[seat] = t + table.hand_ms[seat]
    if seen is not None:
        table.seen[seat] = seen


def _from_hand(table: Table, seat: int, card: Card) -> None:
    """Remove the card, or the hidden card in its place."""
    hand = table.hands[seat]
    try:
        hand.remove(card)
    except ValueError:
        hand.remove(HIDDEN[seat])


def _draw(table: Table, event: Draw) -> None:
    seat = event[1]  # cheaper than access by name or unpacking
    pile = table.draw_piles[seat]
    pile.pop()
    table.hands[seat].append(event[2])
    if not pile:
        _turn_over(table, seat)
    table.free[seat] = event[0] + table.hand_ms[seat]


def _discard(table: Table, event: Discard) -> None:
    seat = event[1]
    _to_discard_pile(table, seat, event[2])
    table.free[seat] = event[0] + table.hand_ms[seat]


def _to_discard_pile(table: Table, seat: int, card: Card) -> None:
    _from_hand(table, seat, card)
    table.discard_piles[seat].append(card)
    if not table.draw_piles[seat]:
        _turn_over(table, seat)


def _turn_over(table: Table, seat: int) -> None:
    table.draw_piles[seat], table.discard_piles[seat] = table.discard_piles[seat], []


def _tie(table: Table, event: Tie) -> None:
    slot = event.stack
    seats = tuple(DECK_LETTERS.index(card[0]) for card in event.cards)
    for place, (seat, card) in enumerate(zip(seats, event.cards, strict=True)):
        _to_discard_pile(table, seat, card)
        table.free[seat] = event.t + event.after[place] + table.hand_ms[seat]
        table.tied[seat][slot] = table.events
        if event.seen is not None:
            table.seen[seat] = event.seen[place]
    top = table.tops[slot]
    _visit(table, slot, Visit(table.events, event.t, top, top, seats))


def _visit(table: Table, slot: int, visit: Visit) -> None:
    """Remember a visit, and forget those whose tie window was over by then."""
    visits = table.visits[slot]
    if visits:
        over = visit[1] - table.rules.tie_window_ms
        while visits and visits[0][1] <= over:
            del visits[0]
    visits.append(visit)


def _late(table: Table, event: Late) -> None:
    table.free[event.seat] = event.t + table.hand_ms[event.seat]
    table.seen[event.seat] = event.seen


def _miss(table: Table, event: Miss) -> None:
    least = max(table.hand_ms[event.seat], table.rules.mistake_ms)
    table.free[event.seat] = event.t + least
    table.seen[event.seat] = event.seen


def _end(table: Table, event: End) -> None:
    table.ended = event.reason
    table.totals = event.totals
