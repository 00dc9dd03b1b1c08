"""The Referee: turns a time-ordered stream of actions from all seats into facts.

How it judges:
- It has no clock. Every action comes with its t, which never decreases. `settle(now)` means that no
  action with a t before `now` can still arrive.
- Actions wait in one queue, in order of t, and are settled from its head, so a fact is logged only
  when nothing earlier is undecided. A try that could be played waits until its tie window is over.
  Everything else at the head is settled at once.
- When a window closes, other seats' waiting tries on that slot are tied with it, if they began
  inside it and could have been played on the same top as the first one.
- Only then does the round end: actions queued behind the end are refused.
- A seat has at most one undecided movement. Its other requests meanwhile are refused: its hand
  cannot be free before that window is over. (It could be, if that movement is refused in the end.
  But no one reacts that fast, and the seat can simply ask again.)
- A round lasts at most a day (`MAX_T`) and has at most `FULL_ROUND` events. After that it can only
  be abandoned.
- `seen` is never believed beyond the settled events, nor below the seat's last try.

Times are ms of the round. Only `apply` changes the table.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from games.engine import fitting, rules, scoring
from games.engine.actions import Abandon, Action, DiscardOne, DrawOne, Refusal, Shout, Try
from games.engine.cards import FACE, WILD
from games.engine.events import (
    FULL_ROUND,
    MAX_T,
    Discard,
    Draw,
    End,
    Event,
    Late,
    Miss,
    Out,
    Play,
    Tie,
)
from games.engine.message import Message
from games.engine.rules import Reason, Verdict
from games.engine.table import Table, apply


class Settled(NamedTuple):
    """A fact and the actions it answers: none for facts that the rules bring about."""

    event: Event
    actions: tuple[Action, ...] = ()


Outcome = Settled | Refusal


_Waiting = tuple[int, Action, int, Draw | Discard | None]
"""An arrived action: its t, how much its player had seen and, if already clear, the event it
will become.
"""
NEVER: Final = 1 << 62
_new: Final = tuple.__new__  # a named tuple from a whole tuple, at half the cost
_PLAY: Final = Verdict.PLAY
_OVER: Final = Reason("round-over", Message("the round is over"))
_TOO_LONG: Final = Reason(
    "round-too-long", Message("the round is as long as a round may be: abandon it")
)
_UNDECIDED: Final = Message("one hand: the seat's last movement is not decided yet")
_SHOUTED: Final = Reason(
    "shouted", Message("the seat has said OUT: no movement until that is decided")
)


class Judge:
    """Judges one round on a dealt `table`, which others may read meanwhile.

    Calls `settled` with each fact and the actions it answers, and `refused` with each refusal,
    in order.
    """

    def __init__(
        self,
        table: Table,
        settled: Callable[[Event, tuple[Action, ...]], object],
        refused: Callable[[Refusal], object],
    ) -> None:
        self.table = table
        self._settled, self._refused = settled, refused
        self._queue: list[_Waiting] = []
        self._window = table.rules.tie_window_ms
        self._stall = table.rules.stall_ms or NEVER
        self._now = table.t
        self._stalls_at = self._stall_at()
        self._head_fits = False  # whether the first try is known to be a play, ties aside
        self.next = table.t if rules.demanded(table) else self._due()
        """Before this t nothing is settled by itself. NEVER, or anything once it has ended."""

    @property
    def due(self) -> int | None:
        """When something will be settled if no action comes first. None: never by itself."""
        return None if self.table.ended or self.next == NEVER else self.next

    def _due(self) -> int:
        queue, stall = self._queue, self._stalls_at
        return queue[0][0] + self._window if queue and queue[0][0] < stall else stall

    def _stall_at(self) -> int:
        """The t of a stalled end. NEVER if none can be logged."""
        stall = self.table.last_play + self._stall
        return stall if stall <= MAX_T else NEVER

    @property
    def waiting(self) -> tuple[Action, ...]:
        """The undecided actions, in order."""
        return tuple(action for _, action, _, _ in self._queue)

    def offer(self, t: int, action: Action) -> None:
        """Take an action that arrives at t, after settling what was due by then.

        Raises ValueError if t is lower than before.
        """
        if t >= self._now and t < self.next:  # nothing is due: the usual case
            self._now = t
        else:
            self.settle(t)
        became = self._arrive(t, action)
        if type(became) is Reason:
            self._refused(Refusal(action, *became))
        elif became and not self._queue:
            self._log(became, (action,))
        else:
            self._queue.append((t, action, self._believed_seen(action), became))
            if len(self._queue) == 1:
                self._settle_first(t)
                self.next = self._due()

    def settle(self, now: int) -> None:
        """Settle what is due, given that no action before `now` can still arrive."""
        if now < self._now:
            raise ValueError(f"time must not fall: {self._now} was reached, found {now}")
        self._now = now
        if now < self.next:
            return
        table, queue = self.table, self._queue
        if not (queue or table.ended):  # due since the table was passed in
            self._enforce()
        while not table.ended and self._settle_first(now):
            pass
        while queue and table.ended:
            self._refuse(queue[0], _OVER)
        self.next = self._due()

    # Arriving

    def _arrive(self, t: int, action: Action) -> Reason | Draw | Discard | None:
        """Why an action is refused on arrival, if what it lacks can no longer come.

        Otherwise the event it becomes, if that is already clear.
        """
        table, seat, kind = self.table, action[0], type(action)
        if (
            table.ended
            or t > MAX_T
            or table.events >= FULL_ROUND
            or self._queue
            or seat < 0
            or seat >= table.seats
            or t < table.free[seat]
        ):
            reason = self._untimely(t, action)
            if reason:
                return reason
        if kind is DrawOne:
            reason = rules.no_draw(table, seat)
            return reason or _new(Draw, (t, seat, table.draw_piles[seat][-1]))
        if type(action) is DiscardOne:
            card = action[1]
            return rules.no_discard(table, seat, card) or _new(Discard, (t, seat, card))
        if type(action) is Try:
            return rules.no_such_try(table, action)
        if kind is Shout and not self._undecided(seat):
            return rules.no_shout(table, seat)
        return None  # an undecided movement may still empty the piles

    def _untimely(self, t: int, action: Action) -> Reason | None:
        """Why the seat may do nothing, or not move its hand, now."""
        table, seat, kind = self.table, action.seat, type(action)
        if table.ended:
            return _OVER
        if kind is Abandon:
            return None
        if t > MAX_T or table.events >= FULL_ROUND:
            return _TOO_LONG
        if not 0 <= seat < table.seats:
            return Reason(
                "no-such-seat",
                Message(
                    "seat must be 0 to {last}, found {found}", last=table.seats - 1, found=seat
                ),
            )
        before = self._undecided(seat)
        if before and type(before[1]) is Shout:
            return _SHOUTED
        if kind is Shout:
            return None
        if before:
            return Reason("one-hand", _UNDECIDED, before[0] + table.hand_ms[seat] - t)
        return rules.no_movement(table, seat, t)

    def _undecided(self, seat: int) -> _Waiting | None:
        """The last waiting action of a seat: its movement, or its OUT."""
        own = (waiting for waiting in reversed(self._queue) if waiting[1].seat == seat)
        return next(own, None)

    def _believed_seen(self, action: Action) -> int:
        """How far a try's `seen` is believed."""
        table = self.table
        seen = action.seen if type(action) is Try else None
        if seen is None or seen > table.events:
            return table.events
        return max(seen, table.seen[action[0]])

    # Settling

    def _settle_first(self, now: int) -> bool:
        """Settle the first action. False if it is not due yet."""
        queue = self._queue
        if not queue or queue[0][0] >= self._stalls_at:
            if now < self._stalls_at:
                return False
            self._log(scoring.end(self.table, self._stalls_at, "stalled"), ())
            return True
        t, action, _, fact = head = queue[0]
        if type(action) is Try:
            return self._settle_try(head, action, now)
        del queue[0]
        if fact:
            self._log(fact, (action,))
        elif type(action) is Abandon:
            self._log(scoring.end(self.table, min(t, MAX_T), scoring.ABANDONED), (action,))
        else:
            self._settle_shout(t, action)
        return True

    def _settle_shout(self, t: int, action: Action) -> None:
        reason = rules.no_shout(self.table, action.seat)
        if reason:
            self._refused(Refusal(action, *reason))
        else:
            self._log(Out(t, action.seat), (action,))
            self._enforce()

    def _settle_try(self, head: _Waiting, action: Try, now: int) -> bool:
        t, _, seen, _ = head
        verdict = _PLAY if self._head_fits else rules.weigh(self.table, action, seen)
        if verdict is _PLAY:
            self._head_fits = now < t + self._window
            if self._head_fits:
                return False
            self._settle_window(head, action)
        elif isinstance(verdict, Reason):
            self._refuse(head, verdict)
        else:
            del self._queue[0]
            kind = Late if verdict is Verdict.LATE else Miss
            seat, card, slot, number, _ = action
            self._log(kind(t, seat, card, slot, number, seen), (action,))
        return True

    def _settle_window(self, head: _Waiting, action: Try) -> None:
        """Settle a fitting try whose window is over, as a tie if others fall within it."""
        others = self._tied_with(head, action.stack) if len(self._queue) > 1 else ()
        if not others:
            del self._queue[0]
            self._log(self._play(head, action), (action,))
            self._stalls_at = self._stall_at()
            self._enforce()
        elif not self._refuse_contested([head, *others]):
            self._settle_tie([head, *others], action.stack)

    def _settle_tie(self, tied: list[_Waiting], slot: int) -> None:
        for waiting in tied:
            self._queue.remove(waiting)
        tries = tuple(action for _, action, _, _ in tied)
        began = tied[0][0]
        event = Tie(
            began,
            slot,
            tuple(action.card for action in tries if isinstance(action, Try)),
            tuple(t - began for t, _, _, _ in tied),
            tuple(seen for _, _, seen, _ in tied),
        )
        self._log(event, tries)

    def _refuse_contested(self, tied: list[_Waiting]) -> bool:
        """Refuse the wilds that may not be part of a tie. Returns whether there were any."""
        refused = False
        for waiting in tied:
            t, action, _, _ = waiting
            if isinstance(action, Try):
                reason = rules.no_tie(self.table, action, t)
                if reason:
                    self._refuse(waiting, reason)
                    refused = True
        return refused

    def _tied_with(self, head: _Waiting, slot: int) -> list[_Waiting]:
        return [
            waiting
            for waiting in self._queue[1:]
            if waiting[0] < head[0] + self._window
            and isinstance(waiting[1], Try)
            and waiting[1].stack == slot
            and rules.weigh(self.table, waiting[1], waiting[2]) is _PLAY
        ]

    def _play(self, head: _Waiting, action: Try) -> Play:
        t, _, seen, _ = head
        seat, card, slot, number, _ = action
        table, face, taken = self.table, FACE[card], None
        if fitting.takes(table.tops[slot], face, number):
            taken = len(table.stacks[slot]) + 1
        elif face == WILD and number is None:
            number = fitting.uses(table.rules, table.tops[slot], face)[0]
        return _new(Play, (t, seat, card, slot, number, taken, seen))

    def _log(self, event: Event, actions: tuple[Action, ...]) -> None:
        apply(self.table, event)
        settled = self._settled
        settled(event, actions)

    def _enforce(self) -> None:
        """Log what the rules require by themselves: OUT on an emptied hand, or the end."""
        table = self.table
        wanted = rules.demanded(table)
        if wanted == "out" and isinstance(table.last, Play):
            self._log(Out(table.t, table.last.seat), ())
            wanted = rules.demanded(table)
        if wanted:
            self._log(scoring.end(table, table.t, wanted.removeprefix("end ")), ())

    def _refuse(self, waiting: _Waiting, reason: Reason) -> None:
        self._queue.remove(waiting)
        self._refused(Refusal(waiting[1], *reason))


class Referee:
    """A judge to call: each call returns what was settled and refused during it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._outcomes: list[Outcome] = []
        self._judge = Judge(table, self._settled, self._outcomes.append)

    def _settled(self, event: Event, actions: tuple[Action, ...]) -> None:
        self._outcomes.append(Settled(event, actions))

    @property
    def due(self) -> int | None:
        return self._judge.due

    @property
    def waiting(self) -> tuple[Action, ...]:
        return self._judge.waiting

    def offer(self, t: int, action: Action) -> list[Outcome]:
        """Take an action that arrives at t. Returns the outcomes by then, and its own, in order.

        Raises ValueError if t is lower than before.
        """
        self._judge.offer(t, action)
        return self._answer()

    def settle(self, now: int) -> list[Outcome]:
        """What is decided given that no action before `now` can still arrive."""
        self._judge.settle(now)
        return self._answer()

    def _answer(self) -> list[Outcome]:
        outcomes = self._outcomes[:]
        self._outcomes.clear()
        return outcomes


def ended(outcomes: list[Outcome]) -> End | None:
    for outcome in outcomes[::-1]:  # mypyc has no type for `reversed`: a refusal may be of any type
        if isinstance(outcome, Settled) and isinstance(outcome.event, End):
            return outcome.event
    return None
