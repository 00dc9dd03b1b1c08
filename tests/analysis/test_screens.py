"""When events reached a seat's screen: held against lines that are made up."""

from __future__ import annotations

import pytest

from replays.analysis.lag import settled_at, tries
from replays.analysis.race_cards import race_cards
from replays.analysis.race_words import race_words
from replays.analysis.screens import Way, arrivals, ways
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.analysis.telling import by_kind
from tests.bench.seeing import Line, match_over


@pytest.mark.parametrize(
    "line",
    [Line(20, 20, 0.2), Line(90, 90, 0.2), Line(150, 150, 0.4), Line(65, 135, 0.2)],
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
        said = by_kind(race_words(race, None, lags, ties=True).screens)["came_to_screen"]
        assert (said["ms"], said["player"]) == (after, ("seat", late.seat))
    told = race_cards(timeline.rounds[0], lags)
    assert all(race.shown is None for race in told)
