"""What players can learn from: whom they fed, what they left, and how often that was."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.bots import simulate
from games.bots.roster import bot_spec
from games.engine.editions import EDITIONS
from games.engine.table import Table
from replays.analysis import Findings
from replays.analysis.chances import FREE
from replays.analysis.match_report import match_report
from replays.analysis.missed_takes import separate_moments, taker
from replays.analysis.moments.judgements import GOOD, MISSED_TAKE, MISTAKE
from replays.analysis.moments.lessons import MOST
from replays.analysis.moments.wording import chance
from replays.analysis.windows import CLOSED, Window
from replays.timeline import Round, Timeline

EDITION = "usaopoly-2009"
BEGINNER = 0


@cache
def findings() -> Findings:
    """A beginner among bots that are much quicker."""
    seats = ("first-fit:1:beginner", "taker:3", "starver:3", "builder:3")
    specs = tuple(map(bot_spec, seats))
    setting = simulate.Setting(EDITION, EDITIONS[EDITION], specs, 5)
    return Findings(Timeline.of(simulate.lines(setting, 0)))


def before(played: Round, seq: int) -> Table:
    return played.table(played.seqs.index(seq))


def test_nobody_is_blamed_for_what_others_made_of_a_play() -> None:
    verdicts = {one.verdict for one in (*findings().judgements, *findings().lessons)}
    assert verdicts == {GOOD, MISSED_TAKE, MISTAKE}


def test_the_costliest_seven_are_there_to_learn_from() -> None:
    found = findings().lessons
    seats = Counter(one.seat for one in found)
    assert max(seats.values()) == MOST
    assert len({(one.seq, one.seat) for one in found}) == len(found)
    assert all(one.verdict != GOOD for one in found)
    for seat in range(len(findings().names)):
        own = {one.seq: one.figures.get("delta", 0.0) for one in found if one.seat == seat}
        others = [
            one.figures.get("delta", 0.0)
            for one in findings().judgements
            if one.seat == seat and one.verdict != GOOD and one.seq not in own
        ]
        assert len(own) == MOST or not others
        assert all(max(own.values()) <= other + 0.001 for other in others)


def test_who_is_slow_as_a_rule_learns_of_missed_takes_too() -> None:
    """A beginner hardly ever has a hand free for longer than usual."""
    judged = [
        one for one in findings().judgements if one.seat == BEGINNER and one.verdict == MISSED_TAKE
    ]
    learned = [
        one for one in findings().lessons if one.seat == BEGINNER and one.verdict == MISSED_TAKE
    ]
    assert len(judged) < MOST == len(learned)
    left = [
        one
        for one in findings().missed
        if one.chance.window.seat == BEGINNER
        and taker(one.chance.window) is not None
        and one.chance.cause == FREE
    ]
    there = {one.seq for one in left} | {one.seq for one in judged}
    assert {one.seq for one in learned} <= there
    least = max(one.figures["delta"] for one in learned)
    rest = {one.seq for one in left} - {one.seq for one in learned}
    assert all(one.delta >= least - 0.001 for one in left if one.seq in rest)


def test_the_report_has_the_lessons() -> None:
    told = match_report(findings())["lessons"]
    assert [(one["seq"], one["seat"], one["text"]) for one in told] == [
        (one.seq, one.seat, one.text) for one in findings().lessons
    ]


# How many separate moments


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 60), max_size=16))
def test_takes_missed_at_once_or_one_after_the_other_are_one_moment(edges: list[int]) -> None:
    spans = [sorted(pair) for pair in zip(edges[::2], edges[1::2], strict=False)]
    missed = [Window(0, "A5a", 0, since, until, CLOSED, True, 3) for since, until in spans]
    halves = {half for since, until in spans for half in range(2 * since, 2 * until + 1)}
    starts = [half for half in halves if half - 1 not in halves]
    assert separate_moments(missed) == len(starts)


def test_the_players_table_has_them_beside_the_count() -> None:
    for row in findings().players:
        moments, count = row.cells["missed_moments"].value, row.cells["missed_takes"].value
        assert moments is not None
        assert count is not None
        assert 0 < moments < count


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (0.4, 0.54, "40% to 54%"),
        (0.846, 0.8541, "84.6% to 85.4%"),
        (0.991, 0.998, "99.1% to 99.8%"),
        (0.852, 0.853, "85% before and after"),
        (0.003, 0.001, "under 1% before and after"),
        (0.004, 0, "under 1% to 0%"),
    ],
)
def test_a_change_is_told_as_finely_as_it_shows(before: float, after: float, told: str) -> None:
    assert chance(before, after) == f"win probability {told}, estimated"
