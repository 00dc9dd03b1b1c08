"""Who is at the table: away, idle, gone, what a player says; bots that play on, giving up."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from games.engine.actions import DrawOne, Try
from games.engine.events import FULL_ROUND, Discard, Draw, End, Event, Late, Miss, Out, Play
from games.live.host.client_frames import Back, Leave, Ready, Salt, Vote
from games.live.host.match import LiveMatch
from games.live.host.presence import SAID_MS, PlayerPresence
from games.live.host.requests import PresenceReport, Refused
from games.people.person import account, guest
from games.records.log import Line, Result
from games.tables.plan import ALL, NOW, Plan, new_plan
from tests.live.bench import TIMING, Bench, people, tail_of
from tests.narrowing import present


def seats_of(lines: Iterable[Line]) -> set[int]:
    """Whose actions these lines are, ties apart."""
    kinds = Play | Draw | Discard | Late | Miss | Out
    return {line.seat for line in lines if isinstance(line, kinds)}


def test_a_bot_plays_on_for_somebody_away_and_stops_when_they_are_back() -> None:
    bench = Bench(people(2)).begin()
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
    assert seats_of(bench.lines) == {1}
    assert bench.game.state(bench.now)["seats"][1]["bot"] is True
    bench.here = {0, 1}
    bench.turn(500)  # what it had begun is decided
    count = len(bench.lines)
    bench.turn(5_000)
    assert not seats_of(bench.lines[count:])
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
    bench = Bench(people(2, stall_ms=0)).begin()
    wait_with(bench, 0, 25_000)
    assert idle_in(bench, 1) == (None, False)
    bench.game.dirty = False
    wait_with(bench, 0, 10_000)
    assert idle_in(bench, 1)[0] == pytest.approx(25_000, abs=500)
    assert bench.game.dirty, "others are told"
    wait_with(bench, 0, 25_000)
    assert idle_in(bench, 1) == (None, True)
    assert bench.game.state(bench.now)["seats"][1]["here"] is True
    wait_with(bench, 0, 10_000)
    assert seats_of(bench.lines) == {1}
    bench.request(DrawOne(1), "by the page")
    bench.turn(200)
    assert idle_in(bench, 1) == (None, True), "a page draws by itself"
    bench.game.command(1, Salt("00" * 32))
    bench.turn(200)
    assert idle_in(bench, 1) == (None, True), "a page sends salts by itself"
    bench.game.command(1, Back())
    bench.turn(200)
    assert idle_in(bench, 1) == (None, False)
    count = len(bench.lines)
    wait_with(bench, 0, 25_000)
    assert len(bench.lines) == count
    wait_with(bench, 0, 40_000)
    assert idle_in(bench, 1)[1]
    assert bench.request(Try(1, present(bench.game.round).table.hands[1][0], 0), "b") is None
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
    bench = Bench(people(2, stall_ms=0)).begin()

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
    bench = Bench(people(2)).begin()
    bench.game.command(1, Leave())
    bench.turn(5_000)
    assert any(getattr(line, "seat", None) == 1 for line in bench.lines)
    assert bench.request(DrawOne(1)) is None
    bench.settle()
    answer = bench.answers[-1]
    assert isinstance(answer.result, Refused)
    assert answer.result.rule == "not-seated"


def test_everybody_who_has_not_left_gives_the_match_up() -> None:
    bench = Bench(people(3)).begin()
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
    bench = Bench(people(2, tie_window_ms=0, stall_ms=600_000)).begin()
    bench.here = set()
    bench.turn(TIMING.empty_ms + 500, 500)
    assert bench.game.phase == "abandoned"


def test_rounds_in_which_everybody_idles_end_and_so_does_the_match() -> None:
    bench = Bench(people(2, stall_ms=1_000)).begin()
    bench.turn(90_000, 200)
    assert bench.game.phase == "abandoned"
    reasons = [line.reason for line in bench.lines if isinstance(line, End)]
    assert reasons == ["stalled", "stalled", "stalled", "abandoned"]


def test_a_round_without_a_stall_rule_does_not_idle_for_ever() -> None:
    bench = Bench(people(2, stall_ms=0)).begin()
    bench.turn(TIMING.idle_ms + 1_000, 500)
    assert bench.game.phase == "abandoned"


def test_a_round_that_is_full_is_given_up() -> None:
    bench = Bench(people(2)).begin()
    assert bench.game.round is not None
    bench.game.round.table.events = FULL_ROUND
    bench.turn(100)
    assert bench.game.phase == "abandoned"
    assert isinstance(bench.lines[-2], End)
    assert bench.lines[-2].reason == "abandoned"


def test_a_phrase_is_shown_for_a_while_and_not_too_often() -> None:
    plan = new_plan("m", "usaopoly-2009", 2, {}).sit(guest("0"), "P0").seat_bot("taker", 3, "B")
    bench = Bench(plan)

    def says() -> str | None:
        phrase: str | None = bench.game.state(bench.now)["seats"][0]["says"]
        return phrase

    bench.game.dirty = False
    bench.game.say(0, "ouch", bench.now)
    assert bench.game.dirty
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


# --- Tables that wait for all their players ------------------------------------------------------


def challenged(bots: int = 1) -> Plan:
    """A guest, and accounts that are bots, at a table that one of these has accepted."""
    plan = new_plan("m", "usaopoly-2009", 1 + bots, {"stall_ms": 0}).sit(guest("a"), "Ada")
    for number in range(bots):
        plan = plan.sit(account(number), f"Deep {number}")
    return replace(plan.marked(list(map(str, range(bots)))), begins=ALL, bot_after_ms=0)


def test_a_table_that_waits_for_all_begins_with_a_player_who_comes_late() -> None:
    bench = Bench(replace(people(3), begins=ALL, school_class="c"))
    bench.here = {0, 1}
    bench.ready()
    bench.turn(TIMING.away_ms + TIMING.empty_ms)
    assert bench.game.phase == "seating"
    bench.here = {0, 1, 2}
    bench.begin()


def test_a_class_table_that_waits_is_there_though_nobody_has_come_for_long() -> None:
    bench = Bench(replace(people(2), begins=ALL, school_class="c"))
    bench.here = set()
    bench.turn(20 * TIMING.empty_ms, step=1_000)
    assert bench.game.phase == "seating"
    bench.turn(TIMING.waiting_ms, step=60_000)
    assert bench.game.phase == "abandoned"


@pytest.mark.parametrize("here", [{1}, {0, 1}, set()])
def test_a_challenge_that_does_not_begin_frees_its_bot_in_two_minutes(here: set[int]) -> None:
    """The challenger never comes, or is there and never ready; or the bot has gone as well."""
    bench = Bench(challenged())
    bench.here = here
    bench.turn(100)
    bench.game.command(1, Ready(ready=True))
    bench.turn(TIMING.begins_ms - 1_000, step=500)
    assert bench.game.phase == "seating"
    bench.turn(1_500, step=500)
    assert (bench.game.phase, bench.lines) == ("abandoned", [])


def test_a_bot_may_vote_to_end_a_table_whose_challenger_stays_away() -> None:
    bench = Bench(challenged())
    bench.here = {1}
    bench.turn(TIMING.away_ms - 1_000, step=500)
    bench.game.command(1, Vote("abandon", yes=True))
    bench.turn(500)
    assert bench.game.phase == "seating", "there is still time to come"
    bench.turn(1_000)
    assert bench.game.phase == "abandoned"


def test_a_match_left_to_one_program_is_given_up_but_two_play_on() -> None:
    alone, two = (Bench(challenged(count)).begin() for count in (1, 2))
    for bench in (alone, two):
        bench.here.remove(0)
        bench.turn(TIMING.empty_ms + 1_000, step=250)
    assert (alone.game.phase, two.game.phase) == ("abandoned", "round")


def test_all_who_are_there_may_start_a_table_without_those_who_are_missing() -> None:
    bench = Bench(replace(people(3), begins=ALL))
    bench.here = {0, 1}
    bench.turn(100)
    bench.game.command(0, Vote("start", yes=True))
    bench.turn(500)
    assert bench.game.phase == "seating", "the other one does not want to yet"
    bench.game.command(1, Vote("start", yes=True))
    bench.turn(500)
    assert bench.game.phase == "countdown"


def test_a_table_that_is_started_begins_at_once_and_its_rematch_asks_again() -> None:
    plan = replace(people(2), begins=ALL)
    bench = Bench(plan)
    bench.turn(500)
    bench.game.reseat(replace(plan, begins=NOW), bench.now)
    bench.turn(TIMING.countdown_ms + 200)
    assert bench.game.phase == "round"
    assert bench.game.rematch().begins == "ready"
