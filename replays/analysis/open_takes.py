"""Open takes: the movements of a player who could have taken a stack instead.

A take counts as open to a movement only if the choice was really there. The stack must not have
changed since the player decided on the movement. The player must either have put its top card
there, or have had it on the screen and `OPEN_MS` to see it. The card must have been in hand for as
long. The decision is assumed `DECIDED_MS` before the movement, or at the player's previous movement
if that is later.

A player who goes for the take next, within `NEXT_MS`, did not pass it up. Late tries, ties,
mistakes and doing nothing are no choices of this kind.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.bots.tempo import movements
from games.engine.actions import DiscardOne, DrawOne, Try
from games.engine.cards import FACE, OWNER, Card
from games.engine.events import Discard, Draw, Event, Late, Miss, Play, Tie
from games.engine.fitting import FREE, fits, takes
from games.engine.rules import needs_refill
from games.engine.table import apply
from replays.analysis.winning.position import FIVE
from replays.timeline import Round

DECIDED_MS: Final = 400
OPEN_MS: Final = 500
NEXT_MS: Final = 1_000
LEAST_CARDS: Final = 4
"""Takes of smaller stacks hardly matter: they are one in a hundred of those told."""
_Moved = Play | Draw | Discard


class OpenTake(NamedTuple):
    """A movement, and the largest take that was open to it. Times are ms in the round."""

    round: int
    event: int
    """The number of the movement in its round, counted from 1."""
    seat: int
    t: int
    """The time of the movement."""
    since: int
    """When that was decided on."""
    known: int
    """How many events of the round there were by then."""
    card: Card
    slot: int
    cards: int
    """The stack's cards, without the one that would have taken them."""
    top_event: int
    """The number of the play that put its top card there: the same for each movement that passes
    up the same take."""
    open_ms: int
    """How long ago that was."""

    @property
    def taken(self) -> int:
        """How many cards the take would get."""
        return self.cards + 1

    @property
    def take(self) -> Try:
        """The try that was not made."""
        return Try(self.seat, self.card, self.slot, None, self.known)


class _Top(NamedTuple):
    """The last play on a slot."""

    event: int = 0
    t: int = 0
    seat: int = -1


def open_takes(played: Round, lags: Sequence[float | None]) -> Iterator[OpenTake]:
    """The movements of a round that missed a take, in order. `lags`: each seat's, in ms."""
    reader = _OpenTakeScan(played, lags)
    for number, event in enumerate(played.events, 1):
        if isinstance(event, _Moved) and not needs_refill(reader.table, event.seat):
            take = reader.open_to(event, number)
            if take is not None and not _next(played.events[number:], take):
                yield take
        reader.read(event, number)


class _OpenTakeScan:
    """Follows a round: when hands moved, when cards were drawn, and the tops of the slots."""

    def __init__(self, played: Round, lags: Sequence[float | None]) -> None:
        self.table = table = played.table()
        self._round = played.number
        self._times = [event.t for event in played.events]
        self._shown = [table.rules.tie_window_ms + (lag or 0) for lag in lags]
        self._moved = [0] * table.seats
        self._drawn: dict[Card, int] = {}
        self._tops = [_Top()] * table.seats

    def read(self, event: Event, number: int) -> None:
        apply(self.table, event)
        for seat, t in movements(event):
            self._moved[seat] = t
        if isinstance(event, Draw):
            self._drawn[event.card] = event.t
        elif isinstance(event, Play):
            self._tops[event.stack] = _Top(number, event.t, event.seat)

    def open_to(self, event: _Moved, number: int) -> OpenTake | None:
        """The largest take open to a movement, if any. A 5 is preferred to a wild."""
        t, seat = event.t, event.seat
        since = max(0, t - DECIDED_MS, self._moved[seat])
        known = bisect_right(self._times, since, hi=number - 1)
        if isinstance(event, Play) and self._tops[event.stack].event > known:
            return None  # decided on later than most
        taken = (event.takes or 0) if isinstance(event, Play) else 0
        candidates = [
            (len(self.table.stacks[slot]), -FACE[card], -slot, card, slot)
            for slot in self._open_slots(event, known)
            if len(self.table.stacks[slot]) >= max(LEAST_CARDS, taken)
            for card in self.table.hands[seat]
            if t - self._drawn.get(card, -OPEN_MS) >= OPEN_MS and self._takes(slot, card)
        ]
        if not candidates:
            return None
        cards, _, _, card, slot = max(candidates)
        top = self._tops[slot]
        take = (card, slot, cards, top.event, t - top.t)
        return OpenTake(self._round, number, seat, t, since, known, *take)

    def _open_slots(self, event: _Moved, known: int) -> list[int]:
        """The slots where a movement's player knew the top."""
        least = max(OPEN_MS, self._shown[event.seat])
        return [
            slot
            for slot, top in enumerate(self._tops)
            if top.event <= known and (top.seat == event.seat or event.t - top.t >= least)
        ]

    def _takes(self, slot: int, card: Card) -> bool:
        top, face = self.table.tops[slot], FACE[card]
        return top != FREE and fits(self.table.rules, top, face) and takes(top, face, None)


def _next(events: Sequence[Event], take: OpenTake) -> bool:
    """Whether the player went for the take next. `events`: those after the movement."""
    for event in events:
        if event.t > take.t + NEXT_MS:
            break
        if take.seat in {seat for seat, _ in movements(event)}:
            tried = isinstance(event, Play | Late | Miss | Tie) and event.stack == take.slot
            return tried and any(FACE[card] >= FIVE for card in _cards(event, take.seat))
    return False


def _cards(event: Event, seat: int) -> list[Card]:
    """The card of a seat's try."""
    if isinstance(event, Tie):
        return [card for card in event.cards if OWNER[card] == seat]
    return [event.card] if isinstance(event, Play | Late | Miss) else []


def action_of(event: Event) -> Try | DrawOne | DiscardOne:
    """The action of a play, draw or discard. Raises ValueError for anything else."""
    match event:
        case Play(_, seat, card, slot, number):
            return Try(seat, card, slot, number)
        case Draw(_, seat):
            return DrawOne(seat)
        case Discard(_, seat, card):
            return DiscardOne(seat, card)
        case _:
            raise ValueError(f"no movement of this kind: {event}")
