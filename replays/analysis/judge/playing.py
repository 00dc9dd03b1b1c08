"""One way to continue a position: the seats' first actions, and when bots take their places.

A player can't react to a change before seeing it. So in a `recorded` way, each seat repeats its
player's actions until its screen would have shown the difference. The player of the changed try
knows at once. An `unseen` way knows only what its seat could know: bots play the others from the
time a movement was decided, and hidden cards are dealt anew each time. The referee judges
everything, so it makes ties and late tries as at a table.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from random import Random
from typing import Final, NamedTuple

from games.bots.base import Bot
from games.bots.rollout import Players, first_thought, published
from games.bots.simulate import drive
from games.bots.skill import DEFAULT_LEVEL, skill_of
from games.bots.tempo import skill_at
from games.bots.view import PublicEvents
from games.engine import rules
from games.engine.actions import Action, Refusal, Try
from games.engine.cards import FACE, Card
from games.engine.events import Event, Late, Miss, Play, Tie
from games.engine.facts import Fault
from games.engine.referee import Judge
from games.engine.rules import Verdict
from games.engine.table import Table
from replays.analysis.judge.knowledge import Knowledge
from replays.analysis.open_takes import OpenTake
from replays.timeline import Round
from replays.variations.lines import MatchLines, Place
from replays.variations.requested import AskedAction, asked_in

MOST_MS: Final = 5_000
"""How much earlier or later a try may be."""
LONGEST_MS: Final = 300_000
"""Rollouts stop after so much play. Only house rules without a stall get there."""
CUT_MS: Final = 10_000
"""How long the rollouts of an unseen way last."""
USUAL_NETWORK_MS: Final = 45
_THINK: Final = 1 << 30  # sorts after everything asked for in the same ms
_LAST: Final = 7

_Step = tuple[int, int, int, Action | None]
"""Time, order, seat and action. None: a bot sits down."""
Seating = Callable[[Table, PublicEvents, int, Random], Bot]
"""Seats a bot in a seat's place."""


class Change(NamedTuple):
    """How a try is changed. By default, not at all."""

    ms: int = 0
    """So much later. Negative: earlier."""
    card: Card | None = None
    """Another card, on `slot`."""
    slot: int = 0
    skip: bool = False
    """It is not made."""


class TryAt(NamedTuple):
    """A try of a match: the number of its event in the round, counted from 1, and its seat."""

    round: int
    event: int
    seat: int


class Way:
    """A position after the first `known` events of a round, and how it goes on."""

    def __init__(
        self, table: Table, events: Sequence[Event], script: Sequence[_Step], until: int
    ) -> None:
        self.known = len(events)
        self._table, self._public = table, published(table, events)
        self.script = sorted(script, key=lambda step: step[:3])
        self._until = until

    def outcome(self, seat: int, t: int) -> Event | Refusal | None:
        """The result of the seat's try at t. None without one."""
        action = next((a for at, _, _, a in self.script if at == t and a and a.seat == seat), None)
        if not isinstance(action, Try):
            return None
        settled: list[Event] = []
        refused: list[Refusal] = []
        judge = Judge(
            self._table.copy(), lambda event, _actions: settled.append(event), refused.append
        )
        judge.settle(self._table.t)
        for at, _, _, asked in self.script:
            if asked is not None:
                judge.offer(at, asked)
        judge.settle(self.script[-1][0] + self._table.rules.tie_window_ms)
        mine = next((refusal for refusal in refused if refusal.action is action), None)
        return next((event for event in settled if _settles(event, t, action)), mine)

    def play(
        self, seating: Seating, randomness: Random, table: Table | None = None
    ) -> tuple[Table, list[Event]]:
        """One way the round may go on: the table at its end, and the events from here."""
        table, public = (table or self._table).copy(), self._public.copy()
        judge = Judge(table, public.settled, _forget)
        judge.settle(table.t)
        queue = list(self.script)
        heapify(queue)
        bots = _seat_all(judge, public, queue, seating, randomness)
        thoughts = [t << 3 | seat for t, _, seat, _ in queue]
        if thoughts and not table.ended:
            drive(judge, bots, thoughts, self._until << 3 | _LAST)
        if not table.ended:
            judge.settle(self._until + table.rules.tie_window_ms)
        return table, public.events[self.known :]


def _seat_all(
    judge: Judge, public: PublicEvents, queue: list[_Step], seating: Seating, randomness: Random
) -> dict[int, Bot]:
    """Play until a bot sits in every seat. Afterwards `queue` has each bot's next time to think."""
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
            bot = bots[seat] = seating(table, public, seat, randomness)
            heappush(queue, (first_thought(table, bot, t, randomness), _THINK, seat, None))
        if action is not None and not table.ended:
            judge.offer(t, action)
    return bots


def recorded(
    lines: MatchLines, at: TryAt, change: Change, lags: Sequence[float | None], players: Players
) -> tuple[Way, int]:
    """The way from shortly before a try, with the try changed, and when the try arrives.

    Raises Fault if there is no such try, or it cannot be changed so.
    """
    asked = try_at(lines, at)
    t, window = asked.t + change.ms, lines.timeline.header.rules.tie_window_ms
    if t < 0 or abs(change.ms) > MOST_MS:
        raise Fault(
            "ms: expected {expected} to {most}, found {found}",
            expected=-min(MOST_MS, asked.t),
            most=MOST_MS,
            found=change.ms,
        )
    whole, since = lines.whole(Place(at.round, 0)), min(asked.t, t)
    known = bisect_left(whole, since - window, key=lambda event: event.t)
    table = lines.table(Place(at.round, known))
    usual = [skill_at(tempo).lag + USUAL_NETWORK_MS for tempo in players.tempos]
    delays = [usual[seat] if lag is None else lag for seat, lag in enumerate(lags or usual)]
    until = [round(since + window + delay) for delay in delays]
    rest = [event for event in whole[known:] if event.t <= max(until)]
    requests = asked_in(lines.table(Place(at.round, known)), rest)
    script: list[_Step] = [
        (request.t, order, request.action.seat, request.action)
        for order, request in enumerate(requests)
        if request.t <= until[request.action.seat]
        and not (request.action.seat == at.seat and request.t >= since)
    ]
    place = next((order for order, other in enumerate(requests) if other == asked), len(requests))
    made = _changed(asked, change)
    if made is not None:
        script.append((t, place, at.seat, made))
    until[at.seat] = t if made is None else t + window
    script += [(until[seat], _THINK - 1, seat, None) for seat in range(table.seats)]
    return Way(table, whole[:known], script, t + LONGEST_MS), t


class Unseen:
    """Where a take was open to a movement, as its seat knew it."""

    def __init__(self, played: Round, take: OpenTake) -> None:
        self._take, self._knowledge = take, Knowledge(played, take.seat, take.known)

    def way(self, action: Action) -> Way:
        """The way in which the hand does this at the time of its movement."""
        take = self._take
        if isinstance(action, Try):
            action = action._replace(seen=take.known)
        table = self.dealt(Random(0))
        seen = table.rules.tie_window_ms + skill_of(DEFAULT_LEVEL).lag
        script: list[_Step] = [
            (take.since, _THINK - 1, seat, None) for seat in range(table.seats) if seat != take.seat
        ]
        script.append((take.t, 0, take.seat, action))
        back = take.t + seen if isinstance(action, Try) else take.t + 1
        script.append((back, _THINK - 1, take.seat, None))
        return Way(table, self._knowledge.events, script, take.since + CUT_MS)

    def dealt(self, randomness: Random) -> Table:
        return self._knowledge.dealt(randomness)


def try_at(lines: MatchLines, at: TryAt) -> AskedAction:
    """The try as it was made. Raises Fault if there is none."""
    lines.verify(Place(at.round, at.event))
    if not at.event:
        raise Fault("event: expected one from 1 on, found 0")
    before = Place(at.round, at.event - 1)
    event = lines.whole(before)[at.event - 1]
    for asked in asked_in(lines.table(before), [event]):
        if isinstance(asked.action, Try) and asked.action.seat == at.seat:
            return asked
    raise Fault(
        "event {event} of round {round} is no try of seat {seat}",
        event=at.event,
        round=at.round,
        seat=at.seat,
    )


def other_cards(lines: MatchLines, at: TryAt) -> list[tuple[Card, int]]:
    """What the seat could have played instead at that moment: cards and their slots. Of cards
    alike, one."""
    table = lines.table(Place(at.round, at.event - 1))
    made = try_at(lines, at).action
    assert isinstance(made, Try)
    found: dict[tuple[int, int], tuple[Card, int]] = {}
    for card in table.hands[at.seat]:
        for slot in range(table.seats):
            if (card, slot) == (made.card, made.stack):
                continue
            if rules.judge(table, Try(at.seat, card, slot), table.events) is Verdict.PLAY:
                found.setdefault((FACE[card], slot), (card, slot))
    return list(found.values())


def _settles(event: Event, t: int, action: Try) -> bool:
    if event.t > t:
        return False
    if isinstance(event, Tie):
        return action.card in event.cards and event.stack == action.stack
    if not isinstance(event, Play | Late | Miss):
        return False
    return (event.t, event.card, event.stack) == (t, action.card, action.stack)


def _changed(asked: AskedAction, change: Change) -> Try | None:
    action = asked.action
    assert isinstance(action, Try)
    if change.skip:
        return None
    if change.card is None:
        return action
    return Try(action.seat, change.card, change.slot, None, action.seen)


def _forget(refusal: Refusal) -> None:
    """Ignore it: a bot sees the outcome of its action."""
