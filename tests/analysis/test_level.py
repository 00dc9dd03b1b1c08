"""A player's level among the bots: from who was ahead, and not to be won from easy ones."""

from math import exp
from random import Random

import pytest

from replays.analysis.winning.position import STRENGTHS
from replays.ratings.level import FEWEST, Level, Met, level_of

TAKER = STRENGTHS["taker"]


def matches(strength: float, levels: list[int], count: int, seed: int = 1) -> list[Met]:
    """Matches of five rounds with three of these bots, of a player of that strength."""
    randomness = Random(seed)
    met = []
    for _ in range(count):
        bots = [TAKER[level - 1] for level in randomness.choices(levels, k=3)]
        chances = [1 / (1 + exp(-2.7 * (strength - bot))) for bot in bots]
        met.append(
            Met(5, [(b, randomness.random() < p) for b, p in zip(bots, chances, strict=True)])
        )
    return met


def found(met: list[Met]) -> Level:
    level = level_of(met)
    assert level is not None
    return level


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_player_as_strong_as_a_bot_is_at_its_level(level: int) -> None:
    inside = 0
    for seed in range(10):
        told = found(matches(TAKER[level - 1], [1, 2, 3, 4, 5], 30, seed))
        assert abs(told.level - level) <= 1
        assert told.low <= told.level <= told.high
        inside += told.least <= TAKER[level - 1] <= told.most
    assert inside >= 8


def test_it_is_not_won_from_easy_ones() -> None:
    """Not even by who wins each of 200 matches against level 1."""
    before = matches(TAKER[2], [2, 3, 4], 30)
    always = [Met(5, [(TAKER[0], True)] * 3)] * 200
    first, farmed = found(before), found(before + always)
    assert abs(farmed.strength - first.strength) < (first.most - first.least) / 2
    assert farmed.level == first.level == 3
    alone = found(always)
    assert alone.most - alone.least > 1, "they tell little"


def test_it_moves_with_the_matches_that_tell_something() -> None:
    weak, strong = matches(TAKER[0], [1, 2, 3], 60), matches(TAKER[3], [3, 4, 5], 60)
    assert found(weak).level <= 2
    assert found(weak + strong).level == pytest.approx(4, abs=1)
    assert level_of(strong[: FEWEST - 1]) is None


def test_longer_matches_tell_more() -> None:
    even = [(TAKER[2], True), (TAKER[2], False)]
    short, long = (found([Met(rounds, even)] * 8) for rounds in (1, 9))
    assert long.most - long.least < short.most - short.least
    assert short.level == long.level == 3
