"""When events reached a seat's screen: held against lines that are made up."""

from __future__ import annotations

import pytest

from replays.analysis.lag import settled_at, tries
from replays.analysis.race_cards import race_cards
from replays.analysis.race_words import race_words
from replays.analysis.screens import Way, arrivals, ways
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.bench.seeing import Line, match_over


@pytest.mark.parametrize(
    "line",
    [Line(20, 20, 0.2), Line(90, 90, 0.2), Line(150, 150, 0.4), Line(65, 135, 0.2)],
)
def test_most_events_arrive_within_the_band(line: Line) -> None:
    found = [match_over(line, index) for index in range(2)]
    assert sum(one.within for one in found) > 0.93 * sum(one.of for one in found)
    assert all(one.width < 4 * line.down for one in found)


def test_what_a_try_had_seen_had_arrived_and_time_never_falls() -> None:
    timeline = Timeline.of(lines(plan("roster", 3, 0)))
    seats = len(timeline.names)
    for played in timeline.rounds:
        settled = settled_at(played.events, timeline.header.rules)
        for seat, way in enumerate(ways(timeline, [None] * seats)):
            found = arrivals(played, seat, way)
            assert found
            for times in found:
                assert times == sorted(times)
            assert all(a <= b <= c for a, b, c in zip(*found, strict=True))
            assert all(a <= c for a, c in zip(settled, found.high, strict=True))
            for who, t, seen in tries(played.events):
                if who == seat and 0 < seen <= len(settled):
                    assert found.high[seen - 1] <= t


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
    found = [one for played in timeline.rounds for one in race_cards(played, lags, every)]
    shown = [one for one in found if one.shown]
    assert shown
    for one in shown:
        late = one.attempts[-1]
        assert one.shown
        assert late.hand_t is not None
        assert one.shown.likely > late.hand_t
        after = one.shown.likely - late.hand_t
        said = race_words(one, None, timeline.names, lags, ties=True).screens
        assert f"about {after} ms after {timeline.names[late.seat]}’s hand had moved" in said
    told = race_cards(timeline.rounds[0], lags)
    assert all(one.shown is None for one in told)
