"""What a list of events says: where the cards are, who did what, who knew what.

The naive half of the oracle: everything is worked out again from the list of events, nothing
is remembered between two lines, and nothing of the engine is used but its plain values.

Events are counted from 1; "after n events" is the position behind the first n of them.
A top is None on a free slot. A number is what a card on a stack stands for.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.editions import Rules
from games.engine.events import Deal, Discard, Draw, Event, Late, Miss, Play, Tie

LETTERS = "ABCDE"


class Game(NamedTuple):
    """What a round starts from; `totals`: of the rounds before."""

    rules: Rules
    seats: int
    deal: Deal
    beginners: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()


class Tried(NamedTuple):
    """A try of any kind; `seen` only where it was said."""

    t: int
    seat: int
    card: str
    slot: int
    number: int | None
    seen: int | None


class Position(NamedTuple):
    """Where the cards are: piles with their top card first, stacks bottom first."""

    hands: list[list[str]]
    draws: list[list[str]]
    discards: list[list[str]]
    scores: list[list[str]]
    stacks: list[list[tuple[str, int]]]

    def top(self, slot: int) -> int | None:
        return self.stacks[slot][-1][1] if self.stacks[slot] else None


# Where the cards are


def position(game: Game, past: Sequence[Event]) -> Position:
    """The position after these events."""
    seats = range(game.seats)
    place = Position(
        [list(game.deal.decks[seat][:3]) for seat in seats],
        [list(game.deal.decks[seat][3:]) for seat in seats],
        [[] for _ in seats],
        [[] for _ in seats],
        [[] for _ in seats],
    )
    for event in past:
        _move(place, event)
    return place


def _move(place: Position, event: Event) -> None:
    if isinstance(event, Play):
        place.hands[event.seat].remove(event.card)
        stack = place.stacks[event.stack]
        stack.append((event.card, event.number or int(event.card[1].replace("R", "0"))))
        if event.takes is not None:
            place.scores[event.seat].extend(card for card, _ in stack)
            stack.clear()
    elif isinstance(event, Draw):
        place.hands[event.seat].append(place.draws[event.seat].pop(0))
    elif isinstance(event, Discard):
        place.hands[event.seat].remove(event.card)
        place.discards[event.seat].insert(0, event.card)
    elif isinstance(event, Tie):
        for card in event.cards:
            place.hands[owner(card)].remove(card)
            place.discards[owner(card)].insert(0, card)
    for draws, discards in zip(place.draws, place.discards, strict=True):
        if not draws:  # "the discard pile becomes the draw pile at once, as it lies"
            draws.extend(discards)
            discards.clear()


def owner(card: str) -> int:
    return LETTERS.index(card[0])


# What fits


def ways(rules: Rules, card: str, top: int | None) -> list[int | None]:
    """How a card may go there: the number that it then shows, or None where it takes."""
    if card[1] != "R":
        number = int(card[1])
        if top is None:
            return [1] if number == 1 else []
        return [None if number == 5 else number] if number in (top - 1, top + 1) else []
    if top is None:
        return [1] if rules.wild_starts else []
    stays = [n for n in (top - 1, top + 1) if 1 <= n <= 4] if rules.wild_as_number else []
    return [None, *stays]


def fits(rules: Rules, card: str, top: int | None, number: int | None) -> bool:
    """Whether it fits; `number`: tried as that, None: in any use."""
    numbers = ways(rules, card, top)
    return bool(numbers) if number is None else card[1] == "R" and number in numbers


# What a seat did before, and what it knew


def tries(past: Sequence[Event]) -> list[tuple[int, int, int, int | None]]:
    """All tries: (event number, seat, slot, seen)."""
    tried = []
    for count, event in enumerate(past, start=1):
        if isinstance(event, Play | Late | Miss):
            tried.append((count, event.seat, event.stack, event.seen))
        elif isinstance(event, Tie):
            seens = event.seen or [None] * len(event.cards)
            tried += [
                (count, owner(card), event.stack, seen)
                for card, seen in zip(event.cards, seens, strict=True)
            ]
    return tried


def movements(past: Sequence[Event], seat: int) -> list[tuple[int, bool]]:
    """A seat's hand movements: (t, whether it was a mistake)."""
    moves = []
    for event in past:
        if isinstance(event, Play | Draw | Discard | Late | Miss) and event.seat == seat:
            moves.append((event.t, isinstance(event, Miss)))
        elif isinstance(event, Tie):
            moves += [
                (event.t + after, False)
                for card, after in zip(event.cards, event.after, strict=True)
                if owner(card) == seat
            ]
    return moves


def plays_on(past: Sequence[Event], slot: int) -> list[tuple[int, Play]]:
    return [
        (count, event)
        for count, event in enumerate(past, start=1)
        if isinstance(event, Play) and event.stack == slot
    ]


def known(past: Sequence[Event], seat: int, slot: int, seen: int) -> int:
    """ "After the later of those and that seat's own last play on that slot"."""
    own = [count for count, play in plays_on(past, slot) if play.seat == seat]
    return max([seen, *own])


def stale(game: Game, past: Sequence[Event], seat: int, slot: int, seen: int) -> bool:
    """Another seat has started or taken a stack in that slot since."""
    since = known(past, seat, slot, seen)
    return any(
        count > since
        and play.seat != seat
        and (play.takes is not None or position(game, past[: count - 1]).top(slot) is None)
        for count, play in plays_on(past, slot)
    )
