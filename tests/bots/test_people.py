"""A table of bots looks like a table of people: how long, how late, how wrong, who wins."""

from collections import Counter
from statistics import mean, median

import pytest

from games.bots.roster import BotSpec, mixed
from games.bots.simulate import rounds
from games.bots.skill import LEVELS, skill_of
from games.engine.events import Discard, Draw, End, Late, Miss, Play, Tie
from games.engine.scoring import winners
from tests.bots.tables import setting
from tests.narrowing import narrow

MATCHES = 12


@pytest.fixture(scope="module")
def played():
    """Rounds of four middling bots, match by match."""
    return [list(rounds(setting(), index)) for index in range(MATCHES)]


def count(played, kind):
    """How many such events a round has, in the mean."""
    return mean(
        sum(type(event) is kind for event in each_round.events)
        for match in played
        for each_round in match
    )


def test_times_are_skewed_and_positive():
    for level in LEVELS:
        for times in (skill_of(level).pace, skill_of(level).reach, skill_of(level).hesitation):
            assert min(times) > 0
            assert mean(times) > median(times)
            assert max(times) - median(times) > 2 * (median(times) - min(times))


def test_higher_levels_are_faster_and_surer():
    for low, high in zip(list(LEVELS), list(LEVELS)[1:], strict=False):
        slow, fast = skill_of(low), skill_of(high)
        assert median(fast.pace) < median(slow.pace)
        assert median(fast.reach) < median(slow.reach)
        assert fast.lag < slow.lag
        assert fast.slips < slow.slips
        assert fast.overlooks < slow.overlooks


def test_a_round_lasts_one_to_three_minutes(played):
    lengths = [each_round.events[-1].t for match in played for each_round in match]
    assert 60_000 < mean(lengths) < 180_000
    assert sum(60_000 <= length <= 180_000 for length in lengths) > 0.85 * len(lengths)


def test_a_round_has_about_550_events(played):
    assert 400 < mean(len(each_round.events) for match in played for each_round in match) < 700


def test_a_match_takes_three_to_seven_rounds(played):
    assert all(2 <= len(match) <= 8 for match in played)
    assert 3 <= mean(map(len, played)) <= 7


def test_some_are_late_few_are_wrong_and_now_and_then_there_is_a_tie(played):
    late, miss, tie = (count(played, kind) for kind in (Late, Miss, Tie))
    plays = count(played, Play)
    assert 0.03 * plays < late < 0.25 * plays
    assert 0.5 < miss < 6
    assert 0.3 < tie < 6


def test_the_hand_does_one_thing_at_a_time(played):
    moves = [
        (event.seat, event.t)
        for match in played
        for each_round in match
        for event in each_round.events
        if isinstance(event, Draw | Discard | Play | Late | Miss)
    ]
    gaps: list[int] = []
    before: dict[int, int] = {}
    for seat, t in moves:
        if seat in before and t > before[seat]:
            gaps.append(t - before[seat])
        before[seat] = t
    assert min(gaps) >= 120
    assert 500 < median(gaps) < 1_200


def test_higher_levels_win_more():
    wins: Counter[int] = Counter()
    for index in range(10):
        levels = [1, 3, 5] if index % 2 else [5, 3, 1]
        match = setting(specs=[BotSpec("taker", level) for level in levels])
        *_, last = rounds(match, index)
        wins.update(levels[seat] for seat in winners(narrow(End, last.events[-1])))
    assert wins[5] > wins[3] + wins[1]
    assert wins[1] <= wins[3]


@pytest.mark.slow
def test_every_temper_wins_some_match():
    waiting = {spec.temper for spec in mixed(5)}
    for index in range(40):
        specs = mixed(5)[index % 5 :] + mixed(5)[: index % 5]
        *_, last = rounds(setting(specs=specs), index)
        waiting -= {specs[seat].temper for seat in winners(narrow(End, last.events[-1]))}
        if not waiting:
            return
    pytest.fail(f"{waiting} won none")
