"""A ghost race: one seat is played again, the others follow the record.

A **ghost** repeats its player's actions at the same ms, judged by the same referee. It continues
until the race contradicts one: it is no longer allowed, was refused, draws a different card, or no
longer makes sense, since the slot does not show the card that the player saw there. Then a bot of
that player's tempo takes over the seat. So it does when the record has no more actions for the
round.

Sans I/O, with a hand-turned clock: the driver gives the time, in ms of the round, at any speed
(`step`), and submits the player's actions (`act`). `due` is when something will happen by itself.
"""

from collections import deque
from heapq import heapify, heappop, heappush
from random import Random
from typing import Any, Final, NamedTuple

from games.bots.base import Bot
from games.bots.rollout import first_thought
from games.engine import rules
from games.engine.actions import Action, DiscardOne, DrawOne, Refusal, Shout, Try
from games.engine.events import Event
from games.engine.facts import Fault
from games.engine.message import Message
from games.engine.rules import Reason
from games.engine.table import Table
from replays.variations.lines import MatchLines, Place
from replays.variations.requested import AskedAction, Shown, asked_in, top_seen
from replays.variations.what_if import WhatIf

_DONE: Final = Reason("record-over", Message("the record of this round has ended"))
_OTHER_CARD: Final = Reason(
    "other-card", Message("the draw pile's top card differs from the record")
)
_NOT_MEANT: Final = Reason("not-meant", Message("the slot differs from what the player saw"))
_LAST: Final = 1 << 30  # after all ghosts of the same ms


class TakenOver(NamedTuple):
    """When and why a bot took over a ghost's seat."""

    seat: int
    t: int
    reason: Reason


class News(NamedTuple):
    """What is new since the last call: facts, the player's refusals, ghosts replaced by bots."""

    events: list[Event]
    refusals: list[Refusal]
    taken_over: list[TakenOver]


class GhostRace:
    """A race from a place, with the player in `seat`. Raises Fault if there can be none."""

    def __init__(self, lines: MatchLines, place: Place, seat: int, seed: int = 0) -> None:
        self.what_if = WhatIf(lines, place)
        table = self.what_if.table
        if not 0 <= seat < table.seats:
            raise Fault(
                "seat: expected 0 to {last}, found {found}", last=table.seats - 1, found=seat
            )
        self.seat = seat
        self.taken_over: list[TakenOver] = []
        self._randomness = Random(f"ratuki {seed} {place} {seat}")
        self._players = lines.players(place)
        self._bots: dict[int, Bot] = {}
        self._reported = [0, 0, 0]
        self._looked = 0  # refusals of ghosts already dealt with
        whole = lines.whole(place)
        rest = whole[place.event :]
        self._shown = Shown(whole, self.what_if.public)
        self._over = rest[-1].t if rest else self.now
        self._scripts: dict[int, deque[tuple[int, AskedAction]]] = {
            other: deque() for other in range(table.seats) if other != seat
        }
        for order, asked in enumerate(asked_in(lines.table(place), rest)):
            if asked.action.seat != seat:
                self._scripts[asked.action.seat].append((order, asked))
        self._queue: list[tuple[int, int, int]] = []
        for ghost in self._scripts:
            self._await(ghost)

    @property
    def now(self) -> int:
        return self.what_if.now

    @property
    def over(self) -> bool:
        return self.what_if.table.ended is not None

    @property
    def due(self) -> int | None:
        """When something happens if the player does nothing. None: never."""
        if self.over:
            return None
        times = [self.what_if.judge.due, self._queue[0][0] if self._queue else None]
        return min((t for t in times if t is not None), default=None)

    def step(self, now: int) -> News:
        while self._queue and self._queue[0][0] <= now and not self.over:
            t, _, seat = heappop(self._queue)
            self._wait(t)
            if not self.over:
                self._move(seat, t)
        self._wait(now)
        return self._news()

    def act(self, t: int, action: Action) -> News:
        """The player does something at t, which must not be before the time reached."""
        before = self.step(t)
        if action.seat != self.seat:
            why = Message(
                "the player sits at seat {seat}, not {found}",
                seat=self.seat,
                found=action.seat,
            )
            refusal = Refusal(action, "other-seat", why)
            return before._replace(refusals=[*before.refusals, refusal])
        self.what_if.act(t, action)
        after = self._news()
        return News(
            before.events + after.events,
            before.refusals + after.refusals,
            before.taken_over + after.taken_over,
        )

    def finish(self) -> News:
        """Stop here: wait until every try is decided, without anyone trying again."""
        self.what_if.finish()
        return self._news()

    def _wait(self, t: int) -> None:
        self.what_if.wait(t)
        self._look(t)

    def _move(self, seat: int, t: int) -> None:
        """Let a ghost or a bot do what is due."""
        bot = self._bots.get(seat)
        if bot is None:
            self._act_as_recorded(seat, t)
            return
        action, again = bot.think(t)
        if action is not None:
            self.what_if.act(t, action)
        heappush(self._queue, (again, _LAST, seat))

    # Ghosts

    def _await(self, ghost: int) -> None:
        """Queue a ghost's next action, or that there are none left."""
        script = self._scripts[ghost]
        order, t = (script[0][0], script[0][1].t) if script else (_LAST, self._over)
        heappush(self._queue, (t, order, ghost))

    def _act_as_recorded(self, ghost: int, t: int) -> None:
        """Let a ghost do what it did in the record, unless that is contradicted."""
        if not self._scripts[ghost]:
            self._take_over(ghost, t, _DONE)
            return
        _, asked = self._scripts[ghost].popleft()
        asked = self._with_race_seen(asked)
        reason = self._contradiction(asked)
        if reason:
            self._take_over(ghost, t, reason)
        else:
            self.what_if.act(t, asked.action)
        self._look(t)
        if ghost not in self._bots:
            self._await(ghost)

    def _with_race_seen(self, asked: AskedAction) -> AskedAction:
        """A ghost's action, with the `seen` of the race instead of the record's."""
        action = asked.action
        if not isinstance(action, Try):
            return asked
        return asked._replace(action=action._replace(seen=self._shown.seen(action.seen)))

    def _contradiction(self, asked: AskedAction) -> Reason | None:
        """Why a ghost cannot do, or would not do, what it did."""
        table, action = self.what_if.table, asked.action
        reason = _not_allowed(table, asked.t, action)
        if reason:
            return reason
        if isinstance(action, DrawOne) and table.draw_piles[action.seat][-1] != asked.card:
            return _OTHER_CARD
        if isinstance(action, Try) and top_seen(table, action) != asked.top:
            return _NOT_MEANT
        return None

    def _look(self, t: int) -> None:
        """See whether a ghost's action has been refused."""
        refusals = self.what_if.refusals
        while self._looked < len(refusals):
            action, rule, message, _ = refusals[self._looked]
            self._looked += 1
            if action.seat in self._scripts and action.seat not in self._bots:
                self._take_over(action.seat, t, Reason(rule, message))

    def _take_over(self, seat: int, t: int, reason: Reason) -> None:
        """Let a bot play on in a ghost's place."""
        self.taken_over.append(TakenOver(seat, t, reason))
        what_if = self.what_if
        bot = self._players.bot(what_if.table, what_if.public, seat, self._randomness)
        self._bots[seat] = bot
        self._queue = [entry for entry in self._queue if entry[2] != seat]
        first = first_thought(what_if.table, bot, t, self._randomness)
        self._queue.append((first, _LAST, seat))
        heapify(self._queue)

    def _news(self) -> News:
        what_if = self.what_if
        all_news: list[list[Any]] = [what_if.events, what_if.refusals, self.taken_over]
        events, refusals, taken_over = (
            every[count:] for every, count in zip(all_news, self._reported, strict=True)
        )
        self._reported = list(map(len, all_news))
        mine = [refusal for refusal in refusals if refusal.action.seat not in self._scripts]
        return News(events, mine, taken_over)


def _not_allowed(table: Table, t: int, action: Action) -> Reason | None:
    """Why a seat may not do something now, by the rules alone."""
    match action:
        case DrawOne(seat):
            return rules.no_movement(table, seat, t) or rules.no_draw(table, seat)
        case DiscardOne(seat, card):
            return rules.no_movement(table, seat, t) or rules.no_discard(table, seat, card)
        case Shout(seat):
            return rules.no_shout(table, seat)
        case Try(seat):
            seen = table.events if action.seen is None else action.seen
            verdict = rules.judge(table, action, seen)
            not_now = verdict if isinstance(verdict, Reason) else None
            return rules.no_movement(table, seat, t) or not_now
    return None
