"""What a screen shows that nobody attends to, and when events reached a seat's."""

import pytest

from replays.analysis.directing import (
    AFTER_MS,
    DELAY_MS,
    LEAD_MS,
    RUN_UP_MS,
    SHOT_MS,
    Scene,
    Swing,
    choose,
    swings,
)
from replays.analysis.lag import settled_at, tries
from replays.analysis.race_cards import race_cards
from replays.analysis.race_words import race_words
from replays.analysis.screens import Way, arrivals, ways
from replays.analysis.winning.series import CLOCK, PLAY, TAKE, Point
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.analysis.telling import by_kind
from tests.bench.seeing import Line, match_over


@pytest.mark.parametrize(
    "line", [Line(20, 20, 0.2), Line(90, 90, 0.2), Line(150, 150, 0.4), Line(65, 135, 0.2)]
)
def test_most_events_arrive_within_the_band(line: Line) -> None:
    matches = [match_over(line, index) for index in range(2)]
    assert sum(match.within for match in matches) > 0.93 * sum(match.of for match in matches)
    assert all(match.width < 2.2 * (line.down + line.up) for match in matches)


def test_what_a_try_had_seen_had_arrived_and_time_never_falls() -> None:
    timeline = Timeline.of(lines(plan("roster", 3, 0)))
    seats = len(timeline.names)
    for played in timeline.rounds:
        settled = settled_at(played.events, timeline.header.rules)
        for seat, way in enumerate(ways(timeline, [None] * seats)):
            arrived = arrivals(played, seat, way)
            assert arrived
            for times in arrived:
                assert times == sorted(times)
            assert all(a <= b <= c for a, b, c in zip(*arrived, strict=True))
            assert all(a <= c for a, c in zip(settled, arrived.high, strict=True))
            for who, t, seen in tries(played.events):
                if who == seat and 0 < seen <= len(settled):
                    assert arrived.high[seen - 1] <= t


def test_a_measured_lag_makes_it_surer_and_nothing_is_made_up() -> None:
    timeline = Timeline.of(lines(plan("roster", 5, 0)))
    silent = Timeline(timeline.header)
    silent.add(timeline.rounds[0].deal)
    seats = len(timeline.names)
    assert ways(silent, [None] * seats) == [None] * seats
    (way, *_) = ways(silent, [80.0] * seats)
    assert way is not None
    assert way.low < way.likely < way.high
    assert abs(way.likely - 40) < 5


def test_a_race_card_says_when_the_loser_saw_it_and_never_before_the_hand_moved() -> None:
    timeline = Timeline.of(lines(plan("roster", 7, 0)))
    lags = [160.0] * len(timeline.names)
    every = [Way(60, 80, 100)] * len(timeline.names)
    races = [race for played in timeline.rounds for race in race_cards(played, lags, every)]
    shown = [race for race in races if race.shown]
    assert shown
    for race in shown:
        late = race.attempts[-1]
        assert race.shown
        assert late.hand_t is not None
        assert race.shown.likely > late.hand_t
        after = race.shown.likely - late.hand_t
        said = by_kind(race_words(race, None, lags, ties=True)["screens"])["came_to_screen"]
        assert (said["ms"], said["player"]) == (after, ("seat", late.seat))
    told = race_cards(timeline.rounds[0], lags)
    assert all(race.shown is None for race in told)


def scene(table: str, *ahead: tuple[int, float]) -> Scene:
    """A match with takes, each so many ms ahead."""
    return Scene(table, [Swing(ms, 0, size) for ms, size in ahead])


CALM, TENSE = scene("calm", (4_000, 0.02)), scene("tense", (3_000, 0.1), (8_000, 0.2))


def shown(*scenes: Scene, on: str, ms: int = SHOT_MS) -> str:
    chosen = choose(scenes, on, ms)
    return chosen.table if chosen else ""


def test_it_goes_where_most_is_about_to_change() -> None:
    assert shown(CALM, TENSE, on="calm") == "tense"
    assert shown(CALM, TENSE, on="") == "tense"
    assert shown(CALM, TENSE, on="over") == "tense"
    assert shown(on="over") == ""


def test_it_goes_only_to_a_take_that_can_be_seen_coming() -> None:
    assert shown(CALM, scene("tense", (LEAD_MS + 1, 0.2)), on="calm") == "tense"
    assert shown(CALM, scene("tense", (LEAD_MS, 0.2)), on="calm") == "calm"
    assert shown(CALM, scene("over soon", (LEAD_MS, 0.9)), TENSE, on="calm") == "tense"


def test_it_stays_for_a_while_and_where_another_match_is_hardly_better() -> None:
    assert shown(CALM, TENSE, on="calm", ms=SHOT_MS - 1) == "calm"
    assert shown(scene("calm", (9_000, 0.29)), TENSE, on="calm") == "calm"


@pytest.mark.parametrize("ahead", [RUN_UP_MS, 0, -AFTER_MS])
def test_it_never_leaves_in_the_middle_of_a_take(ahead: int) -> None:
    assert shown(scene("taking", (ahead, 0.03)), TENSE, on="taking") == "taking"
    assert shown(scene("small", (ahead, 0.01)), TENSE, on="small") == "tense"


def test_what_has_been_shown_is_no_longer_at_stake() -> None:
    assert scene("past", (0, 0.5), (-1, 0.5)).stake == 0
    assert scene("past", (0, 0.5)).seat is None


def test_swings_are_takes_at_the_screen_s_own_time() -> None:
    points = [
        Point(7, 1, 20_000, CLOCK, (), (0.5, 0.5)),
        Point(8, 1, 21_000, PLAY, (0,), (0.4, 0.6)),
        Point(9, 1, 22_000, TAKE, (1,), (0.1, 0.9)),
        Point(12, 1, 25_000, CLOCK, (), (0.2, 0.8)),
    ]
    (swing,) = swings(points, idle_ms=500)
    assert (swing.ahead_ms, swing.seat) == (DELAY_MS - 3_000 - 500, 1)
    assert swing.size == pytest.approx(0.3)
