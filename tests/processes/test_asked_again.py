"""What the last host of a table did not answer is brought to the next one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.engine.actions import DrawOne
from games.live.fanout.follower import MOST_UNANSWERED, Follower
from games.live.fanout.hub import Hub
from games.live.host.client_frames import Command, Hello
from games.live.host.leases import LogTail, LogUpdate
from games.live.host.requests import ActionRequest, Answer, PresenceReport, Refused
from games.tables.plan import new_plan
from tests.clocks import ManualClock
from tests.live.states import HOST_STATE, match_state

PLAN = new_plan("far", "usaopoly-2009", 2, {})
SEATING = match_state("seating")


@dataclass
class Desk:
    """Notes what is brought to the host."""

    asked: list[str] = field(default_factory=list)

    def request(self, _match: str, request: ActionRequest) -> None:
        self.asked.append(request.id)

    def command(self, _match: str, _seat: int, _command: Command) -> None:
        pass

    def report_presence(self, _match: str, _roll: PresenceReport) -> None:
        pass


async def send(_message: dict[str, Any]) -> None:
    pass


def seated() -> tuple[Desk, Hub, Follower]:
    desk = Desk()
    hub = Hub("here", ManualClock(), desk)
    broadcast = hub.open(
        LogTail("far", 1, PLAN, 1, [], (0, 0), [], HOST_STATE, SEATING, over=False)
    )
    return desk, hub, hub.follow(broadcast, 0, Hello(1), send)


def taken_over(epoch: int) -> LogUpdate:
    return LogUpdate("far", epoch, 1, [], SEATING, 0, over=False)


def test_another_host_is_asked_what_was_not_answered() -> None:
    desk, hub, follower = seated()
    for name in ("a1", "a2", "a3"):
        hub.request(follower, name, 1, DrawOne(0))
    hub.answer("far", [Answer((follower.connection,), "a2", Refused("one-hand", ""))])
    hub.update(taken_over(1))
    assert desk.asked == ["a1", "a2", "a3"]
    hub.update(taken_over(2))
    assert desk.asked == ["a1", "a2", "a3", "a1", "a3"]


def test_a_host_in_this_process_is_asked_too() -> None:
    desk, hub, follower = seated()
    hub.request(follower, "a1", 1, DrawOne(0))
    hub.open(LogTail("far", 2, PLAN, 1, [], (0, 0), [], HOST_STATE, SEATING, over=False))
    assert desk.asked == ["a1", "a1"]


def test_only_the_last_actions_of_a_flood_are_remembered() -> None:
    desk, hub, follower = seated()
    for number in range(MOST_UNANSWERED * 3):
        hub.request(follower, f"a{number}", 1, DrawOne(0))
    hub.update(taken_over(2))
    assert len(desk.asked) == MOST_UNANSWERED * 4
    assert desk.asked[-1] == f"a{MOST_UNANSWERED * 3 - 1}"
