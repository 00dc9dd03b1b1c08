"""One try made differently: earlier, later, with another card, or not at all.

Nobody can react to a change before seeing it. So until a seat's screen would have shown the
difference, the seat asks for what its player asked for; from then on a bot of that player's
tempo plays on. Whoever makes the try knows at once. The change is judged by the referee, among
everything else that was asked for at the time, so it makes ties and late tries as at a table.

Unchanged (`Change()`), it is the same try followed by the same bots: what a changed one is
compared with.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from random import Random
from typing import Final, NamedTuple

from games.bots.base import Bot
from games.bots.rollout import Start, first_thought, seat_one
from games.bots.simulate import drive
from games.bots.skill import Skill
from games.bots.tempo import skill_at
from games.bots.view import PublicEvents
from games.engine.actions import Action, Refusal, Try
from games.engine.cards import Card
from games.engine.events import Event, Late, Miss, Play, Tie
from games.engine.facts import Fault
from games.engine.referee import Judge
from games.engine.rules import Verdict, judge
from games.engine.table import Table
from replays.variations.asked_actions import AskedAction, asked_in
from replays.variations.lines import MatchLines, Place

MOST_MS: Final = 5_000
"""How much earlier or later a try may be."""
LONGEST_MS: Final = 300_000
"""Rollouts stop after so much play; only house rules without a stall get there."""
USUAL_NETWORK_MS: Final = 45
_THINK: Final = 1 << 30  # sorts after everything asked for in the same ms
_LAST: Final = 7


class Change(NamedTuple):
    """How a try is changed; by default not at all."""

    ms: int = 0
    """So much later; negative: earlier."""
    card: Card | None = None
    """Another card, on `stack`."""
    stack: int = 0
    skipped: bool = False
    """It is not made."""


class TryAt(NamedTuple):
    """A try of a match: the number of its event in the round, counted from 1, and its seat."""

    round: int
    event: int
    seat: int


class Alternative:
    """A round from shortly before a try, with the try changed.

    Raises Fault if there is no such try, or it cannot be changed so.
    """

    def __init__(
        self, lines: MatchLines, where: TryAt, change: Change, lags: Sequence[float | None] = ()
    ) -> None:
        asked = try_at(lines, where)
        whole = lines.whole(Place(where.round, 0))
        self.t = asked.t + change.ms
        """When the try arrives, in ms of the round."""
        self.since = min(asked.t, self.t)
        """When the difference begins."""
        if self.t < 0 or abs(change.ms) > MOST_MS:
            raise Fault(f"ms: expected {-min(MOST_MS, asked.t)} to {MOST_MS}, found {change.ms}")
        self.seat = where.seat
        self._window = lines.timeline.header.rules.tie_window_ms
        self.event = bisect_left(whole, self.since - self._window, key=lambda event: event.t)
        """How many events of the round come before."""
        place = Place(where.round, self.event)
        self._table = lines.table(place)
        self.start = Start(self._table, whole[: self.event])
        tempos = lines.tempos(Place(where.round, where.event - 1))
        self.skills = tuple(map(skill_at, tempos))
        self._action = _changed(asked, change)
        self._until = [
            self._shown(skill, lags[seat] if seat < len(lags) else None)
            for seat, skill in enumerate(self.skills)
        ]
        rest = [event for event in whole[self.event :] if event.t <= max(self._until)]
        self._script = self._scripted(asked_in(lines.table(place), rest), asked)

    def _shown(self, skill: Skill, lag: float | None) -> int:
        """When a seat's screen would show the difference."""
        late = skill.lag + USUAL_NETWORK_MS if lag is None else lag
        return round(self.since + self._window + late)

    def _scripted(
        self, asked: Sequence[AskedAction], target: AskedAction
    ) -> list[tuple[int, int, int, Action | None]]:
        """What is asked for before the bots take over, and (None) when each does."""
        script: list[tuple[int, int, int, Action | None]] = []
        for order, (t, action, _, _) in enumerate(asked):
            mine = action.seat == self.seat
            if t <= self._until[action.seat] and not (mine and t >= self.since):
                script.append((t, order, action.seat, action))
        place = next((order for order, other in enumerate(asked) if other == target), len(asked))
        known = self.t
        if self._action is not None:
            script.append((self.t, place, self.seat, self._action))
            known += self._window
        for seat, until in enumerate(self._until):
            script.append((known if seat == self.seat else until, _THINK - 1, seat, None))
        return sorted(script, key=lambda entry: entry[:3])

    def outcome(self) -> Event | Refusal | None:
        """What becomes of the try itself; None if it is not made."""
        settled: list[Event] = []
        refused: list[Refusal] = []
        judge = Judge(
            self._table.copy(), lambda event, _actions: settled.append(event), refused.append
        )
        judge.settle(self._table.t)
        for t, _, _, action in self._script:
            if action is not None:
                judge.offer(t, action)
        judge.settle(max(self.t, *self._until) + self._window)
        if self._action is None:
            return None
        mine = [refusal for refusal in refused if refusal.action is self._action]
        return next((event for event in settled if self._is_mine(event)), mine[0] if mine else None)

    def _is_mine(self, event: Event) -> bool:
        action = self._action
        if action is None or event.t > self.t:
            return False
        if isinstance(event, Tie):
            return action.card in event.cards and event.stack == action.stack
        if not isinstance(event, Play | Late | Miss):
            return False
        return (event.t, event.card, event.stack) == (self.t, action.card, action.stack)

    def rollout(self, randomness: Random) -> tuple[Table, list[Event]]:
        """One way the round may go on: the table at its end, and the events from here."""
        table, public = self._table.copy(), self.start.public.copy()
        known = len(public.events)
        judge = Judge(table, public.settled, _forget)
        judge.settle(table.t)
        queue = self._script[:]
        heapify(queue)
        bots = self._until_bots(judge, public, queue, randomness)
        until = self.t + LONGEST_MS
        thoughts = [entry[0] << 3 | entry[2] for entry in queue]
        if thoughts and not table.ended:
            drive(judge, bots, thoughts, until << 3 | _LAST)
        if not table.ended:
            judge.settle(until + self._window)
        return table, public.events[known:]

    def _until_bots(
        self,
        judge: Judge,
        public: PublicEvents,
        queue: list[tuple[int, int, int, Action | None]],
        randomness: Random,
    ) -> dict[int, Bot]:
        """Play until a bot sits in every seat; `queue` then holds when each thinks next."""
        table = judge.table
        bots: dict[int, Bot] = {}
        while len(bots) < table.seats and not table.ended:
            t, order, seat, action = heappop(queue)
            if t >= judge.next:
                judge.settle(t)
            if order == _THINK:
                action, again = bots[seat].think(t)
                heappush(queue, (again, _THINK, seat, None))
            elif action is None:
                bot = bots[seat] = seat_one(table, public, seat, self.skills[seat], randomness)
                first = first_thought(table, bot, t, randomness)
                heappush(queue, (first, _THINK, seat, None))
            if action is not None and not table.ended:
                judge.offer(t, action)
        return bots


def try_at(lines: MatchLines, where: TryAt) -> AskedAction:
    """The try as it was made. Raises Fault if there is none."""
    lines.verify(Place(where.round, where.event))
    if not where.event:
        raise Fault("event: expected one from 1 on, found 0")
    before = Place(where.round, where.event - 1)
    event = lines.whole(before)[where.event - 1]
    for asked in asked_in(lines.table(before), [event]):
        if isinstance(asked.action, Try) and asked.action.seat == where.seat:
            return asked
    raise Fault(f"event {where.event} of round {where.round} is no try of seat {where.seat}")


def other_cards(lines: MatchLines, where: TryAt) -> list[tuple[Card, int]]:
    """What the seat could have played instead at that moment: cards and their slots."""
    table = lines.table(Place(where.round, where.event - 1))
    made = try_at(lines, where).action
    assert isinstance(made, Try)
    return [
        (card, slot)
        for card in table.hands[where.seat]
        for slot in range(table.seats)
        if (card, slot) != (made.card, made.stack)
        and judge(table, Try(where.seat, card, slot), table.events) is Verdict.PLAY
    ]


def _changed(asked: AskedAction, change: Change) -> Try | None:
    action = asked.action
    assert isinstance(action, Try)
    if change.skipped:
        return None
    if change.card is None:
        return action
    return Try(action.seat, change.card, change.stack, None, action.seen)


def _forget(refusal: Refusal) -> None:
    """Ignore it: a bot sees the outcome of its action."""
