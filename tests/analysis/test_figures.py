"""Figures across matches: what a match contributes, intervals and form."""

from random import Random
from typing import Any

import pytest

from games.engine.events import Late, Miss, Play
from replays.analysis.measures import measures
from replays.analysis.players.counts import seat_counts
from replays.analysis.players.figures import (
    UNCOUNTED,
    MatchFigures,
    columns,
    figures,
)
from replays.analysis.players.intervals import FEWEST, Estimate, estimate
from replays.timeline import Timeline
from tests.narrowing import present
from tests.replays.matches import FILES, lines_of


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_counts_are_the_sums_of_the_measures(path) -> None:
    timeline = Timeline.of(lines_of(path))
    told = measures(timeline)
    for seat, (points, counts, *_) in enumerate(seat_counts(timeline)):
        done, fed = told["match"]["actions"][seat], told["match"]["fed"]
        assert counts.plays == done["play"]
        assert counts.tries == done["play"] + done["late"] + done["miss"] + done["tied"]
        assert (counts.draws, counts.races_lost) == (done["draw"], done["late"])
        assert counts.takes == told["match"]["takes"][seat]
        assert counts.take_cards == sum(row[seat] for row in fed)
        assert counts.kept + counts.fed == sum(fed[seat])
        lost = [take for part in told["rounds"] for take in part["missed_takes"]]
        assert counts.missed == sum(take["seat"] == seat for take in lost)
        assert points == told["match"]["totals"][seat]


@pytest.mark.parametrize("path", FILES[:6], ids=lambda path: path.name)
def test_a_span_shows_the_play_that_closed_the_take(path) -> None:
    timeline = Timeline.of(lines_of(path))
    for seat, counted in enumerate(seat_counts(timeline)):
        for span in counted.spans:
            played = timeline.rounds[span.round - 1]
            before = played.table(span.until - 1)
            after = played.events[span.until - 1]
            assert isinstance(after, Play | Late | Miss)
            assert span.card in before.hands[seat]
            assert after.stack == span.slot
            assert after.seat != seat
            assert len(before.stacks[span.slot]) == span.cards
            assert span.event < span.until


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    randomness, hits, runs = Random(11), 0, 1_500
    for _ in range(runs):
        rounds = [randomness.choice((3, 4, 5, 6)) for _ in range(12)]
        points = [count * randomness.gauss(8, 6) for count in rounds]
        estimated = present(estimate(points, rounds))
        hits += present(estimated.low) <= 8 <= present(estimated.high)
    assert 0.93 <= hits / runs <= 0.97


def test_few_matches_have_no_interval_and_no_matches_no_value() -> None:
    few = FEWEST - 1
    assert estimate([1] * few, [2] * few) == Estimate(0.5, None, None, few)
    assert estimate([], []) is None
    assert estimate([5, 5], [0, 0]) is None


def test_a_share_that_is_the_same_in_all_matches_has_wilsons_interval() -> None:
    assert estimate([1] * 9, [1] * 9) == Estimate(1, None, None, 9)
    won = present(estimate([1] * 9, [1] * 9, share=True))
    lost = present(estimate([0] * 9, [1] * 9, share=True))
    assert [won.low, won.high] == pytest.approx([0.701, 1], abs=0.001)
    assert [lost.low, lost.high] == pytest.approx([0, 0.299], abs=0.001)
    assert present(estimate([2] * 9, [4] * 9, share=True)).low is None


def test_a_match_that_says_nothing_is_not_counted() -> None:
    assert present(estimate([4, 7, 6], [2, 0, 3])).matches == 2


def an_entry(
    won: int = 0, points: int = 0, rounds: int = 0, counted_rounds: int = 0, **counts: Any
) -> MatchFigures:
    counted = UNCOUNTED._replace(rounds=counted_rounds, **counts)
    return MatchFigures(won, points, rounds, counted)


def test_a_match_not_yet_counted_adds_only_its_result() -> None:
    counted = an_entry(won=1, points=20, rounds=2, counted_rounds=2, takes=4, take_cards=12)
    result = an_entry(points=4, rounds=1)
    told = figures(columns([counted, result]))
    assert (told["points"].value, told["won"].value) == (8, 50)
    assert (told["takes"].value, told["cards_a_take"].value) == (2, 3)
    assert "plays" not in told


def test_shares_stay_within_their_bounds() -> None:
    told = figures(columns([an_entry(won=won) for won in (1, 1, 1, 1, 1, 0)]))["won"]
    assert 0 <= present(told.low) < told.value < present(told.high) <= 100
