"""A live match without sockets or a store, and clients at it who keep to no rule.

`Desk` does what a host does, on a clock turned by hand: it steps, commits into a list, lets
things arrive between a step and its commit, and tells the answers. Now and then another host
takes over from the list.
"""

from io import BytesIO
from random import Random
from typing import Any

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import FACE
from games.engine.events import Deal, End
from games.live.host.client_frames import Command, Leave, Ready, Salt, Vote
from games.live.host.leases import LogTail
from games.live.host.match import LiveMatch
from games.live.host.requests import (
    ActionKey,
    ActionRequest,
    Answer,
    ConnectionId,
    NextSeed,
    PresenceReport,
    Refused,
    Ruling,
    Step,
    StoredSeed,
)
from games.people.person import guest
from games.records.check import CheckedRecord, check
from games.records.digests import digest_after, first_digest
from games.records.log import Line
from games.records.notation import write_line
from games.tables.plan import Plan, new_plan
from tests.engine.unruly import OF_TESTS

TEMPERS = ("taker", "builder", "starver", "runner", "first-fit")


def unruly_plan(random: Random) -> Plan:
    """Any edition, some house rules that make it short and mean, people and bots."""
    seats = random.randint(2, 5)
    overrides: dict[str, Any] = {
        "deck": [random.randint(1, 3) for _ in range(6)],
        "stall_ms": random.choice([0, 2_000, 8_000]),
        "target": 100,
    }
    window = overrides["tie_window_ms"] = random.choice([0, 1, 50, 200])
    overrides["one_hand_ms"] = max(window, random.choice([0, 120]))
    overrides["mistake_ms"] = random.choice([0, 300, 2_000])
    plan = new_plan("unruly", random.choice(OF_TESTS), seats, overrides)
    people = random.randint(1, seats)
    for seat in range(seats):
        if seat < people:
            plan = plan.sit(guest(str(seat)), f"P{seat}", beginner=random.random() < 0.2)
        else:
            plan = plan.seat_bot(random.choice(TEMPERS), random.randint(1, 5), f"B{seat}")
    return plan


class Desk:
    """Drives one match until it is over or has lasted for so many rounds."""

    def __init__(self, plan: Plan, random: Random) -> None:
        self.plan = plan
        self.random = random
        self.now = 1_000
        self.game = LiveMatch(plan, random, self.now)
        self.header = plan.header("2026-11-21T10:00:00Z")
        self.lines: list[Line] = [self.header]
        self.asked: list[tuple[ActionKey, int]] = []
        self.refused: list[tuple[int, ActionKey, Refused]] = []
        """Each refusal, and how many lines there were before."""
        self.totals = (0,) * len(plan.places)
        self.deals: list[int] = []
        """Their seqs."""
        self.first: dict[ActionKey, tuple[int, Ruling]] = {}
        """The first answer to each action, and how many lines there were before it."""
        self.takeovers = 0
        self.sealed: StoredSeed | None = None
        self.retries = 0
        self._sent: list[ActionRequest] = []
        self._number = 0

    def run(self, rounds: int) -> None:
        """Play until so many rounds were dealt, in moments of random length."""
        while len(self.deals) < rounds and self.game.phase not in ("finished", "abandoned"):
            self.now += self.random.choice([0, 1, 7, 30, 60, 130, 400])
            self._clients()
            self.settle()
            if self.random.random() < 0.002:
                self.take_over()

    def settle(self) -> None:
        """Do what the host would do at this moment."""
        while step := self.game.step(self.now):
            seq = max(self.game.seq, 1)
            for _ in range(self.random.randint(0, 2)):  # a commit takes its time
                self.now += self.random.randint(0, 20)
                self._clients()
            self.commit(seq, step)

    def commit(self, seq: int, step: Step) -> None:
        """Write a step down, tell it, and check that the numbers were right."""
        if step.sealed:
            self._seal(step.sealed)
        for place, entry in enumerate(step.entries):
            assert seq + place == len(self.lines)
            self.lines.append(entry.line)
            self.asked += [(asked, seq + place) for asked in entry.actions]
            if isinstance(entry.line, Deal):
                self.deals.append(seq + place)
        self.refused += [(len(self.lines), key, refused) for key, refused in step.refusals]
        for answer in self.game.committed(step, self.now):
            self.answered(answer)

    def _seal(self, sealed: NextSeed) -> None:
        before = self.sealed
        given_up = before and (before.revealed if sealed.seed else before.seed)
        self.sealed = StoredSeed(*sealed, self.plan, given_up)

    def answered(self, answer: Answer | None) -> None:
        """Hold every answer against the first one to the same action."""
        if answer is None:
            return
        for connection in answer.connections:
            asked = ActionKey(connection.number, answer.id)
            if isinstance(answer.result, int):
                assert (asked, answer.result) in self.asked
            at, first = self.first.setdefault(asked, (len(self.lines), answer.result))
            if (first if isinstance(first, int) else at) > self.remembered:
                assert answer.result == first

    @property
    def remembered(self) -> int:
        """The seq from which on answers have to be remembered: the last round's deal but one."""
        return self.deals[-2:][0] if self.deals else 0

    def take_over(self) -> None:
        """Another host goes on from what is stored alone."""
        self.takeovers += 1
        tail = self.tail()
        self.now += self.random.randint(0, 9_000)
        self.game = LiveMatch(self.plan, self.random, self.now)
        self.game.resume(tail, self.now)

    def tail(self) -> LogTail:
        """What another host finds."""
        start = self.deals[-1] if self.deals else 1
        known = max(self.remembered, 1)
        asked: list[tuple[ActionKey, Ruling]] = []
        asked += [request for request in self.asked if request[1] >= known]
        asked += [(key, why) for at, key, why in self.refused if at > known]
        ends = [line.totals for line in self.lines[:start] if isinstance(line, End)]
        return LogTail(
            "unruly",
            self.takeovers + 1,
            self.plan,
            start,
            self.lines[start:],
            ends[-1] if ends else self.totals,
            asked,
            self.game.host_state(self.now),
            None,
            over=False,
            before=digest_after(first_digest(self.header), self.lines[1:start]),
            sealed=self.sealed,
        )

    def check(self) -> CheckedRecord:
        """The record so far, as a stranger would check it."""
        text = "".join(f"{write_line(line)}\n" for line in self.lines)
        return check(BytesIO(text.encode()))

    # Clients

    def _clients(self) -> None:
        random = self.random
        people = self.plan.humans
        if random.random() < 0.1:
            here = {seat: 20 for seat in people if random.random() < 0.97}
            self.game.report_presence(PresenceReport("here", here, 0), self.now)
        seat = random.choice(people)
        luck = random.random()
        if luck < 0.0002:
            rare: list[Command] = [Leave(), Vote("abandon", yes=True)]
            self.game.command(seat, random.choice(rare))
        elif luck < 0.1:
            salt = random.choice([None, "", "9f02", random.randbytes(32).hex()])
            self.game.command(seat, Ready(ready=True, salt=salt))
        elif luck < 0.11:
            self.game.command(seat, Salt(random.randbytes(4).hex()))
        elif luck < 0.2 and self._sent:
            self.retries += 1
            self._ask(random.choice(self._sent[-30:]))
        elif luck < 0.9:
            self._ask(self._any_ask(seat))

    def _ask(self, request: ActionRequest) -> None:
        self._sent.append(request)
        self.answered(self.game.arrive(request, self.now))

    def _any_ask(self, seat: int) -> ActionRequest:
        random, live = self.random, self.game.round
        self._number += 1
        table = live.table if live else None
        hand = table.hands[seat] if table else []
        card = random.choice(hand) if hand and random.random() < 0.95 else "A1a"
        number = random.randint(1, 4) if FACE[card] == 6 and random.random() < 0.5 else None
        seen = random.choice([None, 0, 10**6, random.randint(0, live.shown if live else 0)])
        slot = random.randrange(6 if random.random() < 0.02 else len(self.plan.places))
        try_ = Try(seat, card, slot, number, seen)
        actions: list[Action] = [try_, DrawOne(seat), DiscardOne(seat, card), Shout(seat)]
        action = random.choices(actions, [10, 6, 2, 1])[0]
        floor = random.randint(0, len(self.lines))
        number = live.deal.round if live and random.random() < 0.98 else random.randint(1, 9)
        return ActionRequest(ConnectionId("here", seat), f"a{self._number}", number, action, floor)
