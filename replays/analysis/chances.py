"""Chances: why a playable card was not played, for every opportunity window.

A window has up to three parts. At first the player's screen does not show it yet. Then the player
is busy with the previous movement, taking a mistaken card back, or required draws. In the rest the
player could have played. When it was shown is an estimate from the seat's lag. All else is exact.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.engine.cards import OWNER, Card
from games.engine.events import Discard, Draw, Event, Late, Miss, Play, Tie
from games.engine.rules import needs_refill
from games.engine.table import Table
from replays.analysis.windows import Window, windows
from replays.timeline import Round


class Openings:
    """The events that may have opened the windows of a round."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._plays: dict[tuple[int, int], int] = {}
        self._draws: dict[Card, set[int]] = defaultdict(set)
        for event in events:
            if isinstance(event, Play):
                self._plays[event.stack, event.t] = event.seat
            elif isinstance(event, Draw):
                self._draws[event.card].add(event.t)

    def by_another(self, window: Window) -> bool:
        """Whether another player's play opened it, which its player has to see first."""
        if window.since in self._draws[window.card]:
            return False
        by = self._plays.get((window.slot, window.since))
        return by is not None and by != window.seat


UNSEEN: Final = "not shown"
BUSY: Final = "hand busy"
FREE: Final = "free"

Span = tuple[int, int]
"""Start and end, in ms of the round."""


class Chance(NamedTuple):
    """A window and its parts."""

    window: Window
    shown: int
    """When the player's screen showed it, in ms of the round. At most the window's end."""
    busy: tuple[Span, ...]
    """When the player was busy, after `shown`."""

    @property
    def free_ms(self) -> int:
        """How long the card was in hand while its player was free."""
        return self.window.until - self.shown - sum(to - since for since, to in self.busy)

    def free_until(self, t: int) -> int:
        """How much of that was before a time."""
        return sum(min(to, t) - since for since, to in self.free if since < t)

    @property
    def cause(self) -> str:
        """The cause of the longest part of the wait."""
        unseen = self.shown - self.window.since
        busy = sum(to - since for since, to in self.busy)
        parts = ((self.free_ms, FREE), (busy, BUSY), (unseen, UNSEEN))
        return max(parts, key=lambda part: part[0])[1]

    @property
    def free(self) -> tuple[Span, ...]:
        """The spans that make up `free_ms`."""
        edges = [self.shown, *(edge for span in self.busy for edge in span), self.window.until]
        pairs = zip(edges[::2], edges[1::2], strict=True)
        return tuple((since, to) for since, to in pairs if since < to)


def chances(played: Round, lags: Sequence[float | None]) -> list[Chance]:
    """Each window of a round with its parts, in the order in which they ended."""
    hands = _Hands(played)
    return [hands.chance(window, lags[window.seat] or 0) for window in windows(played)]


class _Hands:
    """When each player was busy, and the event that opened each window."""

    def __init__(self, played: Round) -> None:
        seats = range(len(played.header.seats))
        self._window_ms = played.header.rules.tie_window_ms
        self._busy: list[list[Span]] = [[] for _ in seats]
        self._short: list[int | None] = [None for _ in seats]
        self._openings = Openings(played.events)
        for event, table in played.tables():
            if isinstance(event, Play | Draw | Discard | Late | Miss):
                self._note_movement(table, event.seat, event.t)
            elif isinstance(event, Tie):
                for card, after in zip(event.cards, event.after, strict=True):
                    self._note_movement(table, OWNER[card], event.t + after)
        for seat in seats:
            self._fill(seat, played.duration_ms)
        self._ends = [[to for _, to in spans] for spans in self._busy]

    def _note_movement(self, table: Table, seat: int, t: int) -> None:
        if self._short[seat] is not None:
            self._fill(seat, t)
        self._add(seat, t, table.free[seat])
        if table.rules.refill_before_play and needs_refill(table, seat):
            self._short[seat] = t

    def _fill(self, seat: int, t: int) -> None:
        since, self._short[seat] = self._short[seat], None
        if since is not None:
            self._add(seat, since, t)

    def _add(self, seat: int, since: int, to: int) -> None:
        """Add a busy span, merging spans that touch."""
        spans = self._busy[seat]
        if spans and since <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(to, spans[-1][1])
        else:
            spans.append((since, to))

    def chance(self, window: Window, lag: float) -> Chance:
        shown = min(window.until, window.since + self._hidden_ms(window, lag))
        return Chance(window, shown, tuple(self._between(window.seat, shown, window.until)))

    def _hidden_ms(self, window: Window, lag: float) -> int:
        """How long the player had not yet seen the event that opened the window."""
        hidden = self._openings.by_another(window)
        return round(self._window_ms + lag) if hidden else 0

    def _between(self, seat: int, since: int, to: int) -> list[Span]:
        spans, busy = self._busy[seat], []
        for begin, end in spans[bisect_right(self._ends[seat], since) :]:
            if begin >= to:
                break
            busy.append((max(begin, since), min(end, to)))
        return busy
