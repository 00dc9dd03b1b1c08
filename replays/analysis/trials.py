"""What if a play had come earlier or later, been another card, or not been made?

Both ways are played to the round's end by bots of the seats' tempo, many times
(`replays.variations.alternative`), and the model judges the rest of the match. `Trial.run` is
pure: the same batch gives the same tallies wherever it runs, tallies add up, and what has been
tallied need not be run again. All values are estimates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple, Protocol, Self

from games.engine import scoring
from games.engine.actions import Refusal
from games.engine.cards import OWNER
from games.engine.events import End, Event, Late, Play, Tie
from games.engine.facts import Fault
from games.engine.table import Table
from replays.analysis.report_json import SeatTrial, Spread
from replays.analysis.winning.chance import chance, outcome
from replays.analysis.winning.position import Position
from replays.variations.alternative import Alternative, Change, TryAt
from replays.variations.lines import MatchLines, Place

Json = dict[str, Any]
CLEAR: Final = 2.0
"""A difference is clear from so many standard errors on."""
ENOUGH: Final = 300
"""Rollouts of each way: a standard error of at most 4% for a difference of probabilities."""
AMOUNTS: Final = (ENOUGH, 4 * ENOUGH)
"""How many rollouts of each way can be asked for; four times as many halve the errors."""
_DIGITS: Final = 4


class Batch(NamedTuple):
    """Rollouts by number: the same ones give the same tallies."""

    first: int
    size: int
    seed: int = 0


class Tally:
    """What came of some rollouts of one way; tallies add up. Each list has an entry per seat."""

    def __init__(self, seats: int) -> None:
        self.rollouts = 0
        self.points = [Counter[int]() for _ in range(seats)]
        """How often each round score came about."""
        self.wins = [0.0] * seats
        """The sum of its win probabilities."""
        self.squares = [0.0] * seats
        """The sum of their squares."""
        self.best = [0.0] * seats
        """How often it scored most in the round; shared if several did."""

    def add(self, scores: Sequence[int], p: Sequence[float]) -> None:
        """Count one rollout."""
        self.rollouts += 1
        most = max(scores)
        share = 1 / sum(score == most for score in scores)
        for seat, (score, share_of_win) in enumerate(zip(scores, p, strict=True)):
            self.points[seat][score] += 1
            self.wins[seat] += share_of_win
            self.squares[seat] += share_of_win * share_of_win
            self.best[seat] += share * (score == most)

    def win(self, seat: int) -> tuple[float, float]:
        """A seat's mean win probability, and its standard error."""
        return _mean(self.rollouts, self.wins[seat], self.squares[seat])

    def scored(self, seat: int) -> tuple[float, float]:
        """A seat's mean points, and their standard error."""
        counts = self.points[seat].items()
        whole = sum(points * count for points, count in counts)
        squares = sum(points * points * count for points, count in counts)
        return _mean(self.rollouts, whole, squares)

    def __iadd__(self, other: Tally) -> Self:
        self.rollouts += other.rollouts
        for seat in range(len(self.points)):
            self.points[seat].update(other.points[seat])
            self.wins[seat] += other.wins[seat]
            self.squares[seat] += other.squares[seat]
            self.best[seat] += other.best[seat]
        return self

    def as_json(self) -> Json:
        """The tally, to be stored."""
        points = [sorted(counts.items()) for counts in self.points]
        rest = {"wins": self.wins, "squares": self.squares, "best": self.best}
        return {"rollouts": self.rollouts, "points": points, **rest}

    @classmethod
    def of_json(cls, stored: Json) -> Tally:
        tally = cls(len(stored["wins"]))
        tally.rollouts = stored["rollouts"]
        tally.points = [Counter(dict(counts)) for counts in stored["points"]]
        tally.wins, tally.squares, tally.best = stored["wins"], stored["squares"], stored["best"]
        return tally


def _mean(count: int, whole: float, squares: float) -> tuple[float, float]:
    """The mean of so many values, and its standard error, from their sum and sum of squares."""
    mean = whole / count
    variance = max(0.0, squares / count - mean * mean)
    return mean, sqrt(variance / max(1, count - 1))


class Tallies(NamedTuple):
    """The two ways."""

    as_played: Tally
    instead: Tally

    def __add__(self, other: Any) -> Tallies:
        as_played, instead = (Tally(len(side.wins)) for side in self)
        for tallies in (self, other):
            as_played += tallies.as_played
            instead += tallies.instead
        return Tallies(as_played, instead)


class Trial:
    """A try of a match, as it was played and changed. Raises Fault as `Alternative` does."""

    cut_ms: int | None = None

    def __init__(
        self,
        lines: MatchLines,
        where: TryAt,
        change: Change,
        lags: Sequence[float | None] = (),
    ) -> None:
        self.names = lines.timeline.names
        self.seat = where.seat
        self.instead = Alternative(lines, where, change, lags)
        self._as_played = Alternative(lines, where, Change(), lags)
        ways = (self._as_played, self.instead)
        self._judged = [_Judged(lines, where.round, way.event) for way in ways]
        happened = lines.whole(Place(where.round, where.event))[where.event - 1]
        if type(self._as_played.outcome()) is not type(happened):
            raise Fault(f"event {where.event}: this try depends on what the record does not say")

    @property
    def outcome(self) -> Event | Refusal | None:
        """What would have become of the changed try."""
        return self.instead.outcome()

    def run(self, batch: Batch) -> Tallies:
        """Play a batch of rollouts of each way."""
        before, after = self._judged
        return Tallies(
            self._tally(self._as_played, before, batch), self._tally(self.instead, after, batch)
        )

    def _tally(self, way: Alternative, judge: _Judged, batch: Batch) -> Tally:
        tally = Tally(len(self.names))
        for number in range(batch.first, batch.first + batch.size):
            source = Random(f"ratuki {batch.seed}/{number}")
            table, events = way.rollout(source)
            tally.add(*judge.judge(table, events))
        return tally


class _Judged:
    """Judges where rollouts end, from what was known of the match where they begin."""

    def __init__(self, lines: MatchLines, number: int, event: int) -> None:
        self._position = Position(lines.timeline.header)
        for played in lines.timeline.rounds:
            if played.number <= number:
                events = played.events if played.number < number else played.events[:event]
                for line in (played.deal, *events):
                    self._position.read(line)

    def judge(
        self, table: Table, events: Sequence[Event]
    ) -> tuple[tuple[int, ...], Sequence[float]]:
        """The round's scores, and each seat's chance to win after it."""
        last = events[-1] if events else None
        end = last if isinstance(last, End) else scoring.end(table, table.t, "stalled")
        p = outcome(table.rules, end)
        if p is None:
            position = self._position.copy()
            for event in events:
                position.read(event)
            if end is not last:
                position.read(end)
            position.learn()
            p = chance(position)
        return end.scores, p


class Tried(Protocol):
    """What a summary needs to know of a trial."""

    @property
    def names(self) -> Sequence[str]: ...
    @property
    def seat(self) -> int: ...
    @property
    def cut_ms(self) -> int | None:
        """How long each rollout lasts; None: to the round's end."""

    @property
    def outcome(self) -> Event | Refusal | None: ...


def summary(trial: Tried, tallies: Tallies) -> Json:
    """What came of a trial: for each seat both ways, the difference, and whether it is clear.

    Where rollouts are cut, points are the score pile less draw and discard pile then.
    """
    seats = [_seat(tallies, seat) for seat in range(len(trial.names))]
    return {
        "rollouts": tallies.instead.rollouts,
        "seat": trial.seat,
        "outcome": _outcome(trial),
        "cut_ms": trial.cut_ms,
        "clear": seats[trial.seat]["clear"],
        "text": _verdict(trial.names[trial.seat], seats[trial.seat]),
        **_round(trial, tallies),
        "seats": seats,
    }


def _seat(tallies: Tallies, seat: int) -> SeatTrial:
    (was, was_error), (now, now_error) = (tally.win(seat) for tally in tallies)
    error = sqrt(was_error**2 + now_error**2)
    best, best_now = (_short(tally.best[seat] / tally.rollouts) for tally in tallies)
    points, points_now = (_spread(tally.points[seat]) for tally in tallies)
    return {
        "win": (_short(was), _short(now)),
        "difference": _short(now - was),
        "error": _short(error),
        "clear": abs(now - was) > CLEAR * error,
        "best": (best, best_now),
        "points": (points, points_now),
    }


def _spread(counts: Counter[int]) -> Spread:
    """The mean round score, and the range of the middle eight in ten."""
    whole = sorted(counts.elements())
    tenth = len(whole) // 10
    mean = sum(whole) / len(whole)
    return {"mean": round(mean, 1), "low": whole[tenth], "high": whole[-1 - tenth]}


def _short(value: float) -> float:
    return round(value, _DIGITS)


def _verdict(name: str, seat: SeatTrial) -> str:
    was, now = (round(100 * chance) for chance in seat["win"])
    both = f"{name}’s win probability would be {now}% instead of {was}%"
    wide = f"± {max(1, round(100 * CLEAR * seat['error']))}%"
    if seat["clear"]:
        return f"{both} ({wide})."
    return f"No clear difference: {both} ({wide})."


def _round(trial: Tried, tallies: Tallies) -> Json:
    """Who would most likely score most in the round, and whether that is clearly different."""
    names, when = trial.names, "in the round"
    if trial.cut_ms:
        when = f"after {trial.cut_ms // 1_000} s more"
    was, now = (max(range(len(names)), key=tally.best.__getitem__) for tally in tallies)
    before, after = ([best / tally.rollouts for best in tally.best] for tally in tallies)
    if was == now:
        share = f"{after[now]:.0%} of the rollouts, {before[now]:.0%} as played"
        text = f"{names[now]} would most likely still score most {when} ({share})."
        return {"round_clear": False, "round_text": text}
    count = min(tally.rollouts for tally in tallies)
    error = sqrt((before[was] * (1 - before[was]) + after[was] * (1 - after[was])) / count)
    clear = before[was] - after[was] > CLEAR * error
    both = f"{names[now]} instead of {names[was]} ({after[now]:.0%} to {after[was]:.0%})"
    doubt = "" if clear else ", but not clearly"
    return {
        "round_clear": clear,
        "round_text": f"{both} would most likely score most {when}{doubt}.",
    }


def _outcome(trial: Tried) -> str:
    """What would have become of the try, in words."""
    name, outcome = trial.names[trial.seat], trial.outcome
    if isinstance(outcome, Refusal):
        return f"Not possible: {outcome.message}."
    if isinstance(outcome, Play):
        taken = f" and would take {outcome.takes} cards" if outcome.takes else ""
        return f"{name}’s card would be played{taken}."
    if isinstance(outcome, Tie):
        others = [trial.names[OWNER[c]] for c in outcome.cards if OWNER[c] != trial.seat]
        return f"{name} would tie with {' and '.join(others)}."
    if isinstance(outcome, Late):
        return f"{name} would be too late."
    return f"{name} would not play then." if outcome is None else f"{name} would make a mistake."
