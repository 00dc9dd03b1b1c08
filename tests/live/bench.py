"""A live match on a clock advanced by hand."""

from __future__ import annotations

from random import Random
from typing import Self

from games.engine.actions import Action
from games.engine.events import Deal
from games.live.host.client_frames import Ready
from games.live.host.leases import LogTail
from games.live.host.match import LiveMatch
from games.live.host.requests import (
    ActionRequest,
    Answer,
    ConnectionId,
    LogEntry,
    PresenceReport,
    Step,
)
from games.live.host.timing import Timing
from games.people.person import guest
from games.records.log import Line
from games.tables.plan import Plan, new_plan

TIMING = Timing()
ME = ConnectionId("here", 1)


def people(count: int, bots: int = 0, **rules: object) -> Plan:
    plan = new_plan("m", "usaopoly-2009", count + bots, rules)
    for seat in range(count):
        plan = plan.sit(guest(str(seat)), f"P{seat}")
    for seat in range(bots):
        plan = plan.seat_bot("first-fit", 5, f"B{seat}")
    return plan


def tail_of(bench: Bench) -> LogTail:
    """What another host finds of a match in its first round."""
    state = bench.game.host_state(bench.now)
    return LogTail(
        "m", 1, bench.game.plan, 1, list(bench.lines), (0, 0), [], state, None, over=False
    )


class Bench:
    """A match on a clock advanced by hand."""

    def __init__(self, plan: Plan) -> None:
        self.now = 5_000
        self.game = LiveMatch(plan, Random(3), self.now)
        self.lines: list[Line] = []
        self.answers: list[Answer] = []
        self.here = set(plan.humans)

    def turn(self, ms: int, step: int = 50) -> None:
        for _ in range(0, ms, step):
            self.now += step
            report = PresenceReport("here", dict.fromkeys(self.here, 30), 0)
            self.game.report_presence(report, self.now)
            self.settle()

    def settle(self) -> None:
        while step := self.game.step(self.now):
            self.commit(step)

    def commit(self, step: Step) -> None:
        self.lines += [entry.line for entry in step.entries]
        self.answers += self.game.committed(step, self.now)

    def ready(self) -> None:
        self.turn(100)
        for seat in self.here:
            self.game.command(seat, Ready(ready=True))

    def begin(self) -> Self:
        self.ready()
        self.turn(TIMING.countdown_ms + 100)
        assert self.game.phase == "round"
        return self

    def deal(self, *decks: str) -> None:
        """Begin a round with these decks."""
        deal = Deal(1, tuple(tuple(deck.split()) for deck in decks))
        self.commit(Step((LogEntry(deal),)))

    def request(self, action: Action, name: str = "a", floor: int = 0) -> Answer | None:
        request = ActionRequest(ME, name, 1, action, floor)
        return self.game.arrive(request, self.now)

    @property
    def last(self) -> Line:
        return self.lines[-1]
