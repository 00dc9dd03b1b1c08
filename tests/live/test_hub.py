"""Followers of a match: players at once, spectators in batches, nobody waits for a slow one."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any
from weakref import ref

import pytest

from games.engine.actions import DrawOne
from games.engine.dealing import shuffled
from games.engine.events import Deal, Discard, Draw, Event
from games.live.fanout.broadcast import MAX_LINES
from games.live.fanout.close_codes import DONE, RESTART
from games.live.fanout.connection import MOST_SHORT, SILENT_MS, WINDOW
from games.live.fanout.follower import FAR_BEHIND, MOST_UNANSWERED, Follower
from games.live.fanout.frames import OPEN, SPECTATOR, View
from games.live.fanout.hub import BATCH_MS, CROWD_MS, REPORT_MS, Hub, batch_ms
from games.live.fanout.pieces import Crowd
from games.live.host.client_frames import Command, Hello
from games.live.host.leases import LogTail, LogUpdate
from games.live.host.requests import ActionRequest, Answer, LogEntry, PresenceReport, Refused
from games.people.person import account, guest
from games.records.log import Line
from games.tables.plan import OPEN_DELAY_MS, Plan, new_plan
from tests.clocks import ManualClock
from tests.live.asyncapi import hold
from tests.live.states import HOST_STATE, match_state

PLAN = new_plan("m", "usaopoly-2009", 2, {}).sit(guest("0"), "P0").sit(guest("1"), "P1")
STATE = match_state("seating")
DEAL = shuffled(PLAN.rules, 2, 1, Random(1))


class Room:
    """A hub on a clock turned by hand, as the desk of which this takes down what is asked."""

    def __init__(self, plan: Plan = PLAN) -> None:
        self.clock = ManualClock()
        self.hub = Hub("here", self.clock, self)
        self.broadcast = self.hub.open(
            LogTail("m", 1, plan, 1, [], (0, 0), [], HOST_STATE, STATE, over=False)
        )
        self.requests: list[ActionRequest] = []
        self.reports: list[PresenceReport] = []
        self.events = 0

    def request(self, match: str, request: ActionRequest) -> None:
        self.requests.append(request)

    def command(self, match: str, seat: int, command: Command) -> None:
        raise AssertionError(command)

    def report_presence(self, match: str, report: PresenceReport) -> None:
        self.reports.append(report)

    def follow(self, view: View, **hello: Any) -> Reader:
        return Reader(self, view, Hello(1, **hello))

    def tell(self, *lines: Line) -> None:
        self.hub.publish("m", self.broadcast.end, [LogEntry(line) for line in lines], ())

    def happen(self, count: int) -> None:
        """Let so many things happen, each in a commit of its own."""
        for _ in range(count):
            self.events += 1
            self.clock.advance(1)
            card = DEAL.decks[0][self.events % 30]
            self.tell(Discard(self.events, 0, card))


class Reader:
    """A connection that keeps what it is sent."""

    def __init__(self, room: Room, view: View, hello: Hello) -> None:
        self.frames: list[dict[str, Any]] = []
        self.code: int | None = None
        self.stuck: asyncio.Future[None] | None = None
        self.room = room
        self.follower: Follower = room.hub.follow(room.broadcast, view, hello, self._send)

    async def _send(self, message: dict[str, Any]) -> None:
        if self.stuck is not None:
            await self.stuck
        if message["type"] == "websocket.close":
            self.code = message["code"]
        else:
            frame = json.loads(message["text"])
            if frame["type"] != "state":  # which is made up here
                hold(message["text"], "hear")
            self.frames.append(frame)

    def kinds(self) -> list[str]:
        return [frame["type"] for frame in self.frames]

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [line for f in self.frames if f["type"] == "lines" for line in f["lines"]]

    def got(self, seq: int | None = None) -> None:
        last = [f for f in self.frames if f["type"] == "lines"][-1]
        end = last["seq"] + len(last["lines"])
        self.room.hub.got(self.follower, end if seq is None else seq)


async def others() -> None:
    """Let the event loop run what is ready."""
    for _ in range(8):
        await asyncio.sleep(0)


async def test_players_are_told_at_once_and_spectators_in_batches() -> None:
    room = Room()
    player, spectator = room.follow(0), room.follow(SPECTATOR)
    room.tell(DEAL)
    room.happen(3)
    assert player.kinds() == ["welcome", "state", "lines", "lines", "lines", "lines"]
    assert spectator.kinds() == ["welcome", "state"]
    await room.hub.batch()
    assert spectator.kinds() == ["welcome", "state", "lines"]
    assert len(spectator.lines) == 4


async def test_the_tabs_of_a_browser_are_one_spectator() -> None:
    room = Room()
    for viewer in ("hers", "hers", "his", "", ""):
        room.follow(SPECTATOR, viewer=viewer)
    room.follow(0, viewer="hers")
    room.hub.report_presence("m")
    assert room.reports[-1].watching == 4, "two browsers, and two programs without an id"


async def test_one_text_is_written_for_all_who_see_the_same() -> None:
    room = Room()
    texts: list[str] = []

    async def keep(message: dict[str, Any]) -> None:
        texts.append(message["text"])

    for _ in range(3):
        room.hub.follow(room.broadcast, SPECTATOR, Hello(1), keep)
    room.tell(DEAL)
    texts.clear()
    await room.hub.batch()
    assert len(texts) == 3
    assert len({id(text) for text in texts}) == 1


async def test_what_is_ready_goes_out_in_one_send() -> None:
    room = Room()
    sent: list[Sequence[str]] = []

    def direct(texts: Sequence[str]) -> bool:
        sent.append(texts)
        return True

    async def unused(message: dict[str, Any]) -> None:
        raise AssertionError(message)

    room.tell(DEAL)
    room.hub.follow(room.broadcast, 0, Hello(1), unused, direct)
    assert [[json.loads(text)["type"] for text in texts] for texts in sent] == [
        ["welcome", "state", "lines"]
    ]


async def test_a_closed_connection_is_freed_at_once() -> None:
    """Without the garbage collector, which hardly ever runs."""

    async def ignore(message: dict[str, Any]) -> None:
        """Nobody reads."""

    room = Room()
    gc.disable()
    try:
        follower = room.hub.follow(room.broadcast, SPECTATOR, Hello(1), ignore)
        known = ref(follower)
        room.hub.unfollow(follower)
        del follower
        assert known() is None
    finally:
        gc.enable()


def test_large_crowds_wait_longer_for_larger_batches() -> None:
    assert [batch_ms(count) for count in (0, 500, 750, 1_000, 4_000)] == [250, 250, 375, 500, 500]


async def test_no_more_than_the_window_is_on_its_way() -> None:
    room = Room()
    player = room.follow(0)
    room.tell(DEAL)
    room.happen(100)
    assert player.kinds().count("lines") == WINDOW
    player.got()
    assert len(player.lines) == 101
    assert player.kinds().count("lines") == WINDOW + 1


async def test_a_spectator_acknowledges_seldom_and_a_player_each_frame() -> None:
    room = Room()
    for view, every in ((0, 1), (SPECTATOR, WINDOW // 2)):
        welcome = room.follow(view).frames[0]
        assert (welcome["type"], welcome["got_every"]) == ("welcome", every)


async def test_who_is_far_behind_is_brought_to_the_current_round() -> None:
    room = Room()
    slow = room.follow(1)
    room.tell(DEAL)
    room.happen(FAR_BEHIND + 50)
    deal = shuffled(PLAN.rules, 2, 2, Random(2))
    room.tell(deal)
    slow.got()
    resync = next(frame for frame in slow.frames if frame["type"] == "resync")
    assert resync["round"] == 2
    assert slow.lines[-1]["round"] == 2
    assert slow.follower.cursor == room.broadcast.end


async def test_a_long_way_is_gone_in_frames_of_bounded_length() -> None:
    room = Room()
    room.tell(DEAL)
    room.happen(3 * MAX_LINES)
    await room.hub.batch()
    late = room.follow(SPECTATOR)
    lengths = [len(frame["lines"]) for frame in late.frames if frame["type"] == "lines"]
    assert lengths == [MAX_LINES] * 3 + [1]


async def test_who_acknowledges_nothing_is_closed() -> None:
    room = Room()
    silent, well = room.follow(SPECTATOR), room.follow(SPECTATOR)
    room.tell(DEAL)
    await room.hub.batch()
    well.got()
    room.clock.advance(SILENT_MS + 1)
    await room.hub.batch()
    assert silent.code == 4408
    assert silent.frames[-1]["type"] == "bye"
    assert well.code is None


async def test_who_is_answered_faster_than_it_reads_is_closed() -> None:
    room = Room()
    flooding = room.follow(0)
    flooding.stuck = asyncio.get_running_loop().create_future()
    for _ in range(MOST_SHORT + 3):
        flooding.follower.say('{"type":"pong","n":1,"now":0}')
        flooding.follower.pump(room.clock.now())
    assert flooding.follower.closed is not None
    flooding.stuck.set_result(None)
    flooding.stuck = None
    await others()
    assert flooding.code == 4408


async def test_a_stuck_connection_delays_nobody() -> None:
    room = Room()
    stuck, well = room.follow(0), room.follow(1)
    stuck.stuck = asyncio.get_running_loop().create_future()
    room.tell(DEAL)
    room.happen(5)
    assert len(well.lines) == 6
    assert stuck.lines == []
    stuck.stuck.set_result(None)
    stuck.stuck = None
    await others()
    assert len(stuck.lines) == 6


async def test_a_broken_connection_is_let_go() -> None:
    room = Room()
    reader = room.follow(0)

    async def fail(_message: dict[str, Any]) -> None:
        raise ConnectionResetError

    broken = room.hub.follow(room.broadcast, 1, Hello(1), fail)
    room.tell(DEAL)
    room.happen(1)
    assert broken.gone
    assert len(reader.lines) == 2


async def test_a_hello_with_what_it_has_goes_on_from_there() -> None:
    room = Room()
    room.tell(DEAL)
    room.happen(10)
    again = room.follow(0, epoch=1, seq=8)
    assert again.frames[0]["seq"] == 8
    assert again.lines[0]["t"] == 7
    beyond = room.follow(0, epoch=1, seq=900)
    assert beyond.frames[0]["seq"] == 1
    assert "decks" in beyond.lines[0]


async def test_open_hands_are_late_and_show_no_draw_pile() -> None:
    room = Room(replace(PLAN, open_delay_ms=OPEN_DELAY_MS))
    opened = room.follow(OPEN)
    room.tell(DEAL)
    room.tell(Draw(5, 0, DEAL.decks[0][3]))
    room.clock.advance(OPEN_DELAY_MS - 1)
    await room.hub.batch()
    assert opened.lines == []
    late = room.follow(OPEN, epoch=1, seq=3)
    assert late.lines == []
    room.clock.advance(1)
    await room.hub.batch()
    deal, draw = opened.lines
    for deck, shown in zip(DEAL.decks, deal["decks"], strict=True):
        first, rest = shown.split(" ")[:3], shown.split(" ")[3:]
        assert first == list(deck[:3])
        assert set(rest) == {shown[:1] + "?"}
    assert draw["card"] == DEAL.decks[0][3]


@pytest.mark.parametrize("delay", [1, OPEN_DELAY_MS - 1, 300_001])
def test_open_hands_are_never_less_late(delay: int) -> None:
    with pytest.raises(ValueError, match="30000 to 300000 ms late"):
        replace(PLAN, open_delay_ms=delay)


async def test_lag_is_measured_and_the_roll_called() -> None:
    room = Room()
    player = room.follow(1)
    room.follow(SPECTATOR)
    room.tell(DEAL)
    room.clock.advance(42)
    player.got()
    room.hub.report_presence("m")
    assert room.reports[-1]._replace(number=0) == PresenceReport("here", {1: 42}, 1)
    room.hub.unfollow(player.follower)
    assert room.reports[-1]._replace(number=0) == PresenceReport("here", {}, 1)


async def test_a_crowd_is_reported_until_the_match_is_over() -> None:
    """No host would fetch further reports, and they would delay what other tables' players ask."""
    room = Room()
    room.hub.crowds["m"] = Crowd(room.clock.now())
    running = asyncio.create_task(room.hub.run())

    async def pass_by(ms: int) -> None:
        for _ in range(0, ms, BATCH_MS):
            await others()
            room.clock.advance(BATCH_MS)
        await others()

    await pass_by(2 * REPORT_MS)
    assert len(room.reports) == 2
    room.broadcast.over = True
    await pass_by(2 * REPORT_MS)
    assert len(room.reports) == 2
    assert room.hub.broadcast("m") is room.broadcast, "some may still ask for its end"
    await pass_by(CROWD_MS)
    assert room.hub.broadcast("m") is None
    running.cancel()


async def test_what_counts_as_shown_is_the_seats_not_the_connections() -> None:
    room = Room()
    honest, silent = room.follow(0), room.follow(0)
    room.tell(DEAL)
    room.happen(4)
    honest.got(4)
    room.hub.request(silent.follower, "a", 1, Draw)
    assert room.requests[-1].floor == 4
    room.clock.advance(1_001)
    room.hub.request(silent.follower, "b", 1, Draw)
    assert room.requests[-1].floor == 6


async def test_lines_from_another_process_leave_no_gap() -> None:
    room = Room()
    player = room.follow(0)
    room.tell(DEAL)
    events: list[Event] = [Draw(t, 1, "B1a") for t in range(4)]
    state = match_state("round")
    assert not room.hub.update(LogUpdate("m", 2, 4, events[2:], state, 1, over=False))
    assert len(player.lines) == 1
    assert room.hub.update(LogUpdate("m", 2, 2, events, state, 1, over=False))
    assert room.hub.update(LogUpdate("m", 2, 3, events[1:], state, 1, over=False))
    assert [line["t"] for line in player.lines[1:]] == [0, 1, 2, 3]
    assert player.kinds().count("state") == 2


async def test_draining_says_goodbye_to_all_and_to_those_who_come() -> None:
    room = Room()
    here = room.follow(SPECTATOR)
    room.hub.drain()
    late = room.follow(SPECTATOR)
    assert (here.code, late.code) == (RESTART.code, RESTART.code)
    assert late.frames[-1] == {
        "type": "bye", "code": 1012, "reason": "restart", "retry_ms": 1000,
    }  # fmt: skip


def test_rounds_that_all_have_seen_are_let_go() -> None:
    room = Room()
    for number in range(1, 6):
        room.tell(Deal(number, DEAL.decks))
        room.happen(10)
        room.clock.advance(1_000)
    assert room.broadcast.round_at(room.broadcast.first) == 4


async def test_who_came_by_an_old_key_is_sent_away() -> None:
    room = Room(replace(PLAN, key="old"))
    player, watcher = room.follow(0), room.follow(SPECTATOR)
    room.hub.reseat(replace(PLAN, key="new"))
    await others()
    assert (player.code, watcher.code) == (None, 4403)


async def test_who_lost_the_seat_is_sent_away_before_another_gets_its_cards() -> None:
    room = Room()
    player, mate = room.follow(0), room.follow(1)
    room.hub.reseat(PLAN.stand_up(0).sit(guest("2"), "P2"))
    await others()
    assert (player.code, mate.code) == (4403, None)
    room.tell(DEAL)
    assert (len(player.lines), len(mate.lines)) == (0, 1)
    room.hub.reseat(PLAN)
    assert room.broadcast.plan.seat_of(guest("0")) is None, "after the deal nobody changes seats"
    room.hub.reseat(PLAN.hand_over(guest("1"), account(1)))
    assert room.broadcast.plan.seat_of(account(1)) == 1, "but a guest may take an account"
    await others()
    assert mate.code is None


async def test_a_new_plan_comes_from_another_process() -> None:
    room = Room()
    player = room.follow(0)
    plan = PLAN.stand_up(0).sit(guest("2"), "P2")
    room.hub.update(LogUpdate("m", 1, 1, [DEAL], STATE, 1, over=False, plan=plan))
    await others()
    assert (player.code, player.lines) == (4403, [])
    assert room.broadcast.plan == plan


async def test_a_later_look_at_the_table_knows_who_has_sat_down() -> None:
    room = Room()
    plan = PLAN.stand_up(0).sit(guest("2"), "P2")
    tail = LogTail("m", 1, plan, 1, [], (0, 0), [], HOST_STATE, STATE, over=False)
    assert room.hub.open(tail).plan == plan


async def test_a_channel_let_go_of_while_somebody_came_is_held_again() -> None:
    room = Room()
    room.hub._report_all()
    assert room.hub.broadcast("m") is None
    player = room.follow(0)
    room.tell(DEAL)
    assert len(player.lines) == 1
    room.hub.unfollow(player.follower)
    room.hub._report_all()
    newer = room.hub.open(LogTail("m", 1, PLAN, 1, [], (0, 0), [], HOST_STATE, STATE, over=False))
    late = room.follow(0)
    assert late.follower.broadcast is newer is not room.broadcast


async def test_open_hands_are_told_nothing_before_their_time() -> None:
    """Neither who leads nor that a round is over, and no phrase: all comes as late as the cards."""
    room = Room(replace(PLAN, open_delay_ms=OPEN_DELAY_MS))
    spectator, opened = room.follow(SPECTATOR), room.follow(OPEN)
    states = lambda viewer: [f["phase"] for f in viewer.frames if f["type"] == "state"]  # noqa: E731
    room.clock.advance(OPEN_DELAY_MS)
    await room.hub.batch()
    before = states(opened)
    for phase in ("countdown", "round"):
        room.clock.advance(100)
        room.hub.publish_state(PLAN.id, match_state(phase, wait_ms=3_000))
    await room.hub.batch()
    assert states(spectator)[-1] == "round"
    assert states(opened) == before
    room.clock.advance(OPEN_DELAY_MS - 100)
    await room.hub.batch()
    assert states(opened) == [*before, "countdown"]
    late = room.follow(OPEN)
    assert [f["wait_ms"] for f in late.frames if f["type"] == "state"] == [3_000]
    room.broadcast.over = True
    await room.hub.batch()
    assert opened.code is None
    room.clock.advance(100)
    await room.hub.batch()
    assert states(opened) == [*before, "countdown", "round"]
    await room.hub.batch()
    assert opened.code == DONE.code


# Actions that the last host did not answer


def ask(room: Room, seat: Reader, *names: str) -> None:
    for name in names:
        room.hub.request(seat.follower, name, 1, DrawOne(0))


def asked(room: Room) -> list[str]:
    return [request.id for request in room.requests]


def taken_over(epoch: int) -> LogUpdate:
    return LogUpdate("m", epoch, 1, [], STATE, 0, over=False)


def test_another_host_is_asked_what_was_not_answered() -> None:
    room = Room()
    seat = room.follow(0)
    ask(room, seat, "a1", "a2", "a3")
    refused = Answer((seat.follower.connection,), "a2", Refused("one-hand", ""))
    room.hub.answer("m", [refused])
    room.hub.update(taken_over(1))
    assert asked(room) == ["a1", "a2", "a3"]
    room.hub.update(taken_over(2))
    assert asked(room) == ["a1", "a2", "a3", "a1", "a3"]


def test_a_host_in_this_process_is_asked_too() -> None:
    room = Room()
    ask(room, room.follow(0), "a1")
    room.hub.open(LogTail("m", 2, PLAN, 1, [], (0, 0), [], HOST_STATE, STATE, over=False))
    assert asked(room) == ["a1", "a1"]


def test_only_the_last_actions_of_a_flood_are_remembered() -> None:
    room = Room()
    names = [f"a{number}" for number in range(MOST_UNANSWERED * 3)]
    ask(room, room.follow(0), *names)
    room.hub.update(taken_over(2))
    assert asked(room) == [*names, *names[-MOST_UNANSWERED:]]
