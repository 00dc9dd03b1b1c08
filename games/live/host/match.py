"""A live match from its free seats to its result, without any I/O.

The rules of this file. A match is in one of these phases:

- `seating`: seats are being taken. Once it may begin (`Plan.begins`):
- `countdown`: for `Timing.countdown_ms`, unless someone stands up. Then the deal, and
- `round`: the referee decides (`games.live.host.round`). At its end the match is either decided
  and `finished`, or goes on to
- `scoreboard`: until everyone is ready, or `Timing.scoreboard_ms`. Then `countdown` again.
- `pause`: only after another host took over in mid-round: the clock stops until everyone is
  back, for at most `Timing.pause_ms`.
- `finished` and `abandoned` are final. A rematch is another match.

A bot takes over for a person who is away for `Timing.away_ms`, or who does nothing for the plan's
`bot_after_ms` of a round. Both end at once when the person is back. `games.live.host.timing` says
when a match is abandoned. Outside a round, abandoning deals one more and ends it at t 0, since a
record has no other way to say so.

`step` returns the changes to commit. Call `committed` once that is done. Only then may anyone see
it. In between, only `arrive` and `command` may be called.
"""

from random import Random
from typing import Final

from games.engine import scoring
from games.engine.actions import DrawOne
from games.engine.events import Deal, End, Event
from games.engine.table import Table
from games.live.host.bot_seats import BotSeats, adapted
from games.live.host.client_frames import Command, Ready, Salt
from games.live.host.leases import HostExtras, LogTail
from games.live.host.presence import TablePresence
from games.live.host.reception import Reception
from games.live.host.requests import (
    ActionRequest,
    Answer,
    HostState,
    LogEntry,
    PresenceReport,
    Step,
)
from games.live.host.round import LiveRound
from games.live.host.sealing import NO_SALT, NextDeal
from games.live.host.timing import COUNTS_MS, GivingUp, Timing
from games.records.log import Line, Result
from games.tables.plan import ALL, NOW, Plan
from games.tables.state import (
    ABANDONED,
    COUNTDOWN,
    FINISHED,
    OVER,
    PAUSE,
    ROUND,
    SCOREBOARD,
    SEATING,
    MatchState,
)

_USUAL: Final = Timing()


class LiveMatch:
    """One match. Every `now` is on the host's clock and never decreases."""

    def __init__(self, plan: Plan, randomness: Random, now: int, timing: Timing = _USUAL) -> None:
        self.plan = plan
        self.timing = timing = timing.unhurried if plan.guided else timing
        self.presence = TablePresence(plan, self.timing.away_ms, now)
        self.phase = SEATING
        self.until: int | None = None
        """When the phase ends by itself."""
        self._back_by = now
        """Until when players have time to connect to this host, where it took over a match that was
        over: one may still vote for a rematch."""
        self.seq = 0
        """The seq of the next line. 1 follows the header."""
        self.round: LiveRound | None = None
        self.totals = (0,) * len(plan.places)
        self.beside = HostExtras(self.presence)
        self.dirty = True
        """Whether the state has news besides lines. The publisher resets it."""
        self._random = randomness
        self._next_deal = NextDeal(plan, randomness)
        self._reception = Reception(self.presence)
        self._giving_up = GivingUp(timing, self.presence, now)
        self._shown_counts: tuple[int | str | None, ...] = ()
        self._counted_at = now - COUNTS_MS
        self._bots: dict[int, tuple[str, int]] = {}

    # Taking over

    def resume(self, tail: LogTail, now: int) -> None:
        """Continue where another host stopped. Before the first deal there is little to restore."""
        if tail.host_state:
            self.beside.restore(tail.host_state, dealt=bool(tail.lines))
        self._next_deal.fair &= tail.fair
        if tail.lines:
            self._resume_round(tail, now)
        salts = tail.host_state and tail.host_state.get("salts")
        self._next_deal.resume(tail.sealed, self._next_round, self.plan, salts)

    def _resume_round(self, tail: LogTail, now: int) -> None:
        self.seq = tail.end
        self.totals = tail.totals
        deal, *rest = tail.lines
        assert isinstance(deal, Deal)
        self.round = self._round(deal, tail.seq, now)
        self._reception.answers.restore(tail.answered)
        self.round.resume([line for line in rest if isinstance(line, Event)], now)
        self._enter_after(rest[-1] if rest else deal, now)

    def _enter_after(self, last: Line, now: int) -> None:
        if isinstance(last, Result):
            self._enter_over(last, now)
            self._back_by = now + self.timing.away_ms if self.plan.humans else now
        elif isinstance(last, End):
            self.totals = last.totals
            self._enter(SCOREBOARD, now, self.timing.scoreboard_ms)
        else:
            self._enter(PAUSE, now, self.timing.pause_ms)

    # Arriving

    def arrive(self, request: ActionRequest, now: int) -> Answer | None:
        """Take an action. Returns an answer only if it was given before."""
        if not isinstance(request.action, DrawOne):  # the page may draw by itself
            self.dirty |= self.presence[request.seat].act()
        return self._reception.take(request, self.round, self.phase == PAUSE, now)

    def command(self, seat: int, command: Command) -> None:
        if isinstance(command, Ready | Salt):
            self._next_deal.salt(seat, command)
        self.presence[seat].command(command)
        self.dirty = True

    def say(self, seat: int, phrase: str, now: int) -> None:
        """Let a player say a phrase, unless it is too soon."""
        self.dirty |= self.presence[seat].say(phrase, now)

    def report_presence(self, report: PresenceReport, now: int) -> None:
        """Note the connected players, their lags, and the number of spectators."""
        changed = self.presence.report_presence(report, now)
        lags = (player.lag for player in self.presence.all)
        counts = (self.presence.watching, *self.presence.names, *lags)
        if counts != self._shown_counts and now - self._counted_at >= COUNTS_MS:
            self._shown_counts, self._counted_at, changed = counts, now, True
        self.dirty |= changed

    def excuse(self, since: int, now: int) -> None:
        """Ignore this time: nothing could be stored, so no one could be here.

        A round waits until all are back, as it does for another host.
        """
        self.presence.excuse(since, now)
        if self.phase == ROUND:
            assert self.round is not None
            self.round.stop(now)
            self._enter(PAUSE, now, self.timing.pause_ms)
        elif self.until is not None:
            self._enter(self.phase, now, self.until - since)

    def reseat(self, plan: Plan, now: int) -> None:
        """Follow a changed plan, until cards are dealt."""
        counting = self.phase == COUNTDOWN and self.round is None and self.until is not None
        if plan != self.plan and (counting or self.phase == SEATING):
            self.plan = plan
            self.presence.reseat(plan, now)
            self._next_deal.unwanted = self._next_deal.drawn
            self._enter(SEATING, now)

    def done(self, now: int) -> bool:
        """Whether nothing more can happen: it is over, and no one is staying for a rematch."""
        if self.phase not in OVER:
            return False
        alone = now >= self._back_by and not any(player.here for player in self.presence.all)
        return (
            alone or self.beside.next is not None or (self.until is not None and now >= self.until)
        )

    # Deciding

    def due(self, now: int) -> int | None:
        """When `step` has something to do. None: not until something arrives."""
        if self._reception.answers.refused:
            return now
        times = [self.until, self.presence.next_away(now), self.presence.next_phrase_end]
        times.append(self.presence.next_idle(now))
        if self.round and self.phase == ROUND:
            times += [self.round.due, self._giving_up.idle_at(self.round)]
        if self.phase in OVER:
            times.append(self._back_by if now < self._back_by else None)
        else:
            times.append(self._giving_up.empty_at(self.plan, dealt=self.round is not None))
            times.append(self._unbegun_at)
        return min((time for time in times if time is not None), default=None)

    def step(self, now: int) -> Step:
        """Process the time up to `now`. Returns the changes to commit. Then call `committed`."""
        decided = self._decide(now)
        return decided._replace(results=(*decided.results, *self._reception.answers.take_refused()))

    def _decide(self, now: int) -> Step:
        self.dirty |= self.presence.clear_phrases(now)
        self.dirty |= self.presence.count_idle(self.phase == ROUND, now)
        if self._next_deal.unwanted:
            return self._next_deal.throw_away(self._next_round)
        if self.phase in OVER:
            return Step()
        bots = self.presence.bots(now)
        if bots != self._bots:
            self._bots, self.dirty = bots, True
        if self._given_up(now):
            return self._abandon(now)
        if self.phase == ROUND:
            return self._step_round(now)
        if self.phase == SEATING:
            return self._seat(now)
        return self._pass_phase(now)

    def _seat(self, now: int) -> Step:
        if not self.plan.full:
            return Step()
        if self._next_deal.missing:
            return self._next_deal.draw(self._next_round)
        if self._may_begin(now):
            self._enter(COUNTDOWN, now, self.timing.countdown_ms)
        return Step()

    def _may_begin(self, now: int) -> bool:
        if self.plan.begins == ALL:
            return self.presence.complete()
        return self.plan.begins == NOW or self.presence.all_ready(now)

    def _step_round(self, now: int) -> Step:
        assert self.round is not None
        self._seat_bots(now)
        step = self.round.step(now)
        if not step:
            self.round.think(now)
            step = self.round.step(now)
        return step

    def _pass_phase(self, now: int) -> Step:
        due = self.until is not None and now >= self.until
        if self.phase == COUNTDOWN:
            return self._deal(now) if due else Step()
        if self.phase == PAUSE:
            return self._unpause(now) if due or self.presence.all_here(now) else Step()
        hurry = bool(self.plan.humans)  # with bots alone, spectators get time to read
        if due or (hurry and self.presence.all_ready(now)):
            if self._next_deal.missing:
                return self._next_deal.draw(self._next_round)
            self._enter(COUNTDOWN, now, self.timing.countdown_ms)
        return Step()

    @property
    def _next_round(self) -> int:
        return self.round.deal.round + 1 if self.round else 1

    def _unpause(self, now: int) -> Step:
        assert self.round is not None
        self.round.wake(now)
        self._enter(ROUND, now)
        return self._step_round(now)  # seats the bots too, which say when it is due next

    def _deal(self, now: int) -> Step:
        self.until = None  # it is too late to stand up
        return Step((LogEntry(self._next_deal.deal(self.plan.rules, self._next_round)),))

    def _seat_bots(self, now: int) -> None:
        """Seat bots for absent players, and people who have come back."""
        assert self.round is not None
        if self._bots.keys() == self.round.bots.seats:
            return
        bots = {
            seat: (temper, adapted(self.plan, level, self.totals))
            for seat, (temper, level) in self._bots.items()
        }
        self.round.bots.change(bots, self.round.t(now))

    # Giving up

    def _given_up(self, now: int) -> bool:
        if self._giving_up.unwanted(self.plan, now, dealt=self.round is not None):
            return True
        if self._unbegun_at is not None and now >= self._unbegun_at:
            return True
        if self.round is None:
            return False
        if self.phase == ROUND:
            return now >= self._giving_up.idle_at(self.round)
        return self.phase == SCOREBOARD and self._giving_up.exhausted

    @property
    def _unbegun_at(self) -> int | None:
        return self._giving_up.unbegun_at(self.plan) if self.phase == SEATING else None

    def _abandon(self, now: int) -> Step:
        """End the match without a winner. A match that was never dealt leaves no record."""
        if self.round is None and self.phase == SEATING:
            if self._next_deal.drawn:
                return self._next_deal.throw_away(self._next_round)
            self._enter(ABANDONED, now, self.timing.linger_ms)
            return Step()
        if self.phase in (ROUND, PAUSE):
            assert self.round is not None
            self.round.abandon(now)
            return self.round.step(now)
        if self._next_deal.missing:
            return self._next_deal.draw(self._next_round)
        return self._deal_and_end(now)

    def _deal_and_end(self, now: int) -> Step:
        deal = self._deal(now).entries[0]
        zero = (0,) * len(self.totals)
        end = End(0, scoring.ABANDONED, zero, self.totals)
        return Step((deal, LogEntry(end), LogEntry(Result((), self.totals))))

    # Committed

    def committed(self, step: Step, now: int) -> list[Answer]:
        """The step is committed and published. Returns the answers to send now."""
        if step.sealed:
            self._next_deal.committed(step.sealed)
            self.dirty = True
        if step.entries:
            self._follow(step, now)
        return [self._reception.answers.close(*result) for result in step.results]

    def _follow(self, step: Step, now: int) -> None:
        first, last = step.entries[0].line, step.entries[-1].line
        if isinstance(first, Deal):
            self._begin(first, now)
        self.seq += len(step.entries)
        assert self.round is not None
        self.round.published(step.entries, now)
        if isinstance(last, Result):
            self._end_round(last.totals, now)
            self._enter_over(last, now)
        elif isinstance(last, End):
            self._end_round(last.totals, now)

    def _begin(self, deal: Deal, now: int) -> None:
        self.seq = self.seq or 1
        self._reception.answers.begin_round()
        self._next_deal.dealt()
        self.round = self._round(deal, self.seq, now)
        self.presence.reset_ready()
        self._enter(ROUND, now)

    def _round(self, deal: Deal, seq: int, now: int) -> LiveRound:
        rules, seats = self.plan.rules, len(self.plan.places)
        beginners = [seat for seat, place in enumerate(self.plan.places) if place.beginner]
        table = Table(rules, seats, beginners)
        table.totals = self.totals
        table.deal(deal)
        waits_for = self.plan.humans if self.plan.guided else ()
        bots = BotSeats(rules, deal, beginners, self._random, waits_for)
        return LiveRound(table, deal, bots, seq=seq, began=now)

    def _end_round(self, totals: tuple[int, ...], now: int) -> None:
        assert self.round is not None
        self.beside.round_over()
        self._giving_up.ended(self.round)
        self.totals = totals
        self._enter(SCOREBOARD, now, self.timing.scoreboard_ms)

    def _enter_over(self, result: Result, now: int) -> None:
        self.beside.over(bool(result.winners), now)
        self._enter(FINISHED if result.winners else ABANDONED, now, self.timing.linger_ms)

    def _enter(self, phase: str, now: int, lasts: int | None = None) -> None:
        self.phase = phase
        self.until = None if lasts is None else now + lasts
        self.dirty = True

    # Reporting

    def state(self, now: int) -> MatchState:
        """What viewers get of the match besides its lines."""
        return {
            "phase": self.phase,
            "round": self.round.deal.round if self.round else 0,
            "wait_ms": 0 if self.until is None else max(0, self.until - now),
            "seats": self.presence.shown(now, [salt != NO_SALT for salt in self._next_deal.salts]),
            "totals": list(self.totals),
            "watching": self.presence.watching,
            "watchers": self.presence.names,
            "next": self.beside.next,
            "commit": self._next_deal.commit,
            "revealed": self._next_deal.revealed,
        }

    def rematch(self) -> Plan:
        return self.beside.rematch(self.plan, self._random)

    def clock(self, now: int) -> int:
        """The round's clock, in ms. 0 before the first deal. It stops while the match is paused."""
        return self.round.clock(self.phase == PAUSE, now) if self.round else 0

    def host_state(self, now: int) -> HostState:
        """Data for the next host, besides the lines."""
        return self.beside.saved(self._next_deal.saved(), now)
