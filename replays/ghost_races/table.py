"""A ghost race as a table for one person, without any I/O.

The rules of this file. A race is in one of these phases:

- `seating`: the position is shown. Once the player is ready:
- `countdown`: for `COUNTDOWN_MS`. Then:
- `round`: the round's clock runs, `slow` times slower than the record's, and the race's referee
  decides, until the round ends, the player leaves, or `RACE_MS` have passed. Then the race is
  over. The caller computes and keeps its outcome (`end`), and with `tell` it is
- `finished`.

The player gets the frames of a live table, all of them from the seat's perspective: nothing shows a
card that this seat could not see, whatever the record says. `seen` is believed as at a live table
(`games.live.host.round`). Times named `now` are on this process's clock. `t` is ms in the round.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Final, cast

from games.engine.actions import Action, Try
from games.engine.events import End, Event
from games.live.fanout import frames
from games.live.fanout.broadcast import Broadcast
from games.live.host.answers import Answers
from games.live.host.leases import LogTail
from games.live.host.requests import ActionKey, ActionRequest, Answer, ConnectionId, Refused
from games.records.log import Header
from games.tables.plan import HUMAN, Plan, PlannedSeat
from games.tables.state import COUNTDOWN, FINISHED, ROUND, SEATING
from replays.analysis.races import LateRace, races
from replays.analysis.stacks import stacks
from replays.ghost_races.state import (
    GHOST,
    GhostRaceInfo,
    GhostRaceOutcome,
    GhostRaceState,
    MovementTimes,
    RacedStack,
    seat_state,
)
from replays.variations.compare import scores_after, timings
from replays.variations.ghost_race import GhostRace, News


def outcome_of(race: GhostRace, why: str) -> GhostRaceOutcome:
    """The outcome of a race that is over, not kept yet."""
    what_if = race.what_if
    lines, place, until = what_if.lines, what_if.place, what_if.now
    rest = [event for event in lines.whole(place)[place.event :] if event.t <= until]
    moved = timings(race.seat, rest, what_if.events)
    return {
        "why": what_if.table.ended or why,
        "t": until,
        "acted": acted(race),
        "times": cast("list[MovementTimes]", [movement._asdict() for movement in moved]),
        "stacks": raced_stacks(race),
        "score": scores_after(lines.table(place), what_if.events)[race.seat],
        "original": scores_after(lines.table(place), rest)[race.seat],
        "key": None,
        "lines": [],
        "trouble": "",
    }


def raced_stacks(race: GhostRace) -> list[RacedStack]:
    """The stacks that the player won from the recorded players, or came late for, in order."""
    what_if = race.what_if
    lines, place = what_if.lines, what_if.place
    events = [*lines.events(place), *what_if.events]
    recorded = {stack.cards[0]: stack for stack in stacks(lines.whole(place))}
    late = {
        (raced.t - raced.margin_ms, raced.slot): raced.margin_ms
        for raced in races(events)
        if isinstance(raced, LateRace) and raced.loser == race.seat
    }
    raced: list[RacedStack] = []
    for stack in stacks(events):
        if stack.end is None or stack.taker is None or stack.plays[-1] <= place.event:
            continue
        missed, size = late.get((stack.end, stack.slot)), len(stack.cards)
        if stack.taker != race.seat:
            if missed is not None:
                raced.append(RacedStack(won=False, other=stack.taker, ms=missed, cards=size))
            continue
        before = recorded.get(stack.cards[0])
        if before is None or before.end is None or before.taker is None:
            continue
        if before.taker != race.seat:
            sooner = before.end - stack.end
            raced.append(RacedStack(won=True, other=before.taker, ms=sooner, cards=size))
    return raced


def acted(race: GhostRace) -> bool:
    """Whether anything that the player did became a fact."""
    actions = (action for answered in race.what_if.answered for action in answered)
    return any(action.seat == race.seat for action in actions)


COUNTDOWN_MS: Final = 3_000
WAIT_MS: Final = 600_000
"""How long a race waits for its player to be ready."""
RACE_MS: Final = 1_200_000
"""How long a race may take, at any speed."""
SLOW: Final = (1, 2, 4)
"""How many times slower than the record a race can be."""
DEAL: Final = 1
"""The seq of the deal: this log has a header and one round."""
_HERE: Final = ConnectionId("race", 0)


class GhostRaceTable:
    """One race by this process's clock. `clock` gives its time."""

    def __init__(
        self,
        match: str,
        race: GhostRace,
        slow: int,
        clock: Callable[[], int],
        *,
        most_ms: int = RACE_MS,
    ) -> None:
        self.race = race
        self.slow = slow
        self.phase = SEATING
        self.over = False
        self.answers: list[str] = []
        """Frames for the player. The caller sends them before the lines, and clears the list."""
        self._most_ms = most_ms
        self._since = race.now
        self._began = 0
        self._until = clock() + WAIT_MS
        self._given = Answers()
        self._asked: list[tuple[ActionKey, Action]] = []
        self._said = 0
        self._why = "left"
        self._outcome: GhostRaceOutcome | None = None
        what_if = race.what_if
        self._round = what_if.lines.round(what_if.place)
        self._names = [seat.name for seat in self._round.header.seats]
        self._past = what_if.place.event
        lines = [self._round.deal, *what_if.lines.events(what_if.place)]
        totals = (0,) * len(self._names)
        plan = _plan(match, self._round.header, race.seat)
        tail = LogTail(match, 1, plan, DEAL, lines, totals, (), None, self.state(clock()), False)
        self.broadcast = Broadcast(tail, clock())
        self.broadcast.clock = lambda: self.t(clock())

    # The clock

    def t(self, now: int) -> int:
        if self.phase != ROUND:
            return self.race.now
        return max(self._since + (now - self._began) // self.slow, self.race.now)

    @property
    def due(self) -> int | None:
        """When something happens by itself. None: never."""
        if self.over:
            return None
        t = self.race.due if self.phase == ROUND else None
        return self._until if t is None else min(self._until, self._at(t))

    def _at(self, t: int) -> int:
        return self._began + (t - self._since) * self.slow

    # What the player does

    def ready(self, now: int) -> None:
        if self.phase == SEATING and not self.over:
            self._enter(COUNTDOWN, now, COUNTDOWN_MS)

    def leave(self, now: int) -> None:
        """The player has had enough, or is gone."""
        self.step(now)
        self.end(now)

    def act(self, name: str, number: int, action: Action, floor: int, now: int) -> None:
        """The player asks for something in round `number`.

        `floor`: the seq below which the player has certainly been shown everything.
        """
        request = ActionRequest(_HERE, name, number, action, floor)
        known = self._given.again(request)
        if known:
            self._say(known)
        elif not self._given.waits(request):
            self._given.open(request)
            self._judge(request, now)

    def _judge(self, request: ActionRequest, now: int) -> None:
        self.step(now)
        key = ActionKey(request.seat, request.id)
        if self.phase != ROUND or self.over or request.round != self._round.number:
            refused = Refused("round-over", "that round is not being played")
            self._say(self._given.close(key, refused))
            return
        action = self._believed(request)
        self._asked.append((key, action))
        self._take(self.race.act(self.t(now), action), now)

    def _believed(self, request: ActionRequest) -> Action:
        """The seat's action, with as much seen as it may have been."""
        action = request.action
        if not isinstance(action, Try):
            return action
        shown = self.broadcast.end - DEAL - 1
        claimed = shown if action.seen is None else min(action.seen, shown)
        self._said = max(self._said, claimed, min(request.floor - DEAL - 1, shown))
        return action._replace(seen=self._said)

    # What happens

    def step(self, now: int) -> None:
        if self.phase == COUNTDOWN and now >= self._until:
            self._began = now
            self._enter(ROUND, now, self._most_ms)
        if self.phase == ROUND and not self.over:
            self._take(self.race.step(self.t(now)), now)
        if self.phase != COUNTDOWN and now >= self._until:
            self._why = "time"
            self.end(now)

    def _take(self, news: News, now: int) -> None:
        end = self.broadcast.end
        self.broadcast.extend(end, list(map(_of_the_round, news.events)), now)
        answered = self.race.what_if.answered[end - DEAL - 1 - self._past :]
        for seq, actions in enumerate(answered, end):
            for action in actions:
                self._close(action, seq)
        for action, rule, message, wait_ms in news.refusals:
            self._close(action, Refused(rule, str(message), wait_ms * self.slow))
        if news.taken_over:
            self._tell(now)
        if self.race.over:
            self.over = True

    def _close(self, action: Action, result: int | Refused) -> None:
        """Answer the request for an action. Equal ones may be open, so it is found by identity."""
        for place, (key, asked) in enumerate(self._asked):
            if asked is action:
                del self._asked[place]
                self._say(self._given.close(key, result))
                return

    def _say(self, answer: Answer) -> None:
        self.answers.append(frames.answer(answer.id, answer.result))

    def end(self, now: int) -> None:
        """The race is over: settle everything undecided."""
        if self.over:
            return
        if self.phase == ROUND:
            self._take(self.race.finish(), now)
        self.over = True

    # What the player gets to know

    def outcome(self) -> GhostRaceOutcome:
        return outcome_of(self.race, self._why)

    def tell(self, outcome: GhostRaceOutcome, now: int) -> None:
        self._outcome = outcome
        self._enter(FINISHED, now, 0)

    def _enter(self, phase: str, now: int, ms: int) -> None:
        self.phase = phase
        self._until = now + ms
        self._tell(now)

    def _tell(self, now: int) -> None:
        self.broadcast.set_state(self.state(now), now)

    def state(self, now: int) -> GhostRaceState:
        table = self.race.what_if.table
        taken = {takeover.seat for takeover in self.race.taken_over}
        info: GhostRaceInfo = {
            "slow": self.slow,
            "since": self._since,
            "taken": [
                {"seat": takeover.seat, "t": takeover.t, "rule": takeover.reason.rule}
                for takeover in self.race.taken_over
            ],
            "outcome": self._outcome,
        }
        kinds = ["bot" if seat in taken else GHOST for seat in range(table.seats)]
        kinds[self.race.seat] = HUMAN
        return {
            "phase": self.phase,
            "round": self._round.number,
            "wait_ms": max(0, self._until - now) if self.phase == COUNTDOWN else 0,
            "seats": [
                seat_state(name, kind, ready=self.phase != SEATING or kind != HUMAN)
                for name, kind in zip(self._names, kinds, strict=True)
            ],
            "totals": [0] * len(self._names),
            "watching": 0,
            "watchers": [],
            "next": None,
            "commit": None,
            "revealed": None,
            "race": info,
        }


def _of_the_round(event: Event) -> Event:
    """An event with no points but the round's: a race leaves out what came before in the match."""
    return event._replace(totals=event.scores) if isinstance(event, End) else event


def _plan(match: str, header: Header, seat: int) -> Plan:
    """The table's seats: the player's, and ghosts."""
    places = [
        PlannedSeat(HUMAN if at == seat else GHOST, player.name, beginner=player.beginner)
        for at, player in enumerate(header.seats)
    ]
    return Plan(match, header.edition, asdict(header.rules), tuple(places))
