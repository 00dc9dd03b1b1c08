"""Figures across matches: what a match contributes, intervals, style and form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

import pytest

from games.engine.events import Late, Miss, Play
from replays.analysis.careers.counts import seat_counts
from replays.analysis.careers.figures import (
    FIGURES,
    POINTS,
    UNCOUNTED,
    MatchFigures,
    columns,
    figures,
)
from replays.analysis.careers.form import MOST_GROUPS, form
from replays.analysis.careers.intervals import BLOCKS, FEWEST, Estimate, estimate
from replays.analysis.careers.styles import WORDS, Seated, tables_of, traits
from replays.analysis.measures import measures
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
    randomness, hits, runs = Random(11), 0, 150
    for _ in range(runs):
        rounds = [randomness.choice((3, 4, 5, 6)) for _ in range(12)]
        points = [count * randomness.gauss(8, 6) for count in rounds]
        estimated = present(estimate(points, rounds))
        hits += present(estimated.low) <= 8 <= present(estimated.high)
    assert 0.89 <= hits / runs <= 0.99


def test_the_same_matches_have_the_same_interval() -> None:
    top, bottom = [3, 1, 4, 1, 5, 9, 2, 6], [1] * 8
    assert estimate(top, bottom) == estimate(top, bottom)


def test_few_matches_have_no_interval_and_no_matches_no_value() -> None:
    few = FEWEST - 1
    assert estimate([1] * few, [2] * few) == Estimate(0.5, None, None, few)
    assert estimate([], []) is None
    assert estimate([5, 5], [0, 0]) is None


def test_matches_that_are_all_alike_have_no_interval() -> None:
    assert estimate([1] * 9, [1] * 9) == Estimate(1, None, None, 9)


def test_a_match_that_says_nothing_is_not_counted() -> None:
    assert present(estimate([4, 7, 6], [2, 0, 3])).matches == 2


def width(estimated: Estimate | None) -> float:
    return present(present(estimated).high) - present(present(estimated).low)


def test_many_matches_narrow_the_interval_at_bounded_cost() -> None:
    randomness = Random(3)
    values = [randomness.gauss(0, 1) for _ in range(40 * BLOCKS)]
    some, all_of = (width(estimate(values[:n], [1] * n)) for n in (BLOCKS, len(values)))
    assert some / all_of == pytest.approx(40**0.5, rel=0.35)


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


LEVELS: Final = {"weak": -6.0, "fair": 0.0, "strong": 6.0}


def a_seat(match: int, player: str, fed: float) -> Seated:
    shares = an_entry(counted_rounds=3, fed=fed, kept=100 - fed, plays=90, duration_ms=180_000)
    return Seated(match, player, "bot", shares)


def matches_of(tables: Iterable[Sequence[str]], added: Mapping[str, float]) -> list[Seated]:
    """Matches in which a player feeds more the stronger the others are, by chance, and by habit."""
    randomness, seated = Random(7), []
    for match, players in enumerate(tables):
        for player in players:
            others = [LEVELS[other.split()[0]] for other in players if other != player]
            habit = added.get(player, 0) + sum(others) / len(others)
            seated.append(a_seat(match, player, randomness.gauss(40 + habit, 5)))
    return seated


def words_of(seats: Sequence[Seated], player: str) -> list[str]:
    own = [seat for seat in seats if seat.player == player]
    others = [seat for seat in seats if seat.player != player]
    return [trait.words for trait in traits(own, others, tables_of(seats))]


NAMES: Final = [f"{level} {n}" for level in LEVELS for n in range(8)]


def mixed_tables(count: int) -> list[list[str]]:
    randomness = Random(5)
    return [randomness.sample(NAMES, 4) for _ in range(count)]


def habits() -> dict[str, float]:
    randomness = Random(9)
    return {name: randomness.gauss(0, 6) for name in NAMES}


@pytest.mark.parametrize("level", ["weak", "strong"])
@pytest.mark.parametrize(("habit", "words"), [(0, []), (12, ["feeds others"])])
def test_style_is_the_same_against_weak_and_strong(
    level: str, habit: float, words: list[str]
) -> None:
    """It is adjusted for who sat opposite; the figures themselves differ by a quarter."""
    own = [["fair X", *(f"{level} {(n + k) % 8}" for k in range(3))] for n in range(25)]
    seats = matches_of([*mixed_tables(150), *own], {**habits(), "fair X": habit})
    assert words_of(seats, "fair X") == words


def test_opponents_met_nowhere_else_leave_it_open_whose_doing_it_is() -> None:
    own = [["fair X", "strong A", "strong B", "strong C"]] * 25
    seats = matches_of([*mixed_tables(150), *own], habits())
    assert words_of(seats, "fair X") == []


def test_players_who_are_all_alike_get_no_word() -> None:
    randomness, names = Random(3), [f"fair {n}" for n in range(40)]
    seats = matches_of([randomness.sample(names, 4) for _ in range(100)], {})
    assert not any(words_of(seats, name) for name in names)


def test_a_trifling_difference_is_no_style_however_certain() -> None:
    names = [f"fair {n}" for n in range(6)]
    tables = [Random(n).sample(names, 4) for n in range(900)]
    habits = {"fair 0": 1.0, "fair 1": 6.0, "fair 2": -6.0}
    seats = matches_of(tables, habits)
    assert words_of(seats, "fair 0") == []
    assert words_of(seats, "fair 1") == ["feeds others"]
    assert words_of(seats, "fair 2") == ["starves others"]


def test_every_word_of_style_belongs_to_a_figure() -> None:
    assert WORDS.keys() <= {figure.key for figure in FIGURES}


@pytest.mark.parametrize(("matches", "groups"), [(9, 0), (10, 2), (57, 11), (1_000, MOST_GROUPS)])
def test_form_covers_every_match_in_order(matches: int, groups: int) -> None:
    grouped = form([an_entry(points=n, rounds=1) for n in range(matches)], POINTS)
    assert len(grouped) == groups
    covered = [n for group in grouped for n in range(group.first, group.last + 1)]
    assert covered == (list(range(matches)) if groups else [])
    assert all(group.estimated.low is not None for group in grouped)
