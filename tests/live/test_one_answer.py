"""One action gets one answer, whatever becomes of hosts, of copies of a request and of answers.

`World` is two processes without sockets or a database, on a clock turned by hand: real hubs with
a client at each, hosts that take over from what is stored, and between them copies of requests
and answers that are delivered late, twice or never. Hypothesis turns the order of events.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.actions import Action, DiscardOne, DrawOne, Try
from games.engine.events import Deal
from games.live.fanout.follower import Follower
from games.live.fanout.hub import Hub
from games.live.host.client_frames import Command, Hello
from games.live.host.leases import LogTail, LogUpdate
from games.live.host.match import LiveMatch
from games.live.host.requests import (
    ActionKey,
    ActionRequest,
    Answer,
    LogEntry,
    PresenceReport,
    Ruling,
    Step,
)
from games.records.log import Line
from tests.clocks import ManualClock
from tests.live.bench import people
from tests.live.states import HOST_STATE, match_state

PLAN = people(2, tie_window_ms=50)
DECKS = ("A1a A2a A3a A4a A5a A5b A4b", "B1a B2a B3a B4a B5a B5b B4b")
ACTIONS = (Try(-1, "A1a", 0), Try(-1, "B1a", 0), Try(-1, "B5b", 1), DrawOne(-1))
SEATS = PROCESSES = (0, 1)


@dataclass
class Stored:
    """What the database holds."""

    epoch: int = 0
    lines: list[Line] = field(default_factory=list)
    answered: dict[ActionKey, Ruling] = field(default_factory=dict)


class Host:
    """A host of some epoch; it need not know that there is a later one."""

    def __init__(self, stored: Stored, now: int) -> None:
        self.stored = stored
        stored.epoch += 1
        self.epoch = stored.epoch
        self.game = LiveMatch(PLAN, Random(1), now)
        answered = list(stored.answered.items())
        self.game.resume(
            LogTail(
                "m", self.epoch, PLAN, 1, list(stored.lines), (0, 0), answered, None, None,
                over=False,
            ),
            now,
        )  # fmt: skip
        self.step = Step()
        """What it has decided and not committed."""

    def commit(self, now: int) -> list[Answer] | None:
        """Store what it has decided; None if another host was there first."""
        step, self.step = self.step, Step()
        if self.epoch != self.stored.epoch:
            return None
        first = len(self.stored.lines) + 1
        for seq, entry in enumerate(step.entries, first):
            self.stored.lines.append(entry.line)
            for key in entry.actions:
                assert key not in self.stored.answered, "done twice, or done and refused"
                self.stored.answered[key] = seq
        for key, refused in step.refusals:
            assert self.stored.answered.setdefault(key, refused) == refused
        return self.game.committed(step, now)


class World:
    """Both processes. Their numbers are 0 and 1; a seat has a client at each."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.stored = Stored()
        self.copies: list[ActionRequest] = []
        self.replies: list[Answer] = []
        self.told: dict[ActionKey, list[dict[str, Any]]] = defaultdict(list)
        self.sent: Counter[tuple[int, ActionKey]] = Counter()
        self.heard: Counter[tuple[int, ActionKey]] = Counter()
        self.actions: list[tuple[ActionKey, Any]] = []
        self.hosts = [Host(self.stored, self.clock.now())]
        deal = Deal(1, tuple(tuple(deck.split()) for deck in DECKS))
        self.hosts[0].step = Step((LogEntry(deal),))
        self.commit(0, 0)
        self.hubs = [Hub(str(number), self.clock, self) for number in PROCESSES]
        self.clients = [[self._client(process, seat) for seat in SEATS] for process in PROCESSES]

    def _client(self, process: int, seat: int) -> Follower:
        tail = LogTail(
            "m", 1, PLAN, 1, list(self.stored.lines), (0, 0), [], HOST_STATE, match_state("round"),
            over=False,
        )  # fmt: skip
        hub = self.hubs[process]

        def hear(texts: Sequence[str]) -> bool:
            for frame in map(json.loads, texts):
                if frame["type"] in ("ack", "refused"):
                    key = ActionKey(seat, frame["id"])
                    self.told[key].append(frame)
                    self.heard[process, key] += 1
            return True

        return hub.follow(hub.open(tail), seat, Hello(1), never, hear)

    # For the hubs, in place of the relay

    def request(self, _match: str, request: ActionRequest) -> None:
        self.copies.append(request)

    def command(self, _match: str, _seat: int, _command: Command) -> None:
        pass

    def report_presence(self, _match: str, _report: PresenceReport) -> None:
        pass

    # What may happen, in any order; `n` says to which of those that it may happen to

    def ask(self, process: int, n: int) -> None:
        """A client asks for something new."""
        seat = n % 2
        name = f"a{len(self.actions)}"
        cards = [card for deck in DECKS for card in deck.split()]
        actions: list[Action] = [*ACTIONS, DiscardOne(-1, cards[n % len(cards)])]
        action = actions[n % len(actions)]
        self.actions.append((ActionKey(seat, name), action._replace(seat=seat)))
        self._send(process, len(self.actions) - 1)

    def repeat(self, process: int, n: int) -> None:
        """A client sends again, through either process, what was asked through one of them."""
        if self.actions:
            self._send(process, n % len(self.actions))

    def _send(self, process: int, place: int) -> None:
        key, action = self.actions[place]
        self.sent[process, key] += 1
        self.hubs[process].request(self.clients[process][key.seat], key.id, 1, action)

    def bring(self, _process: int, n: int) -> None:
        """A copy of a request comes to a host, perhaps one that hosts no more."""
        if self.copies and self.hosts:
            request = self.copies.pop(n % len(self.copies))
            host = self.hosts[n % len(self.hosts)]
            self._tell(host.game.arrive(request, self.clock.now()))

    def lose(self, _process: int, n: int) -> None:
        """A copy of a request is lost."""
        if self.copies:
            self.copies.pop(n % len(self.copies))

    def decide(self, _process: int, n: int) -> None:
        """A host decides what is due."""
        if self.hosts and not (host := self.hosts[n % len(self.hosts)]).step:
            host.step = host.game.step(self.clock.now())

    def commit(self, _process: int, n: int) -> None:
        """A host commits that, and its answers set out."""
        if self.hosts:
            host = self.hosts[n % len(self.hosts)]
            answers = host.commit(self.clock.now())
            if answers is None:
                self.hosts.remove(host)
            for answer in answers or ():
                self._tell(answer)

    def die_committing(self, _process: int, n: int) -> None:
        """A host commits and dies before it tells anybody."""
        if self.hosts:
            self.hosts.pop(n % len(self.hosts)).commit(self.clock.now())

    def die(self, _process: int, n: int) -> None:
        """A host dies with what it has not committed."""
        if self.hosts:
            self.hosts.pop(n % len(self.hosts))

    def take_over(self, _process: int, _n: int) -> None:
        """Another host begins; the earlier ones may not know it."""
        self.hosts.append(Host(self.stored, self.clock.now()))

    def hear_of_it(self, process: int, _n: int) -> None:
        """A process hears of the latest host and lines, and asks that host again."""
        hub = self.hubs[process]
        broadcast = hub.broadcast("m")
        assert broadcast
        news = self.stored.lines[broadcast.end - 1 :]
        hub.update(LogUpdate("m", self.stored.epoch, broadcast.end, news, None, 0, over=False))

    def answer(self, _process: int, n: int) -> None:
        """An answer comes to the processes that asked."""
        if self.replies:
            answer = self.replies.pop(n % len(self.replies))
            for hub in self.hubs:
                hub.answer("m", [answer])

    def come_back(self, _process: int, n: int) -> None:
        """A host hears that the players are there, which ends its pause."""
        if self.hosts:
            report = PresenceReport("0", dict.fromkeys(SEATS, 20), 0)
            self.hosts[n % len(self.hosts)].game.report_presence(report, self.clock.now())

    def wait(self, _process: int, n: int) -> None:
        """Time passes."""
        self.clock.advance(n * 7)

    def _tell(self, answer: Answer | None) -> None:
        if answer:
            self.replies.append(answer)

    # What must be true

    def settle(self) -> None:
        """One healthy host in the end, and everybody asks again until it has answered."""
        self.take_over(0, 0)
        self.hosts = self.hosts[-1:]
        self.come_back(0, 0)
        for process in PROCESSES:
            self.hear_of_it(process, 0)
        for place in range(len(self.actions)):
            self._send(0, place)
        while self.copies:
            self.bring(0, 0)
            for _ in range(6):
                self.clock.advance(500)
                self.decide(0, 0)
                self.commit(0, 0)
        while self.replies:
            self.answer(0, 0)
        for process in PROCESSES:  # an answer waits for the line that it means
            self.hear_of_it(process, 0)

    def check(self) -> None:
        """Each action has had one answer, which is what has become of it."""
        for key, frames in self.told.items():
            assert all(frame == frames[0] for frame in frames), frames
            stored = self.stored.answered[key]
            expected = stored if isinstance(stored, int) else None
            assert frames[0].get("seq") == expected, frames
        for asked, count in self.heard.items():
            assert count <= self.sent[asked], "one answer for each time that a client asked"


async def never(_message: dict[str, Any]) -> None:
    raise AssertionError("frames go the short way here")


EVENTS = (
    *(World.ask, World.repeat, World.bring, World.bring, World.lose, World.decide, World.decide),
    *(World.commit, World.commit, World.die_committing, World.die, World.take_over),
    *(World.hear_of_it, World.answer, World.answer, World.come_back, World.wait, World.wait),
)
EVENT = st.tuples(st.sampled_from(EVENTS), st.sampled_from(PROCESSES), st.integers(0, 60))


@settings(max_examples=150, deadline=None)
@given(st.lists(EVENT, max_size=60))
def test_an_action_gets_one_answer_whatever_happens(events: list[Any]) -> None:
    world = World()
    for happen, process, n in events:
        happen(world, process, n)
        world.check()
    world.settle()
    world.check()
    assert world.told.keys() == {key for key, _ in world.actions}


def test_a_kill_between_a_request_and_its_answer() -> None:
    """Both clients on one process, the host on another, which dies: the copies come to the next."""
    world = World()
    for seat in SEATS:
        world.ask(0, seat)
    world.die(0, 0)
    world.take_over(0, 0)
    world.hear_of_it(0, 0)
    assert len(world.copies) == 4
    world.bring(0, 0)
    world.bring(0, 0)
    for _ in range(2):
        world.decide(0, 0)
        world.commit(0, 0)
        while world.replies:
            world.answer(0, 0)
        world.come_back(0, 0)
        world.wait(0, 60)
        while world.copies:
            world.bring(0, 0)
    world.check()
    assert [frames[0]["rule"] for frames in world.told.values()] == ["paused", "paused"]
    assert set(world.heard.values()) == {1}
