"""A live match from its free seats to its result, without any I/O.

The rules of this file. A match is in one of these phases:
- `seating`: seats are being taken. Once everyone seated is ready:
- `countdown`: for `Timing.countdown_ms`, unless somebody stands up; then the deal, and
- `round`: the referee decides (`games.live.host.round`). At its end the match is either decided
  and `finished`, or goes on to
- `scoreboard`: until everyone is ready, or `Timing.scoreboard_ms`; then `countdown` again;
- `pause`: only after another host took over in mid-round: the clock stops until everyone is
  back, for at most `Timing.pause_ms`;
- `finished` and `abandoned` are final. A rematch is another match.

A bot plays on for a person who is away for `Timing.away_ms`, or who does nothing for the
plan's `bot_after_ms` of a round; both end at once when the person is back.

A match is abandoned when every person who has not left votes for it; when for `Timing.empty_ms`
all of them have been absent or idle; when `IDLE_ROUNDS` rounds in a row ended without a card
played, or a round without a stall rule would not end; and before a record would exceed its
maximum number of rounds. Outside a round, abandoning deals one more and ends it at t 0, since
a record has no other way to say so.

`step` returns what has to be committed; call `committed` once that is done. Only then may
anyone see it. In between, only `arrive` and `command` may be called.
"""

from __future__ import annotations

from random import Random
from typing import Final

from games.engine import scoring
from games.engine.actions import DrawOne
from games.engine.dealing import shuffled
from games.engine.events import Deal, End, Event
from games.engine.table import Table
from games.live.host.adapting import adapted
from games.live.host.answers import Answers
from games.live.host.bot_seats import BotSeats
from games.live.host.leases import LogTail
from games.live.host.presence import TablePresence
from games.live.host.requests import (
    ActionKey,
    ActionRequest,
    Answer,
    Command,
    HostState,
    LogEntry,
    PresenceReport,
    Refused,
    Step,
)
from games.live.host.round import LiveRound
from games.live.host.timing import COUNTS_MS, IDLE_ROUNDS, Timing
from games.records.log import MAX_ROUNDS, Line, Result
from games.tables.plan import Plan
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

PAUSED: Final = Refused("paused", "the clock is stopped until the players are back", 500)
NOT_SEATED: Final = Refused("not-seated", "a bot plays this seat because its player left")
ROUND_OVER: Final = Refused("round-over", "that round is not being played")
QUEUE_FULL: Final = Refused(
    "queue-full", "too many actions of this seat are waiting; try again", 500
)
WAITING: Final = 16
"""The most undecided actions per seat."""


_USUAL: Final = Timing()


class LiveMatch:
    """One match. Every `now` is on the host's clock and never decreases."""

    def __init__(self, plan: Plan, randomness: Random, now: int, timing: Timing = _USUAL) -> None:
        self.plan = plan
        self.timing = timing
        self.presence = TablePresence(plan, self.timing.away_ms, now)
        self.phase = SEATING
        self.until: int | None = None
        """When the phase ends by itself."""
        self.seq = 0
        """The seq of the next line; 1 follows the header."""
        self.round: LiveRound | None = None
        self.totals = (0,) * len(plan.places)
        self.next: str | None = None
        """The id of the rematch."""
        self.news = True
        """Whether the state has news besides lines; the publisher resets it."""
        self._random = randomness
        self._answers = Answers()
        self._refused: list[tuple[ActionKey, Refused]] = []
        """What was refused on arrival and has to be stored before it is told."""
        self._rematch: Plan | None = None
        self._idle = 0
        self._shown_counts: tuple[int | str | None, ...] = ()
        self._counted_at = now - COUNTS_MS
        self._lags: list[list[int | None]] = []
        self._stand_ins: list[int] | None = None
        self._bots: dict[int, tuple[str, int]] = {}

    # Taking over

    def resume(self, tail: LogTail, now: int) -> None:
        """Continue where another host stopped; before the first deal there is little to restore."""
        if tail.host_state:
            self._restore(tail.host_state)
        if not tail.lines:
            return
        self.seq = tail.end
        self.totals = tail.totals
        deal, *rest = tail.lines
        assert isinstance(deal, Deal)
        self.round = self._round(deal, tail.seq, now)
        self._answers.restore(tail.answered)
        self.round.resume([line for line in rest if isinstance(line, Event)], now)
        self._enter_after(rest[-1] if rest else deal, now)

    def _restore(self, host_state: HostState) -> None:
        self.presence.restore(host_state["players"])
        self._lags = host_state["lags"]
        self._stand_ins = host_state.get("stand_ins")
        self.next = host_state["next"]

    def _enter_after(self, last: Line, now: int) -> None:
        if isinstance(last, Result):
            self._enter_over(last, now)
        elif isinstance(last, End):
            self.totals = last.totals
            self._enter(SCOREBOARD, now, self.timing.scoreboard_ms)
        else:
            self._enter(PAUSE, now, self.timing.pause_ms)

    # Arriving

    def arrive(self, request: ActionRequest, now: int) -> Answer | None:
        """Take an action; returns an answer only if it was given before."""
        if not isinstance(request.action, DrawOne):  # the page may draw by itself
            self.news |= self.presence[request.seat].act()
        if self.round is not None:
            self.round.heard(request)
        if self._answers.waits(request):
            return None
        known = self._answers.again(request)
        if known:
            return known
        if not self._answers.exhausted(request.seat):
            self._judge(request, now)
        return None

    def _judge(self, request: ActionRequest, now: int) -> None:
        refused = self._unwelcome(request)
        self._answers.open(request)
        if refused:
            self._refused.append((ActionKey(request.seat, request.id), refused))
        elif self.round is not None:
            self.round.arrive(request, now)

    def _unwelcome(self, request: ActionRequest) -> Refused | None:
        """Why an action is refused without being judged."""
        if self.phase == PAUSE:
            return PAUSED
        if self.presence[request.seat].left:
            return NOT_SEATED
        if self.round is None or not self.round.playing(request.round):
            return ROUND_OVER
        return QUEUE_FULL if self._answers.pending(request.seat) >= WAITING else None

    def command(self, seat: int, command: Command) -> None:
        """Note what a player wants."""
        self.presence[seat].command(command)
        self.news = True

    def say(self, seat: int, phrase: str, now: int) -> None:
        """Let a player say a phrase, unless it is too soon."""
        self.news |= self.presence[seat].say(phrase, now)

    def report_presence(self, report: PresenceReport, now: int) -> None:
        """Note who is connected, with what lag, and how many are watching."""
        changed = self.presence.report_presence(report, now)
        lags = (player.lag for player in self.presence.all)
        counts = (self.presence.watching, *self.presence.names, *lags)
        if counts != self._shown_counts and now - self._counted_at >= COUNTS_MS:
            self._shown_counts, self._counted_at, changed = counts, now, True
        self.news |= changed

    def excuse(self, since: int, now: int) -> None:
        """Let this time not have passed: nothing could be stored, so nobody could be here.

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
            self._enter(SEATING, now)

    def done(self, now: int) -> bool:
        """Whether nothing more can happen: it is over, and nobody is staying for a rematch."""
        if self.phase not in OVER:
            return False
        alone = not any(player.here for player in self.presence.all)
        return alone or self.next is not None or (self.until is not None and now >= self.until)

    # Deciding

    def due(self, now: int) -> int | None:
        """When `step` has something to do; None: not until something arrives."""
        if self._refused:
            return now
        times = [self.until, self.presence.next_away(now), self.presence.next_phrase_end]
        times.append(self.presence.next_idle(now))
        if self.round and self.phase == ROUND:
            times += [self.round.due, self._idle_at()]
        if self.phase not in OVER and self.plan.needs_people:
            times.append(self.presence.empty_since + self.timing.empty_ms)
        return min((time for time in times if time is not None), default=None)

    def step(self, now: int) -> Step:
        """Let time pass up to `now`; returns what has to be committed. Then call `committed`."""
        decided = self._decide(now)
        refused, self._refused = self._refused, []
        return decided._replace(results=(*decided.results, *refused))

    def _decide(self, now: int) -> Step:
        self.news |= self.presence.clear_phrases(now)
        self.news |= self.presence.count_idle(self.phase == ROUND, now)
        if self.phase in OVER:
            return Step()
        self._look_round(now)
        if self._given_up(now):
            return self._abandon(now)
        if self.phase == ROUND:
            return self._step_round(now)
        if self.phase == SEATING and not (self.plan.full and self.presence.all_ready(now)):
            return Step()
        return self._pass_phase(now)

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
        if due or (self._hurry() and self.presence.all_ready(now)):
            self._enter(COUNTDOWN, now, self.timing.countdown_ms)
        return Step()

    def _hurry(self) -> bool:
        """Whether being ready shortens the phase; with bots alone, spectators get time to read."""
        return self.phase == SEATING or bool(self.plan.humans)

    def _unpause(self, now: int) -> Step:
        assert self.round is not None
        self.round.wake(now)
        self._enter(ROUND, now)
        return self._step_round(now)  # seats the bots too, which say when it is due next

    def _deal(self, now: int) -> Step:
        self.until = None  # it is too late to stand up
        number = self.round.deal.round + 1 if self.round else 1
        return Step((LogEntry(shuffled(self.plan.rules, len(self.totals), number, self._random)),))

    def _look_round(self, now: int) -> None:
        """See which seats bots are playing now."""
        bots = self.presence.bots(now)
        if bots != self._bots:
            self._bots, self.news = bots, True

    def _seat_bots(self, now: int) -> None:
        """Seat bots where nobody plays, and people who have come back."""
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
        if self.presence.agreed("abandon", now) or self._deserted(now):
            return True
        if self.phase == ROUND:
            return now >= self._idle_at()
        number = self.round.deal.round if self.round else 0
        return self.phase == SCOREBOARD and (self._idle >= IDLE_ROUNDS or number >= MAX_ROUNDS - 1)

    def _deserted(self, now: int) -> bool:
        empty = now - self.presence.empty_since >= self.timing.empty_ms
        return empty and self.plan.needs_people

    def _idle_at(self) -> int:
        """When a round in which nobody plays ends the match, if the rules don't end the round."""
        assert self.round is not None
        limit = self.timing.idle_ms + self.plan.rules.stall_ms
        return self.round.began + self.round.table.last_play + limit

    def _abandon(self, now: int) -> Step:
        """End the match without a winner; a match that was never dealt leaves no record."""
        if self.round is None and self.phase == SEATING:
            self._enter(ABANDONED, now, self.timing.linger_ms)
            return Step()
        if self.phase in (ROUND, PAUSE):
            assert self.round is not None
            self.round.abandon(now)
            return self.round.step(now)
        return self._deal_and_end(now)

    def _deal_and_end(self, now: int) -> Step:
        deal = self._deal(now).entries[0]
        zero = (0,) * len(self.totals)
        end = End(0, scoring.ABANDONED, zero, self.totals)
        return Step((deal, LogEntry(end), LogEntry(Result((), self.totals))))

    # Committed

    def committed(self, step: Step, now: int) -> list[Answer]:
        """What `step` returned is committed and published; returns the answers to send now."""
        if step.entries:
            self._follow(step, now)
        return [self._answers.close(*result) for result in step.results]

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
        self._answers.begin_round()
        self.round = self._round(deal, self.seq, now)
        self.presence.reset_ready()
        self._enter(ROUND, now)

    def _round(self, deal: Deal, seq: int, now: int) -> LiveRound:
        rules, seats = self.plan.rules, len(self.plan.places)
        beginners = [seat for seat, place in enumerate(self.plan.places) if place.beginner]
        table = Table(rules, seats, beginners)
        table.totals = self.totals
        table.deal(deal)
        bots = BotSeats(rules, deal, beginners, self._random)
        return LiveRound(table, deal, bots, seq=seq, began=now)

    def _end_round(self, totals: tuple[int, ...], now: int) -> None:
        assert self.round is not None
        self._lags.append([player.lag for player in self.presence.all])
        self.totals = totals
        self._idle = 0 if self.round.table.last_play else self._idle + 1
        self._enter(SCOREBOARD, now, self.timing.scoreboard_ms)

    def _enter_over(self, result: Result, now: int) -> None:
        if self._stand_ins is None:  # who leaves later has played to the end
            self._stand_ins = self.presence.stand_ins(now) if result.winners else []
        self._enter(FINISHED if result.winners else ABANDONED, now, self.timing.linger_ms)

    def _enter(self, phase: str, now: int, lasts: int | None = None) -> None:
        self.phase = phase
        self.until = None if lasts is None else now + lasts
        self.news = True

    # Reporting

    def state(self, now: int) -> MatchState:
        """What viewers get of the match besides its lines."""
        return {
            "phase": self.phase,
            "round": self.round.deal.round if self.round else 0,
            "wait_ms": 0 if self.until is None else max(0, self.until - now),
            "seats": self.presence.shown(now),
            "totals": list(self.totals),
            "watching": self.presence.watching,
            "watchers": self.presence.names,
            "next": self.next,
        }

    def rematch(self) -> Plan:
        """The plan of the next match, without those who have left; always the same one."""
        if self._rematch is None:
            plan = self.plan
            for seat, player in enumerate(self.presence.all):
                plan = plan.stand_up(seat) if player.left else plan
            self._rematch = plan.turned(f"{self._random.getrandbits(64):016x}")
        return self._rematch

    def clock(self, now: int) -> int:
        """The round's clock, in ms; 0 before the first deal. It stops while the match is paused."""
        if self.round is None:
            return 0
        return self.round.paused_at if self.phase == PAUSE else self.round.t(now)

    def host_state(self, now: int) -> HostState:
        """What survives the host, besides the lines."""
        return {
            "players": self.presence.saved(now),
            "lags": self._lags,
            "next": self.next,
            "stand_ins": self._stand_ins,
        }
