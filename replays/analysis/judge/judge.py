"""The effect of a change on a position: one question, answered by rollouts of both ways.

The level of a chance is always the curve's. Only the difference between the two ways comes from
rollouts: they estimate it well, while their own level is off by several points. Where a rollout
ends, `winning.chance` judges it, as it judges every point of the curve.

The same question, seed and versions give the same answer. All values are estimates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from random import Random
from typing import Final, NamedTuple

from games.bots.base import Bot
from games.bots.rollout import Players
from games.bots.roster import bots_of
from games.bots.taker import Taker
from games.bots.view import PublicEvents
from games.engine.actions import Refusal
from games.engine.cards import FACE, Card
from games.engine.events import End, Event, Play
from games.engine.facts import Fault
from games.engine.scoring import end as ended
from games.engine.scoring import raw_scores
from games.engine.table import Table
from replays.analysis.chances import Chance, chances
from replays.analysis.judge.playing import (
    CUT_MS,
    Change,
    Seating,
    TryAt,
    Unseen,
    Way,
    recorded,
    try_at,
)
from replays.analysis.judge.tally import WIDE, Batch, Tallies, Tally
from replays.analysis.missed_takes import FREE_MS
from replays.analysis.open_takes import OpenTake, action_of, open_takes
from replays.analysis.winning.absence import missing
from replays.analysis.winning.chance import Probabilities, chance, outcome
from replays.analysis.winning.position import Position
from replays.analysis.winning.series import Point, around, curve_and_befores, series
from replays.timeline import Round, Timeline
from replays.variations.lines import MatchLines

STAGES: Final = (16, 100, 300)
"""Rollouts of each way of an open take. The next stage is played only if the last one did not
settle whether the difference is shown."""
TRY_STAGES: Final = (100, 300, 1_200)
"""The same of a changed try, whose rollouts go to the round's end."""
LEAST: Final = 0.03
"""The least difference of chances to win that is shown."""
ERRORS: Final = 3
"""The fewest standard errors that a shown difference must measure."""
_OPEN: Final = 2
"""Closer to `LEAST` than so many standard errors it is open."""
UNDECIDED: Final = (0.02, 0.98)
"""While the seat's chance to win is in this range, its decisions are judged."""
MAX_JUDGEMENTS: Final = 60
"""The most open takes judged in a round, those of the largest stacks."""
_NEVER_MS: Final = 10**7


class SeatOutcome(NamedTuple):
    """A seat's chance to win by the curve, before the play and after it as it was played, and the
    change's effect on the latter with its interval."""

    before: float
    played: float
    difference: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the difference is large, and beyond chance."""
        error = max(self.high - self.difference, self.difference - self.low) / WIDE
        return abs(self.difference) >= max(LEAST, ERRORS * error)


class Without(NamedTuple):
    """Who most often takes a stack that a seat leaves, in which share of the rollouts, and after
    how many ms on average."""

    taker: int
    share: float
    after_ms: int


class Outcome(NamedTuple):
    """The outcome of a question, from `rollouts` of each way. `became`: the changed try."""

    rollouts: int
    seat: int
    became: Event | Refusal | None
    is_significant: bool
    """Whether the difference is clear."""
    points: float
    """The change's effect on the seat's points, and its standard error: in the round, or after
    `CUT_MS` if the question was cut there."""
    points_error: float
    seats: tuple[SeatOutcome, ...]
    without: Without | None = None
    """What becomes of the stack if the seat doesn't take it. None: the question is not about that,
    or no rollout takes it."""


class Question(NamedTuple):
    """Two ways to continue a position. `take`: the open take in question. None: a try."""

    at: TryAt
    change: Change
    before: Probabilities
    """The chances to win right before the play, as everywhere on the page."""
    played: Probabilities
    """After the play, as it was played. The same if the curve has no point there."""
    became: Event | Refusal | None
    ways: tuple[_Side, _Side]
    take: OpenTake | None = None

    @property
    def seat(self) -> int:
        return self.at.seat

    @property
    def cut_ms(self) -> int | None:
        """How long rollouts last. None: to the round's end."""
        return CUT_MS if self.take else None

    def run(self, batch: Batch) -> Tallies:
        """Play a batch of rollouts of each way."""
        return Tallies(*(side.tally(batch) for side in self.ways))

    def due(self, tallies: Tallies | None) -> int:
        """How many more rollouts are needed to say whether the difference is clear."""
        stages = STAGES if self.take else TRY_STAGES
        done = tallies.rollouts if tallies else 0
        if tallies and done in stages:
            gain = self._gain(tallies)
            sure = abs(gain - LEAST) > _OPEN * tallies.win(self.seat).error
            if sure and (done > stages[0] or gain < LEAST):
                return 0
        return next((stage - done for stage in stages if stage > done), 0)

    def judged(self, seed: int = 0) -> Tallies:
        """Play on until it is clear, or until that is not worth it."""
        tallies = None
        while more := self.due(tallies):
            batch = Batch(tallies.rollouts if tallies else 0, more, seed)
            tallies = tallies.add(self.run(batch)) if tallies else self.run(batch)
        assert tallies is not None
        return tallies

    def outcome(self, tallies: Tallies) -> Outcome:
        gain, error = self._gain(tallies), tallies.win(self.seat).error
        is_significant = gain >= LEAST and gain >= ERRORS * error
        pairs = zip(self.before, self.played, strict=True)
        seats = tuple(_seat(*pair, tallies, seat) for seat, pair in enumerate(pairs))
        points = tallies.scored(self.seat)
        left = tallies.as_played if self.take else tallies.instead
        return Outcome(
            tallies.rollouts, self.seat, self.became, is_significant, *points, seats, _without(left)
        )

    def _gain(self, tallies: Tallies) -> float:
        """The size of the difference. For an open take, only an improvement counts."""
        difference = tallies.win(self.seat).mean
        return difference if self.take else abs(difference)


def _without(left: Tally) -> Without | None:
    taker = max(range(len(left.takes)), key=lambda seat: left.takes[seat])
    count = left.takes[taker]
    return Without(taker, count / left.rollouts, left.take_ms[taker] // count) if count else None


def _seat(before: float, played: float, tallies: Tallies, seat: int) -> SeatOutcome:
    """No chance falls below 0 or rises above 1."""
    difference, error = tallies.win(seat)
    bounds = (difference, difference - WIDE * error, difference + WIDE * error)
    within = (max(-played, min(1 - played, value)) for value in bounds)
    return SeatOutcome(before, played, *within)


class _Side(NamedTuple):
    """A way, what is known where it begins, and who plays on."""

    way: Way
    position: Position
    last_play: int
    seating: Seating
    unseen: Unseen | None
    left: Play | None = None
    """The take that the seat doesn't make."""

    def tally(self, batch: Batch) -> Tally:
        tally, away = Tally(self.position.seats), list(missing(self.position))
        for number in range(batch.first, batch.first + batch.size):
            randomness = Random(f"ratuki {batch.seed}/{number}")
            gone = {seat for there, seat in away if randomness.random() >= there}
            dealt = self.unseen.dealt(randomness) if self.unseen else None
            seating = _leaving(gone, self.seating) if gone else self.seating
            table, events = self.way.play(seating, randomness, dealt)
            tally.add(*self._evaluate(table, events))
            if self.left and (take := later_take(self.left, events)):
                tally.took(take.seat, take.t - self.left.t)
        return tally

    def _evaluate(
        self, table: Table, events: Sequence[Event]
    ) -> tuple[Sequence[int], Sequence[float]]:
        """The seats' points, and their chances to win."""
        last = events[-1] if events and isinstance(events[-1], End) else None
        if last is None and self.unseen is None:
            last = ended(table, table.t, "stalled")
        points = last.scores if last else raw_scores(table)
        p = outcome(table.rules, table.round, last) if last else None
        if p is not None:
            return points, p
        position = self.position.copy()
        for event in (*events[:-1], last) if last else events:
            position.read(event)
        if self.unseen is None:
            position.learn()
        played = max((event.t for event in events if isinstance(event, Play)), default=None)
        still = 0 if last else table.t - (self.last_play if played is None else played)
        return points, chance(position, still)


def later_take(left: Play, events: Sequence[Event]) -> Play | None:
    """The take of a stack that was left, if someone makes one."""
    plays = (event for event in events if isinstance(event, Play) and event.takes is not None)
    return next((play for play in plays if play.stack == left.stack and play.t >= left.t), None)


class _Away(Taker):
    """The bot of a player who has left: it does nothing."""

    def think(self, now: int) -> tuple[None, int]:
        return None, now + _NEVER_MS


def _leaving(gone: set[int], seating: Seating) -> Seating:
    def seat_or_leave(table: Table, public: PublicEvents, seat: int, randomness: Random) -> Bot:
        bot = seating(table, public, seat, randomness)
        return _Away(bot.view, bot.skill, randomness) if seat in gone else bot

    return seat_or_leave


class _Free:
    """Whether the player of an open take had a free hand for it for long enough until then."""

    def __init__(self, in_round: Iterable[Chance]) -> None:
        self._of: dict[tuple[int, int, Card], list[Chance]] = defaultdict(list)
        for each in in_round:
            window = each.window
            self._of[window.seat, window.slot, window.card].append(each)

    def __call__(self, take: OpenTake) -> bool:
        return any(
            each.window.since <= take.t <= each.window.until and each.free_until(take.t) >= FREE_MS
            for each in self._of[take.seat, take.slot, take.card]
        )


class Judge:
    """Asks questions about a match, given from its first round. Only the log before a question's
    try is used. `lags`: each seat's, in ms."""

    def __init__(self, timeline: Timeline, lags: Sequence[float | None]) -> None:
        self.timeline, self.lags = timeline, lags
        self._lines = MatchLines(timeline)
        self._before = [(Position(timeline.header), Players(bots_of(timeline.header)))]
        """At the start of each round."""

    def about(self, at: TryAt, change: Change) -> Question:
        """The question what that change would have made. Raises Fault."""
        if change.card is not None and 0 < at.round <= len(self.timeline.rounds):
            for take in open_takes(self.timeline.rounds[at.round - 1], self.lags):
                same = (take.event, take.seat, take.slot, FACE[take.card])
                if same == (at.event, at.seat, change.slot, FACE[change.card]):
                    return self.about_take(take)
        return self._about_try(at, change)

    def about_take(self, take: OpenTake) -> Question:
        """The question what the missed take would have been worth."""
        played = self.timeline.rounds[take.round - 1]
        position, players = self._at(take.round, take.known, hands=False)
        unseen, done = Unseen(played, take), played.events[take.event - 1]
        last_play = _last_play(played.events[: take.known])
        became = Play(take.t, take.seat, take.card, take.slot, takes=take.taken)
        done_way, take_way = (
            _Side(unseen.way(action), position, last_play, players.bot, unseen, left)
            for action, left in ((action_of(done), became), (take.take, None))
        )
        at = TryAt(take.round, take.event, take.seat)
        change = Change(card=take.card, slot=take.slot)
        return Question(at, change, *self._around(at), became, (done_way, take_way), take)

    def to_judge(self, played: Round) -> list[OpenTake]:
        """The open takes of a round that are judged, in log order: their players had the time."""
        could = filter(_Free(chances(played, self.lags)), open_takes(played, self.lags))
        largest = sorted(could, key=lambda take: -take.cards)[:MAX_JUDGEMENTS]
        return sorted(filter(self._undecided, largest), key=lambda take: take.event)

    def _undecided(self, take: OpenTake) -> bool:
        low, high = UNDECIDED
        at = TryAt(take.round, take.event, take.seat)
        return low <= self._around(at)[0][take.seat] <= high

    def _about_try(self, at: TryAt, change: Change) -> Question:
        try_at(self._lines, at)  # raises Fault without such a try
        _, players = self._at(at.round, at.event - 1)
        way_of = partial(recorded, self._lines, at, lags=self.lags, players=players)
        (as_played, t), (instead, later) = way_of(Change()), way_of(change)
        played = self.timeline.rounds[at.round - 1]
        event = played.events[at.event - 1]
        if type(as_played.outcome(at.seat, t)) is not type(event):
            raise Fault(
                "event {event}: this try depends on what the record does not say", event=at.event
            )
        first, second = (
            _Side(way, self._at(at.round, way.known)[0], 0, players.bot, None, left)
            for way, left in (
                (as_played, None),
                (instead, _as_take(event) if change.skip else None),
            )
        )
        became = instead.outcome(at.seat, later)
        return Question(at, change, *self._around(at), became, (first, second))

    def _around(self, at: TryAt) -> tuple[Probabilities, Probabilities]:
        """The chances to win right before a movement, and after it."""
        seq = self.timeline.rounds[at.round - 1].seqs[at.event - 1]
        return around(self._curve, seq)

    @cached_property
    def _curve(self) -> list[Point]:
        return curve_and_befores(series(self.timeline, detailed=True))

    def _at(
        self, number: int, known: int | None, *, hands: bool = True
    ) -> tuple[Position, Players]:
        """What was known of the match after so many events of a round. Without hands: to a seat
        that knew its opponents' tempers only from earlier rounds."""
        if len(self._before) < number:
            self._before.append(self._at(number - 1, None))
        played, (before, met) = self.timeline.rounds[number - 1], self._before[number - 1]
        position, players = before.copy(), met.copy()
        for line in (played.deal, *played.events[:known]):
            position.read(line)
        position.learn()
        players.read(played.events[:known], played.table() if hands else None)
        return position, players


def _as_take(event: Event) -> Play | None:
    return event if isinstance(event, Play) and event.takes else None


def _last_play(events: Sequence[Event]) -> int:
    return max((event.t for event in events if isinstance(event, Play)), default=0)
