"""The course of a live match: seats, phases, bots that stand in, giving up, playing again."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.engine.actions import DrawOne, Try
from games.engine.events import Deal, End, Event, Late, Miss, Play
from games.live.host.leases import LogTail
from games.live.host.match import LiveMatch
from games.live.host.presence import SAID_MS, PlayerPresence
from games.live.host.requests import (
    ActionRequest,
    Answer,
    Back,
    ConnectionId,
    Leave,
    LogEntry,
    PresenceReport,
    Ready,
    Refused,
    Step,
    Vote,
)
from games.live.host.timing import Timing
from games.people.person import account, guest
from games.records.log import Line, Result
from games.tables.plan import NoSeatError, Plan, from_json, new_plan, to_json

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
        while found := self.game.step(self.now):
            self.commit(found)

    def commit(self, step: Step) -> None:
        self.lines += [entry.line for entry in step.entries]
        self.answers += self.game.committed(step, self.now)

    def ready(self) -> None:
        self.turn(100)
        for seat in self.here:
            self.game.command(seat, Ready(ready=True))

    def begin(self) -> None:
        self.ready()
        self.turn(TIMING.countdown_ms + 100)
        assert self.game.phase == "round"

    def deal(self, *decks: str) -> None:
        """Begin a round with these decks."""
        deal = Deal(1, tuple(tuple(deck.split()) for deck in decks))
        self.commit(Step((LogEntry(deal),)))

    def request(self, seat: int, action: object, name: str = "a", floor: int = 0) -> Answer | None:
        request = ActionRequest(ME, seat, name, 1, action, floor)  # type: ignore[arg-type]
        return self.game.arrive(request, self.now)

    @property
    def last(self) -> Line:
        return self.lines[-1]


def test_a_match_begins_when_all_seats_are_taken_and_all_are_ready() -> None:
    plan = new_plan("m", "usaopoly-2009", 3, {}).sit(guest("0"), "P0")
    bench = Bench(plan)
    bench.turn(1_000)
    bench.game.command(0, Ready(ready=True))
    bench.turn(1_000)
    assert bench.game.phase == "seating"
    full = plan.sit(guest("1"), "P1").seat_bot("taker", 3, "B")
    bench.here.add(1)
    bench.game.reseat(full, bench.now)
    bench.turn(1_000)
    assert bench.game.phase == "seating"
    bench.game.command(1, Ready(ready=True))
    bench.turn(100)
    assert bench.game.phase == "countdown"
    bench.turn(TIMING.countdown_ms)
    assert isinstance(bench.last, Deal)


def test_standing_up_in_the_countdown_avoids_the_deal() -> None:
    plan = people(2)
    bench = Bench(plan)
    bench.ready()
    bench.turn(100)
    assert bench.game.phase == "countdown"
    bench.game.reseat(plan, bench.now)
    assert bench.game.phase == "countdown", "nothing has changed"
    bench.game.reseat(plan.stand_up(1), bench.now)
    bench.turn(TIMING.countdown_ms * 2)
    assert (bench.game.phase, bench.lines) == ("seating", [])


def test_standing_up_during_the_deal_is_too_late() -> None:
    plan = people(2)
    bench = Bench(plan)
    bench.ready()
    bench.turn(100)
    bench.now += TIMING.countdown_ms
    step = bench.game.step(bench.now)
    bench.game.reseat(plan.stand_up(1), bench.now)
    bench.commit(step)
    assert (bench.game.phase, bench.game.plan) == ("round", plan)


def test_a_table_that_everybody_left_is_given_up() -> None:
    bench = Bench(people(1, bots=1))
    bench.game.reseat(bench.game.plan.stand_up(0), bench.now)
    bench.here = set()
    assert bench.game.due(bench.now) is not None
    bench.turn(TIMING.empty_ms + 500, 500)
    assert bench.game.phase == "abandoned"


def test_seats_are_taken_once() -> None:
    plan = new_plan("m", "usaopoly-2009", 2, {}).sit(account(1), "Ada")
    with pytest.raises(NoSeatError, match="already"):
        plan.sit(account(1), "Ada")
    with pytest.raises(NoSeatError, match="seat 0 is not free"):
        plan.sit(account(2), "Bo", 0)
    full = plan.sit(account(2), "Bo")
    with pytest.raises(NoSeatError, match="all seats"):
        full.sit(account(3), "Cy")
    assert full.stand_up(0).sit(account(3), "Cy").seat_of(account(3)) == 0
    assert from_json(to_json(full)) == full


def test_a_bot_plays_on_for_somebody_away_and_stops_when_they_are_back() -> None:
    bench = Bench(people(2))
    bench.begin()
    bench.here = {0}

    def away() -> list[int | None]:
        return [seat["away_ms"] for seat in bench.game.state(bench.now)["seats"]]

    bench.turn(50)
    assert away() == [None, TIMING.away_ms]
    bench.turn(TIMING.away_ms - 1_000)
    assert away() == [None, 1_000]
    assert not any(isinstance(line, Event) for line in bench.lines)
    bench.turn(8_000)
    assert away() == [None, None]
    assert {line.seat for line in bench.lines if hasattr(line, "seat")} == {1}
    assert bench.game.state(bench.now)["seats"][1]["bot"] is True
    bench.here = {0, 1}
    bench.turn(200)
    count = len(bench.lines)
    bench.turn(5_000)
    assert len(bench.lines) == count
    assert bench.game.state(bench.now)["seats"][1]["bot"] is False


def idle_in(bench: Bench, seat: int) -> tuple[int | None, bool]:
    """In how many ms a bot plays on for that seat, and whether one does."""
    state = bench.game.state(bench.now)["seats"][seat]
    return state["away_ms"], state["bot"]


def wait_with(bench: Bench, active: int, ms: int) -> None:
    """Let time pass in which only that seat does something."""
    for _ in range(0, ms, 5_000):
        bench.game.command(active, Back())
        bench.turn(5_000, step=250)


def test_a_bot_plays_on_for_somebody_idle_until_they_do_something() -> None:
    bench = Bench(people(2, stall_ms=0))
    bench.begin()
    wait_with(bench, 0, 25_000)
    assert idle_in(bench, 1) == (None, False)
    bench.game.news = False
    wait_with(bench, 0, 10_000)
    assert idle_in(bench, 1)[0] == pytest.approx(25_000, abs=500)
    assert bench.game.news, "others are told"
    wait_with(bench, 0, 25_000)
    assert idle_in(bench, 1) == (None, True)
    assert bench.game.state(bench.now)["seats"][1]["here"] is True
    wait_with(bench, 0, 10_000)
    assert {line.seat for line in bench.lines if hasattr(line, "seat")} == {1}
    bench.request(1, DrawOne(1), "by the page")
    bench.turn(200)
    assert idle_in(bench, 1) == (None, True), "a page draws by itself"
    bench.game.command(1, Back())
    bench.turn(200)
    assert idle_in(bench, 1) == (None, False)
    count = len(bench.lines)
    wait_with(bench, 0, 25_000)
    assert len(bench.lines) == count
    wait_with(bench, 0, 40_000)
    assert idle_in(bench, 1)[1]
    assert bench.request(1, Try(1, bench.game.round.table.hands[1][0], 0), "b") is None
    bench.turn(100)
    assert idle_in(bench, 1) == (None, False), "any other action does as well"


def test_an_idle_player_who_keeps_nobody_waiting_stays() -> None:
    alone, patient = (
        Bench(people(1, bots=1, stall_ms=0)),
        Bench(replace(people(2, stall_ms=0), bot_after_ms=0)),
    )
    for bench in (alone, patient):
        bench.begin()
        bench.turn(70_000, step=250)
        assert idle_in(bench, 0) == (None, False)


def test_idle_time_adds_up_over_rounds_without_what_lies_between() -> None:
    player = PlayerPresence(people(2).places[0], 0)
    player.here = True
    for counting, now in ((True, 0), (False, 40_000), (True, 500_000), (True, 519_000)):
        player.wait(counting, now, 60_000)
    assert not player.idle
    player.wait(True, 520_000, 60_000)
    assert player.idle


def test_idle_time_survives_the_host() -> None:
    bench = Bench(people(2, stall_ms=0))
    bench.begin()

    def take_over() -> None:
        tail = tail_of(bench)
        bench.game = LiveMatch(bench.game.plan, Random(7), bench.now)
        bench.game.resume(tail, bench.now)

    wait_with(bench, 0, 40_000)
    take_over()
    wait_with(bench, 0, 15_000)
    assert idle_in(bench, 1)[0] == pytest.approx(5_000, abs=500)
    wait_with(bench, 0, 10_000)
    assert idle_in(bench, 1) == (None, True)
    take_over()
    wait_with(bench, 0, 5_000)
    assert idle_in(bench, 1) == (None, True), "no pause for somebody for whom a bot plays"


def test_between_rounds_nobody_is_idle_and_a_table_of_idle_people_ends() -> None:
    bench = Bench(people(2, stall_ms=0))
    bench.turn(90_000, step=500)
    assert bench.game.phase == "seating"
    bench.begin()
    assert idle_in(bench, 0) == (None, False)
    bench.turn(61_000, step=250)
    assert [idle_in(bench, seat)[1] for seat in (0, 1)] == [True, True]
    bench.turn(TIMING.empty_ms, step=500)
    assert bench.game.phase in {"abandoned", "finished"}


def test_a_bot_replaces_a_leaver_at_once_who_may_not_act() -> None:
    bench = Bench(people(2))
    bench.begin()
    bench.game.command(1, Leave())
    bench.turn(5_000)
    assert any(getattr(line, "seat", None) == 1 for line in bench.lines)
    answer = bench.request(1, DrawOne(-1))
    assert answer is not None
    assert isinstance(answer.result, Refused)
    assert answer.result.rule == "not-seated"


def test_everybody_who_has_not_left_gives_the_match_up() -> None:
    bench = Bench(people(3))
    bench.begin()
    bench.game.command(2, Leave())
    bench.game.command(0, Vote("abandon", yes=True))
    bench.turn(200)
    assert bench.game.phase == "round"
    bench.game.command(1, Vote("abandon", yes=True))
    bench.turn(200)
    assert bench.game.phase == "abandoned"
    end, result = bench.lines[-2:]
    assert isinstance(end, End)
    assert end.reason == "abandoned"
    assert result == Result((), (0, 0, 0))


def test_a_deserted_match_is_given_up() -> None:
    bench = Bench(people(2, tie_window_ms=0, stall_ms=600_000))
    bench.begin()
    bench.here = set()
    bench.turn(TIMING.empty_ms + 500, 500)
    assert bench.game.phase == "abandoned"


def test_rounds_in_which_everybody_idles_end_and_so_does_the_match() -> None:
    bench = Bench(people(2, stall_ms=1_000))
    bench.begin()
    bench.turn(90_000, 200)
    assert bench.game.phase == "abandoned"
    reasons = [line.reason for line in bench.lines if isinstance(line, End)]
    assert reasons == ["stalled", "stalled", "stalled", "abandoned"]


def test_a_round_without_a_stall_rule_does_not_idle_for_ever() -> None:
    bench = Bench(people(2, stall_ms=0))
    bench.begin()
    bench.turn(TIMING.idle_ms + 1_000, 500)
    assert bench.game.phase == "abandoned"


def test_all_want_a_rematch() -> None:
    bench = Bench(people(2, stall_ms=1_000, speedy=True))
    bench.begin()
    bench.turn(2_000)
    assert bench.game.phase == "finished"
    assert not bench.game.done(bench.now)
    bench.game.command(0, Vote("rematch", yes=True))
    assert not bench.game.presence.agreed("rematch", bench.now)
    bench.game.command(1, Vote("rematch", yes=True))
    assert bench.game.presence.agreed("rematch", bench.now)
    plan = bench.game.rematch()
    assert plan is bench.game.rematch()
    assert [place.name for place in plan.places] == ["P1", "P0"]
    assert plan.id != "m"


def test_a_leaver_has_no_seat_in_the_rematch() -> None:
    bench = Bench(people(2))
    bench.game.command(1, Leave())
    assert [place.kind for place in bench.game.rematch().places] == ["", "human"]


def test_bots_alone_play_a_whole_match() -> None:
    bench = Bench(people(0, 3, speedy=True, stall_ms=5_000))
    bench.turn(300_000)
    assert bench.game.phase == "finished"
    assert bench.game.done(bench.now)


# What a screen showed

DECKS = ("A1a A2a A3a A4a A5a", "B1a B2a B3a B4a B5a")


@pytest.mark.parametrize(
    ("seen", "floor", "expected"),
    [(1, 0, Late), (1, 3, Miss), (2, 0, Miss), (99, 0, Miss), (None, 0, Miss)],
)
def test_seen_is_believed_as_far_as_the_host_knows_no_better(
    seen: int | None, floor: int, expected: type
) -> None:
    """A 2 on a 1 fits; the own 2 came when the slot showed another's 2 already."""
    bench = Bench(people(2))
    bench.turn(100)
    bench.deal(*DECKS)  # seq 1; the events have seq 2, 3, …
    bench.request(0, Try(-1, "A1a", 0), "a1")
    bench.turn(200)
    bench.request(0, Try(-1, "A2a", 0), "a2")
    bench.turn(200)
    assert [type(line) for line in bench.lines[1:]] == [Play, Play]
    bench.request(1, Try(-1, "B2a", 0, None, seen), "b1", floor=floor + 1 if floor else 0)
    bench.turn(200)
    assert type(bench.last) is expected


def test_a_seat_cannot_unsee_by_a_second_connection() -> None:
    bench = Bench(people(2))
    bench.turn(100)
    bench.deal(*DECKS)
    bench.request(0, Try(-1, "A1a", 0), "a1")
    bench.turn(200)
    bench.request(0, Try(-1, "A2a", 0), "a2")
    bench.turn(200)
    bench.request(1, Try(-1, "B3a", 1, None, 2), "b1")  # a mistake, with all events seen
    bench.turn(2_500)
    bench.request(1, Try(-1, "B2a", 0, None, 1), "b2")
    bench.turn(200)
    assert type(bench.last) is Miss


def test_an_action_is_answered_after_its_commit_and_a_retry_waits_for_it() -> None:
    bench = Bench(people(2))
    bench.turn(100)
    bench.deal(*DECKS)
    assert bench.request(0, Try(-1, "A1a", 0), "a1") is None
    bench.now += 200
    step = bench.game.step(bench.now)
    assert step.entries
    assert bench.request(0, Try(-1, "A1a", 0), "a1") is None
    assert not bench.answers
    bench.commit(step)
    assert [answer.result for answer in bench.answers] == [2]
    again = bench.request(0, Try(-1, "A1a", 0), "a1")
    assert again is not None
    assert again.result == 2


# Taking over


def test_a_new_host_goes_on_behind_the_last_line() -> None:
    bench = Bench(people(2))
    bench.turn(100)
    bench.deal(*DECKS)
    bench.request(0, Try(-1, "A1a", 0), "a1")
    bench.turn(300)
    play = bench.last
    assert isinstance(play, Play)
    other = Bench(people(2))
    other.now = 77
    past = tail_of(bench)
    other.game.resume(past, other.now)
    assert other.game.phase == "pause"
    refused = other.request(1, Try(-1, "B1a", 0), "b1")
    assert refused is not None
    assert isinstance(refused.result, Refused)
    assert refused.result.rule == "paused"
    assert other.game.clock(other.now) == play.t + 50
    other.here = {0, 1}
    other.turn(50)
    assert other.game.phase == "round"
    other.request(1, Try(-1, "B2a", 0), "b2")
    other.turn(200)
    line = other.last
    assert isinstance(line, Play)
    assert play.t + 50 <= line.t <= play.t + 200


@pytest.mark.parametrize("humans", [0, 1])
def test_bots_play_on_after_a_takeover_though_nobody_else_does_anything(humans: int) -> None:
    bench = Bench(people(humans, 2 - humans))
    bench.turn(100)
    bench.deal(*DECKS)
    other = Bench(bench.game.plan)
    past = tail_of(bench)
    other.game.resume(past, other.now)
    began = other.now
    while not other.lines:  # a host that nobody rings for looks when it said it would
        other.settle()
        due = other.game.due(other.now)
        assert due is not None
        assert due - began < TIMING.pause_ms + 3_000
        other.now = max(due, other.now)


def test_a_phrase_is_shown_for_a_while_and_not_too_often() -> None:
    plan = new_plan("m", "usaopoly-2009", 2, {}).sit(guest("0"), "P0").seat_bot("taker", 3, "B")
    bench = Bench(plan)

    def says() -> str | None:
        found: str | None = bench.game.state(bench.now)["seats"][0]["says"]
        return found

    bench.game.news = False
    bench.game.say(0, "ouch", bench.now)
    assert bench.game.news
    bench.turn(1_950)
    bench.game.say(0, "again", bench.now)
    assert says() == "ouch"
    bench.turn(50)
    bench.game.say(0, "again", bench.now)
    assert says() == "again"
    due = bench.game.due(bench.now)
    assert due is not None
    assert due <= bench.now + SAID_MS
    bench.turn(SAID_MS)
    assert says() is None
    said = 0
    for _ in range(20):
        bench.turn(2_000)
        bench.game.say(0, "ouch", bench.now)
        said += bench.game.presence[0].phrase_until == bench.now + SAID_MS
    assert said == 8


def test_those_who_watch_are_named_if_they_let_it() -> None:
    bench = Bench(new_plan("m", "usaopoly-2009", 2, {}))
    bench.game.report_presence(PresenceReport("a", {}, 3, ("Eve", "ada")), bench.now)
    bench.game.report_presence(PresenceReport("b", {}, 1, ("Eve",)), bench.now)
    state = bench.game.state(bench.now)
    assert (state["watching"], state["watchers"]) == (4, ["ada", "Eve"])


def test_a_newer_connection_is_not_closed_by_an_older_report() -> None:
    """A new host fetches what its own process had left for the old one, after it told it itself."""
    bench = Bench(new_plan("m", "usaopoly-2009", 2, {}).sit(guest("k"), "Ada"))
    bench.game.report_presence(PresenceReport("a", {0: None}, 0, (), 2), bench.now)
    bench.game.command(0, Ready(ready=True))
    assert not bench.game.presence.report_presence(PresenceReport("a", {}, 0, (), 1), bench.now)
    player = bench.game.presence[0]
    assert (player.here, player.ready) == (True, True)
    assert bench.game.presence.report_presence(PresenceReport("a", {}, 0, (), 3), bench.now)
    assert not player.here


def test_a_table_whose_only_person_went_away_does_not_begin_without_them() -> None:
    plan = new_plan("m", "usaopoly-2009", 2, {}).sit(guest("k"), "Ada").seat_bot("taker", 3, "Bo")
    bench = Bench(plan)
    bench.turn(1_000)
    bench.here = set()
    bench.turn(TIMING.away_ms + TIMING.countdown_ms + 5_000, step=500)
    assert (bench.game.phase, bench.lines) == ("seating", [])
    bench.here = {0}
    bench.turn(100)
    bench.begin()
    assert bench.game.phase == "round"
