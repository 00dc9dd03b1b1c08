"""The Referee: turns a time-ordered stream of actions of any number of seats into facts.

How it judges:
- It has no clock. Every action comes with its t, which never falls; `settle(now)` says
  that no action with a t before `now` will come any more.
- Actions wait in one queue, in the order of t, and are settled from its head, so a fact
  is logged only when nothing earlier is open. A try that could be played waits until its
  tie window has run out; everything else at the head is settled at once.
- When a window closes, every waiting try of another seat on that slot that began inside
  it, and could have been played on what the first one found, is tied with it.
- Only then does the round end: what lies in the queue behind the end is refused.
- A seat has at most one undecided movement. What it asks for meanwhile is refused: its
  hand could not be free before that window is over. (It could if that movement is itself
  refused in the end; nobody's second thought is that fast, and the seat just asks again.)
- A round lasts a day at most (`MAX_T`); after that it can only be abandoned.
- `seen` is never believed beyond what has been settled, nor below what that seat's last
  try has said.

Time in ms of the round. The table is changed only by `apply`.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from games.engine import fitting, rules, scoring
from games.engine.actions import Abandon, Action, DiscardOne, DrawOne, Refusal, Shout, Try
from games.engine.cards import FACE, WILD
from games.engine.events import Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.rules import Reason, Verdict
from games.engine.table import Table, apply

MAX_T: Final = 86_400_000
"""The latest t of an event, in ms."""


class Settled(NamedTuple):
    """A fact, and the actions that it answers: none for what the law brings about."""

    event: Event
    actions: tuple[Action, ...] = ()


Outcome = Settled | Refusal


class _Waiting(NamedTuple):
    t: int
    action: Action
    seen: int


NEVER: Final = 1 << 62
_new: Final = tuple.__new__  # a named tuple of a whole tuple, at half its price
_PLAY: Final = Verdict.PLAY
_OVER: Final = Reason("round-over", "the round is over")
_TOO_LONG: Final = Reason("round-too-long", "a round lasts a day at most: only abandoning is left")
_UNDECIDED: Final = "one hand: the seat's last movement is not decided yet"
_SHOUTED: Final = Reason("shouted", "the seat has shouted OUT: no movement until that is settled")


class Referee:
    """Judges one round on a table that has been dealt; `table` is read by anyone meanwhile."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._queue: deque[_Waiting] = deque()
        self._moving: dict[int, int] = {}  # the t of each seat's undecided movement
        self._shouting: set[int] = set()
        self._window = table.rules.tie_window_ms
        self._stall = table.rules.stall_ms or NEVER
        self._now = table.t
        self._stalls_at = self._stall_at()
        self._head_fits = False  # whether the first try is known to be a play, but for ties
        self.next = table.t if rules.demanded(table) else self._due()
        """Before this t nothing is settled by itself; NEVER, or anything once it has ended."""

    @property
    def due(self) -> int | None:
        """When something will be settled if no action comes before; None: never by itself."""
        return None if self.table.ended or self.next == NEVER else self.next

    def _due(self) -> int:
        queue, stall = self._queue, self._stalls_at
        return queue[0].t + self._window if queue and queue[0].t < stall else stall

    def _stall_at(self) -> int:
        """The t of a stalled end; NEVER if none can be logged."""
        stall = self.table.last_play + self._stall
        return stall if stall <= MAX_T else NEVER

    @property
    def waiting(self) -> tuple[Action, ...]:
        """The actions that are not decided yet, in their order."""
        return tuple(waiting.action for waiting in self._queue)

    def offer(self, t: int, action: Action) -> list[Outcome]:
        """Take an action that arrives at t; what is settled by then, and by it, in order.

        Raises ValueError if t falls.
        """
        outcomes: list[Outcome] = []
        if self._now <= t < self.next:  # nothing is due, as mostly
            self._now = t
        else:
            outcomes = self.settle(t)
        reason = self._unfit(t, action)
        if reason:
            outcomes.append(Refusal(action, *reason))
        elif self._queue:
            self._enter(t, action)
        elif type(action) is Try:
            self._settle_try(self._enter(t, action), action, t, outcomes)
            self.next = self._due()
        else:
            self._do(t, action, outcomes)
        return outcomes

    def settle(self, now: int) -> list[Outcome]:
        """What is decided once no action before `now` can come any more."""
        if now < self._now:
            raise ValueError(f"time must not fall: {self._now} was reached, found {now}")
        self._now = now
        outcomes: list[Outcome] = []
        if now >= self.next:
            if not self._queue:  # then it may be due since the table was given
                self._bring_about(outcomes)
            self._settle(now, outcomes)
            self.next = self._due()
        return outcomes

    # Arriving

    def _unfit(self, t: int, action: Action) -> Reason | None:
        """Why an action is refused on arrival: what it lacks cannot come any more."""
        table, seat, kind = self.table, action.seat, type(action)
        if table.ended:
            return _OVER
        if kind is Abandon:
            return None
        if t > MAX_T:
            return _TOO_LONG
        if seat < 0 or seat >= table.seats:
            return Reason("no-such-seat", f"seat must be 0 to {table.seats - 1}, found {seat}")
        if self._queue:
            undecided = self._undecided(t, action)
            if undecided:
                return undecided
        if kind is Shout:  # a movement that is not decided yet may still empty the piles
            return None if seat in self._moving else rules.no_shout(table, seat)
        if t < table.free[seat]:
            return rules.no_movement(table, seat, t)
        return rules.no_draw(table, seat) if kind is DrawOne else self._unfounded(action)

    def _undecided(self, t: int, action: Action) -> Reason | None:
        """Why something of the same seat that waits rules the action out."""
        seat = action.seat
        if seat in self._shouting:
            return _SHOUTED
        if seat not in self._moving or type(action) is Shout:
            return None
        return Reason("one-hand", _UNDECIDED, self._moving[seat] + self.table.hand_ms[seat] - t)

    def _unfounded(self, action: Action) -> Reason | None:
        if type(action) is DiscardOne:
            return rules.no_discard(self.table, action.seat, action.card)
        return rules.no_such_try(self.table, action) if type(action) is Try else None

    def _enter(self, t: int, action: Action) -> _Waiting:
        seat, seen = action.seat, self.table.events
        if type(action) is Shout:
            self._shouting.add(seat)
        elif type(action) is not Abandon:
            self._moving[seat] = t
            if type(action) is Try and action.seen is not None:
                seen = min(seen, max(action.seen, self.table.seen[seat]))
        waiting = _new(_Waiting, (min(t, MAX_T), action, seen))
        self._queue.append(waiting)
        return waiting

    # Settling

    def _settle(self, now: int, outcomes: list[Outcome]) -> None:
        table, queue = self.table, self._queue
        while not table.ended:
            if queue and queue[0].t < self._stalls_at:
                if not self._settle_head(now, outcomes):
                    return
            elif now < self._stalls_at:
                return
            else:
                self._log(scoring.end(table, self._stalls_at, "stalled"), (), outcomes)
        while queue:
            self._refuse(queue[0], _OVER, outcomes)

    def _settle_head(self, now: int, outcomes: list[Outcome]) -> bool:
        """Settle the first action of the queue, unless it has to wait: then False."""
        head = self._queue[0]
        t, action, _ = head
        if type(action) is Try:
            return self._settle_try(head, action, now, outcomes)
        self._leave(head)
        self._do(t, action, outcomes)
        return True

    def _do(self, t: int, action: Action, outcomes: list[Outcome]) -> None:
        """Settle an action that needs no window and that nothing is before."""
        table = self.table
        event: Event
        if type(action) is DrawOne:
            (seat,) = action
            event = _new(Draw, (t, seat, table.draw_piles[seat][-1]))
        elif type(action) is DiscardOne:
            seat, card = action
            event = _new(Discard, (t, seat, card))
        elif type(action) is Abandon:
            event = scoring.end(table, min(t, MAX_T), scoring.ABANDONED)
        else:
            reason = rules.no_shout(table, action.seat)
            if reason:
                outcomes.append(Refusal(action, *reason))
                return
            event = Out(t, action.seat)
        self._log(event, (action,), outcomes)

    def _settle_try(self, head: _Waiting, action: Try, now: int, outcomes: list[Outcome]) -> bool:
        t, _, seen = head
        verdict = _PLAY if self._head_fits else rules.weigh(self.table, action, seen)
        if verdict is _PLAY:
            self._head_fits = now < t + self._window
            if self._head_fits:
                return False
            self._settle_window(head, action, outcomes)
        elif isinstance(verdict, Reason):
            self._refuse(head, verdict, outcomes)
        else:
            self._leave(head)
            kind = Late if verdict is Verdict.LATE else Miss
            seat, card, slot, number, _ = action
            self._log(kind(t, seat, card, slot, number, seen), (action,), outcomes)
        return True

    def _settle_window(self, head: _Waiting, action: Try, outcomes: list[Outcome]) -> None:
        others = self._tied_with(head, action.stack) if len(self._queue) > 1 else []
        if not others:
            self._leave(head)
            self._log(self._play(head, action), (action,), outcomes)
            return
        tied = [head, *others]
        if self._refuse_contested(tied, outcomes):
            return  # and look again at what is left
        for waiting in tied:
            self._leave(waiting)
        tries = tuple(waiting.action for waiting in tied)
        event = Tie(
            head.t,
            action.stack,
            tuple(one.card for one in tries if isinstance(one, Try)),
            tuple(waiting.t - head.t for waiting in tied),
            tuple(waiting.seen for waiting in tied),
        )
        self._log(event, tries, outcomes)

    def _refuse_contested(self, tied: list[_Waiting], outcomes: list[Outcome]) -> bool:
        """Refuse the wilds that may not stand in a tie; whether there were any."""
        found = False
        for waiting in tied:
            if isinstance(waiting.action, Try):
                reason = rules.no_tie(self.table, waiting.action, waiting.t)
                if reason:
                    self._refuse(waiting, reason, outcomes)
                    found = True
        return found

    def _tied_with(self, head: _Waiting, slot: int) -> list[_Waiting]:
        return [
            waiting
            for waiting in list(self._queue)[1:]
            if waiting.t < head.t + self._window
            and isinstance(waiting.action, Try)
            and waiting.action.stack == slot
            and rules.weigh(self.table, waiting.action, waiting.seen) is Verdict.PLAY
        ]

    def _play(self, head: _Waiting, action: Try) -> Play:
        t, _, seen = head
        seat, card, slot, number, _ = action
        top, face = self.table.tops[slot], FACE[card]
        if fitting.takes(top, face, number):
            return _new(Play, (t, seat, card, slot, None, len(self.table.stacks[slot]) + 1, seen))
        if face == WILD and number is None:
            number = fitting.uses(self.table.rules, top, face)[0]
        return _new(Play, (t, seat, card, slot, number, None, seen))

    def _log(self, event: Event, actions: tuple[Action, ...], outcomes: list[Outcome]) -> None:
        apply(self.table, event)
        outcomes.append(_new(Settled, (event, actions)))
        if type(event) is Play:
            self._stalls_at = self._stall_at()
            self._bring_about(outcomes)
        elif type(event) is Out:
            self._bring_about(outcomes)

    def _bring_about(self, outcomes: list[Outcome]) -> None:
        """What the law demands of itself: an emptied hand is OUT, and OUT or blocked ends."""
        table = self.table
        if table.ended:
            return
        wanted = rules.demanded(table)
        if wanted == "out" and isinstance(table.last, Play):
            self._log(Out(table.t, table.last.seat), (), outcomes)
        elif wanted:
            self._log(scoring.end(table, table.t, wanted.removeprefix("end ")), (), outcomes)

    def _refuse(self, waiting: _Waiting, reason: Reason, outcomes: list[Outcome]) -> None:
        self._leave(waiting)
        outcomes.append(Refusal(waiting.action, *reason))

    def _leave(self, waiting: _Waiting) -> None:
        self._queue.remove(waiting)
        action = waiting.action
        if type(action) is Shout:
            self._shouting.discard(action.seat)
        elif type(action) is not Abandon:
            del self._moving[action.seat]


def ended(outcomes: list[Outcome]) -> End | None:
    """The round's end among the outcomes, if it is there."""
    for outcome in reversed(outcomes):
        if isinstance(outcome, Settled) and isinstance(outcome.event, End):
            return outcome.event
    return None
