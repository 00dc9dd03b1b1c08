"""One branch being made, from any place of a match, sans I/O.

The referee of live matches judges everything, at freely chosen times: seats are played by hand
(`act`) or by bots (`play_on`). `events` has the settled facts, `refusals` the refused actions with
their reasons.

Ties reach back in time, but a branch's past is settled. A try that would have been tied with a play
before the branch is refused: to get the tie, branch off before that play.
"""

from collections.abc import Iterable
from random import Random

from games.bots.rollout import play_on, published
from games.bots.simulate import MAX_ROUND_MS
from games.engine import rules
from games.engine.actions import Action, Refusal, Try
from games.engine.cards import FACE
from games.engine.events import Event
from games.engine.facts import Fault
from games.engine.message import Message
from games.engine.referee import Judge
from games.engine.rules import Tried, missed_tie, viewed
from games.records.log import MAX_DEPTH
from replays.variations.lines import MatchLines, Place


class WhatIf:
    """A branch from a place. Times are ms in the round and never decrease.

    Raises Fault if nothing can branch off there.
    """

    def __init__(self, lines: MatchLines, place: Place) -> None:
        lines.verify(place)
        if lines.depth(place.line) >= MAX_DEPTH:
            raise Fault("line: branches are at most {most} deep", most=MAX_DEPTH)
        table = lines.table(place)
        if table.ended:
            raise Fault(
                "round {round} has ended at event {event}", round=place.round, event=place.event
            )
        self.lines = lines
        self.place = place
        self.table = table
        self.public = published(table, lines.events(place))
        self.now = table.t
        """The time that has been reached."""
        self.refusals: list[Refusal] = []
        self.answered: list[tuple[Action, ...]] = []
        """For each of `events`, the actions that became it."""
        self._open = table.t + table.rules.tie_window_ms
        self.judge = Judge(table, self._settled, self.refusals.append)
        self.judge.settle(self.now)

    def _settled(self, event: Event, actions: tuple[Action, ...]) -> None:
        self.public.settled(event, actions)
        self.answered.append(actions)

    @property
    def events(self) -> list[Event]:
        """The facts since the branch began."""
        return self.public.events[self.place.event :]

    def act(self, t: int, action: Action) -> None:
        """Let a seat act at t. The outcome shows in `events` and `refusals`."""
        refusal = self.too_late(t, action)
        if refusal:
            self.refusals.append(refusal)
            return
        self.now = t
        self.judge.offer(t, action)

    def too_late(self, t: int, action: Action) -> Refusal | None:
        """Why it is too late to judge an action at t."""
        if self.table.ended:
            return Refusal(action, "round-over", Message("the round is over"))
        if t < self.now:
            return Refusal(
                action,
                "too-early",
                Message("t must be at least {least}, found {found}", least=self.now, found=t),
            )
        stall = rules.stall_at(self.table)
        if stall is not None and t >= stall and not self.judge.waiting:
            return Refusal(
                action,
                "stalled",
                Message("the round is stalled at {stall}, found t {t}", stall=stall, t=t),
            )
        return self.tie_decided(t, action)

    def tie_decided(self, t: int, action: Action) -> Refusal | None:
        """Why a try is too soon after what was played before the branch began."""
        if t >= self._open or not isinstance(action, Try) or not self._possible(action):
            return None
        tried = Tried(action.seat, action.stack, t, FACE[action.card], None)
        seen = self.table.events if action.seen is None else action.seen
        view = viewed(self.table, action.seat, action.stack, seen)
        visit = missed_tie(self.table, tried, view)
        if visit is None or visit.event > self.place.event:
            return None
        message = Message(
            "seat {seat} would have tied with event {event} at {t}: branch off before it, "
            "or play from {since} on",
            seat=action.seat,
            event=visit.event,
            t=visit.t,
            since=visit.t + self.table.rules.tie_window_ms,
        )
        return Refusal(action, "tie-decided", message)

    def _possible(self, action: Try) -> bool:
        """Whether the seat could play that card if it fitted, so that it could tie."""
        table = self.table
        if not 0 <= action.seat < table.seats or rules.no_such_try(table, action):
            return False
        return not rules.needs_refill(table, action.seat)

    def wait(self, t: int) -> None:
        self.now = max(self.now, t)
        if not self.table.ended:
            self.judge.settle(self.now)

    def finish(self) -> None:
        """Wait until every try is decided."""
        if self.judge.waiting:
            self.wait(self.now + self.table.rules.tie_window_ms)

    def play_on(
        self, ms: int = MAX_ROUND_MS, seed: int = 0, seats: Iterable[int] | None = None
    ) -> None:
        """Let bots play for `ms`, or to the round's end, each as its seat's player has played."""
        source = Random(f"ratuki {seed} {self.place} {len(self.public.events)}")
        players = self.lines.players(self.place)
        asked = range(self.table.seats) if seats is None else sorted(set(seats))
        bots = [players.bot(self.table, self.public, seat, source) for seat in asked]
        until = self.now + ms
        play_on(self.judge, bots, source, until, self.now)
        self.now = self.table.t if self.table.ended else until + self.table.rules.tie_window_ms
