"""What a passed-up take would have been worth: both ways are played on by bots, many times.

The bots have the seats' tempo. They begin when the movement was decided on; the hand then does
what it did, or makes the take, at the same time; what follows is cut `CUT_MS` later and judged by
the model (docs/win-probability.md), which knows the habits shown until the decision. The hidden
cards are dealt anew for every rollout (`knowledge`).

The same decision, seed and versions give the same verdict. All values are estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from games.bots.rollout import Movement, Start
from games.bots.tempo import TempoMeter, skill_at
from games.engine.actions import DiscardOne, DrawOne, Try
from games.engine.events import End, Event, Play
from games.engine.scoring import raw_scores
from games.engine.table import Table
from replays.analysis.decisions.knowledge import Knowledge
from replays.analysis.open_takes import OpenTake, action_of
from replays.analysis.trials import Batch, Tallies, Tally
from replays.analysis.winning.chance import chance, outcome
from replays.analysis.winning.position import Position
from replays.timeline import Round, Timeline

CUT_MS: Final = 10_000
STAGES: Final = (16, 100, 300)
"""Rollouts of each way: the next stage is played only if the last one left it open."""
LEAST: Final = 0.04
"""What a decision must have cost in win probability to be told,"""
ERRORS: Final = 3
"""and in standard errors of that."""
_OPEN: Final = 2
"""Closer to `LEAST` than so many standard errors it is open."""
UNDECIDED: Final = (0.02, 0.98)
"""While the seat's win probability is in this range, its decisions are judged."""


Rollout = tuple[Table, list[Event]]
"""The table at its end, and the events from the decision on."""
PlayOn = Callable[[Movement, Random], Rollout]
"""Plays on from a decision once, with this movement of its hand."""


class Estimate(NamedTuple):
    """Means of the two ways, as it was done and with the take, and the difference's error."""

    done: float
    take: float
    error: float
    """The standard error of `cost`."""

    @property
    def cost(self) -> float:
        """What passing up the take cost."""
        return self.take - self.done


class DecisionCost(NamedTuple):
    """What a decision cost its seat; `rollouts` of each way."""

    rollouts: int
    win: Estimate
    """The win probability."""
    points: Estimate
    """The score pile less draw and discard pile, `CUT_MS` later or at the round's end."""

    @property
    def told(self) -> bool:
        """Whether it clearly was costly."""
        cost, error = self.win.cost, self.win.error
        return cost >= LEAST and cost >= ERRORS * error


class Judging:
    """Judges the decisions of a match, given from its first round on; of its log only what comes
    before each of them is used."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._before: list[Position] = [Position(timeline.header)]
        self._meters: list[TempoMeter] = [TempoMeter(len(timeline.names))]
        """Both at the start of each round."""

    def undecided(self, take: OpenTake) -> bool:
        """Whether the match was open enough for its decisions to be judged."""
        low, high = UNDECIDED
        return low <= chance(self._position(take))[take.seat] <= high

    def ways(self, take: OpenTake, play_on: PlayOn | None = None) -> Ways:
        """The two ways, ready to be played on: by default as its seat knew it (`Unseen`)."""
        played = self._at(take)
        play_on = play_on or Unseen(played, take, self._tempos(take))
        return Ways(take, played.events[take.event - 1], self._position(take), play_on)

    def _at(self, take: OpenTake) -> Round:
        """The decision's round; the start of it is known then."""
        rounds = self._timeline.rounds
        while len(self._before) < take.round:
            played = rounds[len(self._before) - 1]
            position, meter = self._before[-1].copy(), self._meters[-1].copy()
            for line in chain([played.deal], played.events):
                position.read(line)
            meter.read(played.events)
            self._before.append(position)
            self._meters.append(meter)
        return rounds[take.round - 1]

    def _position(self, take: OpenTake) -> Position:
        played = self._at(take)
        position = self._before[take.round - 1].copy()
        for line in chain([played.deal], played.events[: take.known]):
            position.read(line)
        position.learn()
        return position

    def _tempos(self, take: OpenTake) -> tuple[float, ...]:
        played = self._at(take)
        meter = self._meters[take.round - 1].copy()
        meter.read(played.events[: take.known])
        return meter.tempos


class Unseen:
    """Plays on from a decision as its seat knew it: the hidden cards are dealt anew."""

    def __init__(self, played: Round, take: OpenTake, tempos: Sequence[float]) -> None:
        self._knowledge = Knowledge(played, take.seat, take.known)
        self._start = Start(self._knowledge.dealt(Random(0)), self._knowledge.events)
        self._skills = [skill_at(tempo) for tempo in tempos]
        self._until = take.since + CUT_MS

    def __call__(self, first: Movement, randomness: Random) -> Rollout:
        start = self._start.with_table(self._knowledge.dealt(randomness))
        return start.rollout_after(self._skills, randomness, first, self._until)


class Ways:
    """A decision, to be played on from in both ways by `play_on`; `done`: what the hand did."""

    def __init__(self, take: OpenTake, done: Event, position: Position, play_on: PlayOn) -> None:
        self._seat, self._seats = take.seat, position.seats
        self._position, self._play_on = position, play_on
        self._done = self._movement(take, action_of(done))
        self._take = self._movement(take, take.take)

    def _movement(self, take: OpenTake, action: Try | DrawOne | DiscardOne) -> Movement:
        if isinstance(action, Try):
            action = action._replace(seen=take.known)
        return Movement(take.since, take.t, action)

    def cost(self, seed: int = 0) -> DecisionCost:
        """What the decision cost."""
        return self.found(self.judged(seed))

    def judged(self, seed: int = 0) -> Tallies:
        """Play on until it is clear whether the decision was costly."""
        tallies = self.run(Batch(0, STAGES[0], seed))
        for before, stage in pairwise(STAGES):
            cost = self.found(tallies)
            sure = abs(cost.win.cost - LEAST) > _OPEN * cost.win.error
            if sure and (before > STAGES[0] or cost.win.cost < LEAST):
                break
            tallies += self.run(Batch(before, stage - before, seed))
        return tallies

    def run(self, batch: Batch) -> Tallies:
        """Play a batch of rollouts of each way."""
        return Tallies(self._tally(self._done, batch), self._tally(self._take, batch))

    def found(self, tallies: Tallies) -> DecisionCost:
        """The verdict of these rollouts."""
        (done, done_error), (take, take_error) = (tally.win(self._seat) for tally in tallies)
        win = Estimate(done, take, sqrt(done_error**2 + take_error**2))
        (done, done_error), (take, take_error) = (tally.scored(self._seat) for tally in tallies)
        points = Estimate(done, take, sqrt(done_error**2 + take_error**2))
        return DecisionCost(tallies.instead.rollouts, win, points)

    def _tally(self, way: Movement, batch: Batch) -> Tally:
        tally = Tally(self._seats)
        for number in range(batch.first, batch.first + batch.size):
            randomness = Random(f"ratuki {batch.seed}/{number}")
            table, events = self._play_on(way, randomness)
            tally.add(raw_scores(table), self._judged(table, events))
        return tally

    def _judged(self, table: Table, events: Sequence[Event]) -> Sequence[float]:
        """Each seat's chance to win, by the habits known when it was decided."""
        last = events[-1] if events else None
        p = outcome(table.rules, last) if isinstance(last, End) else None
        if p is not None:
            return p
        position = self._position.copy()
        for event in events:
            position.read(event)
        plays = [event.t for event in events if isinstance(event, Play)]
        return chance(position, table.t - max(plays, default=table.t))
