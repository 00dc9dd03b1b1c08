"""The course of a live match: seats, phases, actions and their answers, takeovers, rematches."""

import pytest

from games.engine.actions import Try
from games.engine.events import Deal, Late, Miss, Play
from games.live.host.client_frames import Leave, Ready, Vote
from games.live.host.requests import Refused
from games.people.person import account, guest
from games.tables.plan import NoSeatError, from_json, new_plan, to_json
from tests.live.bench import TIMING, Bench, people, tail_of


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


def test_all_want_a_rematch() -> None:
    bench = Bench(people(2, stall_ms=1_000, speedy=True)).begin()
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


def test_a_rematch_can_still_be_voted_for_where_a_host_took_over_after_the_end() -> None:
    bench = Bench(people(2, stall_ms=1_000, speedy=True)).begin()
    bench.turn(2_000)
    bench.game.command(0, Vote("rematch", yes=True))
    other = Bench(bench.game.plan)
    other.game.resume(tail_of(bench), other.now)
    assert not other.game.done(other.now), "nobody has had time to come back"
    other.turn(1_000)
    other.game.command(1, Vote("rematch", yes=True))
    assert other.game.presence.agreed("rematch", other.now)
    third = Bench(bench.game.plan)
    third.game.resume(tail_of(bench), third.now)
    third.here = set()
    assert third.game.due(third.now) == third.now + TIMING.away_ms
    third.turn(TIMING.away_ms)
    assert third.game.done(third.now), "and nobody has come"


def test_a_leaver_has_no_seat_in_the_rematch() -> None:
    bench = Bench(people(2))
    bench.game.command(1, Leave())
    assert [place.kind for place in bench.game.rematch().places] == ["", "human"]


def test_it_is_kept_for_whom_a_bot_finished_not_who_left_afterwards() -> None:
    bench = Bench(people(2, 1, speedy=True, stall_ms=5_000)).begin()
    bench.game.command(1, Leave())
    while bench.game.phase == "round":
        bench.turn(1_000)
    assert bench.game.phase == "finished"
    bench.game.command(0, Leave())
    assert bench.game.host_state(bench.now)["stand_ins"] == [1]


def test_who_left_after_the_end_has_played_to_it_for_another_host_too() -> None:
    bench = Bench(people(1, 2, speedy=True, stall_ms=5_000)).begin()
    while bench.game.phase == "round":
        bench.turn(1_000)
    assert bench.game.phase == "finished"
    bench.game.command(0, Leave())
    other = Bench(bench.game.plan)
    other.game.resume(tail_of(bench), other.now)
    assert other.game.phase == "finished"
    assert other.game.host_state(other.now)["stand_ins"] == []


def test_nobody_finishes_a_match_that_is_given_up() -> None:
    bench = Bench(people(2)).begin()
    bench.here.clear()
    while bench.game.phase != "abandoned":
        bench.turn(60_000)
    assert bench.game.host_state(bench.now)["stand_ins"] == []


def test_bots_alone_play_a_whole_match() -> None:
    bench = Bench(people(0, 3, speedy=True, stall_ms=5_000))
    bench.turn(300_000)
    assert bench.game.phase == "finished"
    assert bench.game.done(bench.now)


# What a screen showed

DECKS = ("A1a A2a A3a A4a A5a", "B1a B2a B3a B4a B5a")


def dealt() -> Bench:
    """Two people, at the first round of a match."""
    bench = Bench(people(2))
    bench.turn(100)
    bench.deal(*DECKS)
    return bench


@pytest.mark.parametrize(
    ("seen", "floor", "expected"),
    [(1, 0, Late), (1, 3, Miss), (2, 0, Miss), (99, 0, Miss), (None, 0, Miss)],
)
def test_seen_is_believed_as_far_as_the_host_knows_no_better(
    seen: int | None, floor: int, expected: type
) -> None:
    """A 2 on a 1 fits; the own 2 came when the slot showed another's 2 already."""
    bench = dealt()  # seq 1; the events have seq 2, 3, …
    bench.request(Try(0, "A1a", 0), "a1")
    bench.turn(200)
    bench.request(Try(0, "A2a", 0), "a2")
    bench.turn(200)
    assert [type(line) for line in bench.lines[1:]] == [Play, Play]
    bench.request(Try(1, "B2a", 0, None, seen), "b1", floor=floor + 1 if floor else 0)
    bench.turn(200)
    assert type(bench.last) is expected


def test_a_seat_cannot_unsee_by_a_second_connection() -> None:
    bench = dealt()
    bench.request(Try(0, "A1a", 0), "a1")
    bench.turn(200)
    bench.request(Try(0, "A2a", 0), "a2")
    bench.turn(200)
    bench.request(Try(1, "B3a", 1, None, 2), "b1")  # a mistake, with all events seen
    bench.turn(2_500)
    bench.request(Try(1, "B2a", 0, None, 1), "b2")
    bench.turn(200)
    assert type(bench.last) is Miss


def test_an_action_is_answered_after_its_commit_and_a_retry_waits_for_it() -> None:
    bench = dealt()
    assert bench.request(Try(0, "A1a", 0), "a1") is None
    bench.now += 200
    step = bench.game.step(bench.now)
    assert step.entries
    assert bench.request(Try(0, "A1a", 0), "a1") is None
    assert not bench.answers
    bench.commit(step)
    assert [answer.result for answer in bench.answers] == [2]
    again = bench.request(Try(0, "A1a", 0), "a1")
    assert again is not None
    assert again.result == 2


# Taking over


def test_a_new_host_goes_on_behind_the_last_line() -> None:
    bench = dealt()
    bench.request(Try(0, "A1a", 0), "a1")
    bench.turn(300)
    play = bench.last
    assert isinstance(play, Play)
    other = Bench(people(2))
    other.now = 77
    past = tail_of(bench)
    other.game.resume(past, other.now)
    assert other.game.phase == "pause"
    assert other.request(Try(1, "B1a", 0), "b1") is None
    other.settle()
    (refused,) = other.answers
    assert isinstance(refused.result, Refused)
    assert refused.result.rule == "paused"
    assert other.game.clock(other.now) == play.t + 50
    other.here = {0, 1}
    other.turn(50)
    assert other.game.phase == "round"
    other.request(Try(1, "B2a", 0), "b2")
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
