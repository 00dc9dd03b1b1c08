"""The win probabilities of a match as a series: the one source of curve, swings and moments.

It is built by reading the log line by line, so a match still being played has one too. Between any
two points there is exactly one cause, so the differences of a detailed series, summed over all
causes, equal its last point minus its first.

A plain series has only the curve's points: the deal of each round, takes, ends of rounds and every
`STEP_MS` of play. A detailed one also separates plays and ties from the draws and discards between
them. Where both have a point, it is the same.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from games.engine.cards import OWNER
from games.engine.events import MAX_T, Deal, End, Event, Out, Play, Tie
from games.engine.scoring import ABANDONED
from games.records.log import Header, Line
from replays.analysis.winning.chance import Probabilities, chance, outcome
from replays.analysis.winning.network import rounded
from replays.analysis.winning.position import Position, Stakes
from replays.timeline import Round, Timeline

STEP_MS: Final = 2_000
MOST_CLOCK_POINTS: Final = 20_000
"""Per match: eleven hours of play. A record may claim a thousand days."""

DEAL: Final = "deal"
CLOCK: Final = "clock"
HANDS: Final = "hands"
"""Draws and discards since the previous point."""
PLAY: Final = "play"
TAKE: Final = "take"
TIE: Final = "tie"
END: Final = "end"
CURVE: Final = frozenset((DEAL, CLOCK, TAKE, END))
"""The causes whose points make up the curve."""
_MOVES: Final = frozenset((PLAY, TAKE, TIE, END))
"""The causes that may be a moment."""
_DIGITS: Final = 4
"""Sentences, curve and judgements show the same numbers, so they are rounded here."""
_NOTICEABLE: Final = 0.1
"""A play that changes a chance so much, without taking, is on the page's curve too."""


class Point(NamedTuple):
    """The state of the match after the line with that seq. `t`: ms in the round."""

    seq: int
    round: int
    t: int
    cause: str
    seats: tuple[int, ...]
    """The player, those tied, or the seat that shouted OUT. Otherwise empty."""
    p: Probabilities
    """The win probability of each seat."""
    instead: tuple[float, ...] = ()
    """For a tie where each card alone would have taken a stack: the win probability that each of
    `seats` would have with that take."""


class Series:
    """The points so far."""

    def __init__(self, header: Header, *, detailed: bool = False, keeps: bool = False) -> None:
        self.points: list[Point] = []
        self.positions: list[Position] = []
        """The position at each of the curve's points, if they are kept."""
        self._detailed, self._keeps = detailed, keeps
        self._position = Position(header)
        self._round = self._seq = self._t = self._due = self._clock_points = 0
        self._last_play = 0
        self._shouted: tuple[int, ...] = ()
        self._stakes = Stakes(header.rules)
        self._judged: Probabilities | None = None
        """The current probabilities. None if something has happened since."""

    @property
    def position(self) -> Position:
        """As it is after the last line."""
        return self._position

    def add_round(self, played: Round) -> None:
        """Take all of a round."""
        self.add(played.deal, played.seq)
        for event, seq in zip(played.events, played.seqs, strict=True):
            self.add(event, seq)

    def add(self, line: Line, seq: int) -> None:
        """Take the log's next line, with its seq."""
        if isinstance(line, Deal):
            self._round, self._due, self._shouted, self._last_play = line.round, STEP_MS, (), 0
            self._stakes = Stakes(self._position.rules)
            self._read_line(line, seq, 0)
            self._learnt(DEAL)
        elif isinstance(line, Event):
            while self._due < line.t:
                self._tick()
            self._event(line, seq)

    def _event(self, event: Event, seq: int) -> None:
        if isinstance(event, Play):
            self._stakes.read(event)
            self._before(event.t)
            self._last_play = event.t
            self._contested(PLAY if event.takes is None else TAKE, (event.seat,), event, seq)
        elif isinstance(event, Tie):
            self._before(event.t)
            self._contested(TIE, tuple(OWNER[card] for card in event.cards), event, seq)
        elif isinstance(event, End):
            self._end(event, seq)
        else:
            if isinstance(event, Out):
                self._shouted = (event.seat,)
            self._read_line(event, seq, event.t)

    def _contested(self, cause: str, seats: tuple[int, ...], event: Event, seq: int) -> None:
        """Handle a possible moment, separated from the movements before it."""
        instead = self._instead(event) if self._detailed and isinstance(event, Tie) else ()
        self._read_line(event, seq, event.t)
        if self._detailed or cause == TAKE:
            self._point(cause, seats, instead)
            self._judged = None  # the move itself reveals a habit, to be learned next

    def _end(self, end: End, seq: int) -> None:
        self._before(end.t)
        self._last_play = end.t
        self._read_line(end, seq, end.t)
        if end.reason == ABANDONED:
            self._judged = self.points[-1].p if self.points else None
        else:
            self._judged = outcome(self._position.rules, self._round, end)
        self._point(END, self._shouted)

    def _before(self, t: int) -> None:
        """Learn the habits shown so far, so that what comes now is judged without them."""
        if self._detailed and (self._judged is None or self._t < t):
            self._t, self._judged = t, None
            self._learnt(HANDS)
        else:
            self._position.learn()

    def _tick(self) -> None:
        """Add a point of the curve at a full step, for the table at that time."""
        self._t, self._clock_points = self._due, self._clock_points + 1
        self._judged = None  # a pause in play is information
        if self._clock_points <= MOST_CLOCK_POINTS:
            self._learnt(CLOCK)
            self._due += STEP_MS
        else:
            self._due = MAX_T + 1

    def _read_line(self, line: Line, seq: int, t: int) -> None:
        self._position.read(line)
        self._seq, self._t, self._judged = seq, t, None

    def _learnt(self, cause: str) -> None:
        self._position.learn()
        self._point(cause)

    def _instead(self, tie: Tie) -> tuple[float, ...]:
        cards = self._stakes.of(tie)
        if not cards:
            return ()
        seats = [OWNER[card] for card in tie.cards]
        positions = [self._position.with_take(seat, cards) for seat in seats]
        return tuple(chance(at)[seat] for seat, at in zip(seats, positions, strict=True))

    def _point(
        self, cause: str, seats: tuple[int, ...] = (), instead: tuple[float, ...] = ()
    ) -> None:
        if self._judged is None:
            self._judged = self._judge()
        p = tuple(rounded(self._judged, _DIGITS))
        point = Point(self._seq, self._round, self._t, cause, seats, p, instead)
        self.points.append(point)
        if self._keeps and cause in CURVE:
            self.positions.append(self._position.copy())

    def _judge(self) -> Probabilities:
        return chance(self._position, self._t - self._last_play)


def series(timeline: Timeline, *, detailed: bool = False) -> list[Point]:
    so_far = Series(timeline.header, detailed=detailed)
    for played in timeline.rounds:
        so_far.add_round(played)
    return so_far.points


def curve(points: Iterable[Point]) -> list[Point]:
    """The curve's points, from a plain or a detailed series."""
    return [point for point in points if point.cause in CURVE]


def curve_and_befores(points: Sequence[Point]) -> list[Point]:
    """The chances that a page shows, from a detailed series: the curve's points, those of plays
    that changed much, and those right before what may be a moment."""
    told = [point.cause in CURVE for point in points]
    for at, (last, point) in enumerate(pairwise(points)):
        if point.cause == PLAY:
            change = max(abs(p - q) for p, q in zip(point.p, last.p, strict=True))
            told[at + 1] = change >= _NOTICEABLE
        told[at] |= point.cause in _MOVES and (point.cause != PLAY or told[at + 1])
    return [point for point, shown in zip(points, told, strict=True) if shown]


def around(shown: Sequence[Point], seq: int) -> tuple[Probabilities, Probabilities]:
    """The chances right before a line and after it, as shown: the same if it has no point."""
    at = bisect_left(shown, seq, key=lambda point: point.seq)
    before = shown[max(0, at - 1)].p
    if at == len(shown) or shown[at].seq != seq or shown[at].cause not in _MOVES:
        return before, before
    return before, shown[at].p
