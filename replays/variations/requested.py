"""Each seat's actions in the rest of a line, to be repeated.

A log records outcomes. Here they become actions again: a play, a late try and a mistake are tries,
a tie is one try for each of its cards. Each keeps its player's view of the slot, which later
decides whether it still makes sense.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from games.bots.view import PublicEvents
from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import OWNER, Card
from games.engine.events import Discard, Draw, Event, Late, Miss, Out, Play, Tie
from games.engine.rules import top_after, viewed
from games.engine.table import Table, apply


class AskedAction(NamedTuple):
    """A seat's action as requested at t. `top`: the player's view of the slot of a try.

    `card`: the card drawn. None for anything but a draw.
    """

    t: int
    action: Action
    top: int | None = None
    card: Card | None = None


def asked_in(table: Table, events: Sequence[Event]) -> list[AskedAction]:
    """The seats' actions, in order of time. Plays `events` on the table before them."""
    actions: list[AskedAction] = []
    for event in events:
        actions += _actions_of(table, event)
        apply(table, event)
    return sorted(actions, key=lambda asked: asked.t)


def _actions_of(table: Table, event: Event) -> Iterator[AskedAction]:
    match event:
        case Play(t, seat, card, slot, number, _, seen) | Late(t, seat, card, slot, number, seen):
            yield _tried(table, t, Try(seat, card, slot, number, seen))
        case Miss(t, seat, card, slot, number, seen):
            yield _tried(table, t, Try(seat, card, slot, number, seen))
        case Tie(t, slot, cards, after, seen):
            for place, card in enumerate(cards):
                shown = None if seen is None else seen[place]
                yield _tried(table, t + after[place], Try(OWNER[card], card, slot, None, shown))
        case Draw(t, seat, card):
            yield AskedAction(t, DrawOne(seat), card=card)
        case Discard(t, seat, card):
            yield AskedAction(t, DiscardOne(seat, card))
        case Out(t, seat) if table.rules.out == "shout":
            yield AskedAction(t, Shout(seat))


def _tried(table: Table, t: int, action: Try) -> AskedAction:
    return AskedAction(t, action, top_seen(table, action))


def top_seen(table: Table, action: Try) -> int:
    """The player's view of the slot of a try."""
    seen = table.events if action.seen is None else action.seen
    return top_after(table, action.stack, viewed(table, action.seat, action.stack, seen))


class Shown:
    """How much of the race a ghost has seen, given how much of its own line it had seen.

    While the race equals the line, these are the same. After that it is the public part of the race
    at the time of the line's event.
    """

    def __init__(self, line: Sequence[Event], public: PublicEvents) -> None:
        self._line = line
        self._race = public
        self._times = _public_times(line, public)
        self._same = len(public.events)

    def seen(self, events: int | None) -> int | None:
        """Convert a number of events of the line to one of the race."""
        if events is None or events <= self._agreeing():
            return events
        return max(self._same, bisect_right(self._race.times, self._times[events - 1]))

    def _agreeing(self) -> int:
        """How many events the line and the race share, counted from the deal."""
        later = zip(self._line[self._same :], self._race.events[self._same :], strict=False)
        self._same += sum(1 for _ in takewhile(lambda pair: _alike(*pair), later))
        return self._same


def _public_times(line: Sequence[Event], public: PublicEvents) -> list[int]:
    times = public.copy()
    for event in line[len(public.events) :]:
        times.settled(event)
    return times.times


def _alike(event: Event, other: Event) -> bool:
    """Whether two events are the same apart from `seen`."""
    return type(event) is type(other) and _bare(event) == _bare(other)


def _bare(event: Event) -> Event:
    if isinstance(event, Play | Tie):
        return event._replace(seen=None)
    return event._replace(seen=0) if isinstance(event, Late | Miss) else event
