"""How many moments missed takes are, and a change of chances in words."""

import re
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.bots import simulate
from games.bots.roster import bot_spec
from games.engine.editions import EDITIONS
from games.engine.message import points_between
from replays.analysis import Findings
from replays.analysis.missed_takes import separate_moments
from replays.analysis.moments.wording import chance
from replays.analysis.sentences import render_text, say
from replays.analysis.windows import CLOSED, Window
from replays.timeline import Timeline

EDITION = "usaopoly-2009"


@cache
def findings() -> Findings:
    """A beginner among bots that are much quicker."""
    seats = ("first-fit:1:beginner", "taker:3", "starver:3", "builder:3")
    specs = tuple(map(bot_spec, seats))
    setting = simulate.Setting(EDITION, EDITIONS[EDITION], specs, 5)
    return Findings(Timeline.of(simulate.lines(setting, 0)))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 60), max_size=16))
def test_takes_missed_at_once_or_one_after_the_other_are_one_moment(edges: list[int]) -> None:
    spans = [sorted(pair) for pair in zip(edges[::2], edges[1::2], strict=False)]
    missed = [Window(0, "A5a", 0, since, until, CLOSED, True, 3) for since, until in spans]
    halves = {half for since, until in spans for half in range(2 * since, 2 * until + 1)}
    starts = [half for half in halves if half - 1 not in halves]
    assert max(separate_moments(missed), default=0) == len(starts)


def test_the_players_table_has_them_beside_the_count() -> None:
    for row in findings().players:
        moments, count = row["missed_moments"], row["missed_takes"]
        assert moments is not None
        assert count is not None
        assert 0 < moments < count


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (0.4, 0.54, "40% → 54%"),
        (0.376, 0.2449, "38% → 24%"),
        (0.846, 0.8541, "85% before and after"),
        (0.991, 0.998, "over 99% before and after"),
        (0.852, 0.853, "85% before and after"),
        (0.003, 0.001, "under 1% before and after"),
        (0.004, 0, "under 1% → 0%"),
    ],
)
def test_a_change_in_points_is_that_of_the_shares_in_words(
    before: float, after: float, words: str
) -> None:
    assert render_text(say(chance(before, after))) == f"Chance to win: {words}."
    numbers = [int(number) for number in re.findall(r"\d+", words.replace("under 1%", "0%"))]
    assert points_between(before, after) == numbers[-1] - numbers[0]
