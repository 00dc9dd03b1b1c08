"""One round being played: the referee driven by the host's clock.

In this file, in this order: the arrivals and how far their `seen` is believed, the decisions by a
given time, and the effects once those have been committed and published.

- An action is stamped when it arrives and judged later: during a commit, arrivals wait in
  line, in the order of their stamps.
- `seen` is believed only between the seat's earlier claims, or lines it has certainly been shown
  (`ActionRequest.floor`), and the published lines. This is tracked per seat, not per
  connection, so a second, silent connection gains nothing.
- A bot thinks only when everything decided has been published, and its actions are handled
  like everyone's.

Times named `now` and `at` are on the host's clock. `t` is ms in the round.
"""

from collections.abc import Iterable
from typing import NamedTuple

from games.engine import scoring
from games.engine.actions import Abandon, Action, Refusal, Try
from games.engine.events import Deal, End, Event
from games.engine.referee import Outcome, Referee
from games.engine.table import Table, apply
from games.live.host.bot_seats import BotSeats
from games.live.host.requests import ActionKey, ActionRequest, LogEntry, Refused, Ruling, Step
from games.records.log import Result


class Arrived(NamedTuple):
    """An action with its stamp. Without a `key` it is a bot's, or all players'."""

    t: int
    action: Action
    key: ActionKey | None = None


class LiveRound:
    """A dealt round. `seq` is the deal's, `began` the time at which the round's clock was 0."""

    def __init__(self, table: Table, deal: Deal, bots: BotSeats, *, seq: int, began: int) -> None:
        self.table = table
        self.deal = deal
        self.seq = seq
        self.began = began
        self.bots = bots
        self.shown = 0
        """How many of its events are committed and published."""
        self._referee = Referee(table)
        self._line: list[Arrived] = []
        self._said: list[int] = [0] * table.seats
        self._open: list[Arrived] = []
        self._t = table.t

    def resume(self, events: Iterable[Event], now: int) -> None:
        """Continue after these events of the log. The clock starts just after the last one.

        A tie window open at the last event counts as over: a player who tried within it has not
        been answered, and a committed fact never becomes a tie later.
        """
        past = list(events)
        for event in past:
            apply(self.table, event)
        self.shown = self.table.events
        self.bots.shown(past, self.table.t)
        self._referee = Referee(self.table)
        self._t = self.table.t + self.table.rules.tie_window_ms
        self.began = now - self._t
        self._said = list(self.table.seen)

    def stop(self, now: int) -> None:
        """Stop the clock at the last thing decided or stamped."""
        self._t = max([self._t, *(arrived.t for arrived in self._line)])
        self.wake(now)

    def wake(self, now: int) -> None:
        self.began = now - self._t

    def t(self, now: int) -> int:
        """The round's clock. It never decreases."""
        return max(now - self.began, self._t)

    def clock(self, paused: bool, now: int) -> int:
        """The round's clock, also while it is stopped."""
        return self._t if paused else self.t(now)

    # Arriving

    def playing(self, number: int) -> bool:
        return number == self.deal.round and not self.table.ended

    def heard(self, request: ActionRequest) -> None:
        """Note how much a seat has certainly been shown, whatever becomes of its action."""
        self._said[request.seat] = max(
            self._said[request.seat], min(request.floor - self.seq - 1, self.shown)
        )

    def arrive(self, request: ActionRequest, now: int) -> None:
        """Stamp an action of this round and queue it."""
        self._line.append(
            Arrived(self.t(now), self._believed(request), ActionKey(request.seat, request.id))
        )

    def _believed(self, request: ActionRequest) -> Action:
        action = request.action
        if not isinstance(action, Try):
            return action
        claimed = self.shown if action.seen is None else min(action.seen, self.shown)
        seen = self._said[request.seat] = max(claimed, self._said[request.seat])
        return action._replace(seen=seen)

    def abandon(self, now: int) -> None:
        self._line.append(Arrived(self.t(now), Abandon()))

    # Deciding

    @property
    def due(self) -> int | None:
        """When something is decided or a bot thinks, on the host's clock. None: never by itself."""
        if self.table.ended:
            return None
        if self._line:
            return self.began
        times = (self._referee.due, self.bots.due)
        return min((self.began + t for t in times if t is not None), default=None)

    def step(self, now: int) -> Step:
        """What is decided by `now`. Commit it before calling anything else on this round."""
        if self.table.ended:
            return Step()
        t = self._t = self.t(now)
        taken, self._line = self._line, []
        outcomes: list[Outcome] = []
        for arrived in taken:
            self._open.append(arrived)
            outcomes += self._referee.offer(arrived.t, arrived.action)
        return self._step(outcomes + self._referee.settle(t))

    def think(self, now: int) -> None:
        """Run the bots that are due. Everything decided has been published."""
        t = self.t(now)
        self._line += [Arrived(t, action) for action in self.bots.think(t)]

    def _step(self, outcomes: list[Outcome]) -> Step:
        entries: list[LogEntry] = []
        results: list[tuple[ActionKey, Ruling]] = []
        first = self.seq + 1 + self.shown
        for outcome in outcomes:
            if isinstance(outcome, Refusal):
                asked = self._close(outcome.action)
                if asked and asked.key:
                    results.append(
                        (
                            asked.key,
                            Refused(outcome.rule, str(outcome.message), outcome.wait_ms, asked.t),
                        )
                    )
            else:
                closed = filter(None, map(self._close, outcome.actions))
                keys = tuple(asked.key for asked in closed if asked.key)
                results += [(key, first + len(entries)) for key in keys]
                entries.append(LogEntry(outcome.event, keys))
        if entries:
            entries += self._decided(entries[-1])
        return Step(tuple(entries), tuple(results))

    def _close(self, action: Action) -> Arrived | None:
        """An action's arrival. Equal actions may be open at once, so it is found by identity."""
        for place, arrived in enumerate(self._open):
            if arrived.action is action:
                return self._open.pop(place)
        return None

    def _decided(self, last: LogEntry) -> list[LogEntry]:
        end = last.line
        if not isinstance(end, End) or not scoring.decided(self.table.rules, self.deal.round, end):
            return []
        return [LogEntry(Result(scoring.winners(end), end.totals))]

    # Published

    def published(self, entries: Iterable[LogEntry], now: int) -> None:
        """These entries are committed, and everyone is shown them."""
        events = [entry.line for entry in entries if isinstance(entry.line, Event)]
        self.shown += len(events)
        self.bots.shown(events, self.t(now))
