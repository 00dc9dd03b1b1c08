"""The players' table and chances, held against the plain measures."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.events import Discard, Draw, Play
from games.engine.table import apply
from replays.analysis.chances import BUSY, FREE, UNSEEN, chances
from replays.analysis.findings import Findings
from replays.analysis.lag import lags
from replays.analysis.measures import measures
from replays.analysis.round_chances import covered
from replays.analysis.windows import windows
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.replays.matches import FILES, lines_of

seeds = st.integers(0, 2**32)


def timeline(seed: int, population: str = "roster") -> Timeline:
    return Timeline.of(lines(plan(population, seed, 0)))


# Players


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_table_says_what_the_measures_say(path: Path) -> None:
    match = Timeline.of(lines_of(path))
    told = measures(match)
    for cells in Findings(match).players:
        seat = cells["seat"]
        done = told["match"]["actions"][seat]
        assert cells["points"] == told["match"]["totals"][seat]
        assert cells["takes"] == told["match"]["takes"][seat]
        assert cells["late"] == done["late"]
        assert cells["ties"] == done["tied"]
        assert cells["misses"] == done["miss"]
        missed = sum(lost["seat"] == seat for r in told["rounds"] for lost in r["missed_takes"])
        assert cells["missed_takes"] == missed


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_the_time_with_a_playable_card_is_a_share(seed: int) -> None:
    match = timeline(seed)
    for row in Findings(match).players:
        share = row["unplayed_share"]
        assert share is None or 0 <= share <= 1


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(sorted), max_size=12))
def test_time_is_covered_once(spans: list[list[int]]) -> None:
    there = {ms for since, until in spans for ms in range(since, until)}
    assert covered([(since, until) for since, until in spans]) == len(there)


# Chances


@settings(max_examples=5, deadline=None)
@given(seeds, st.sampled_from(["roster", "alien"]))
def test_a_chance_is_divided_without_a_gap(seed: int, population: str) -> None:
    match = timeline(seed, population)
    for played in match.rounds:
        known = lags(match)
        divided = chances(played, known)
        assert [chance.window for chance in divided] == windows(played)
        plays = {(e.stack, e.t): e.seat for e in played.events if isinstance(e, Play)}
        draws = {(e.card, e.t) for e in played.events if isinstance(e, Draw)}
        for chance in divided:
            window = chance.window
            assert window.since <= chance.shown <= window.until
            unseen = chance.shown - window.since
            busy = sum(to - since for since, to in chance.busy)
            free = sum(to - since for since, to in chance.free)
            assert unseen + busy + free == window.until - window.since
            assert free == chance.free_ms
            parts = {UNSEEN: unseen, BUSY: busy, FREE: free}
            assert parts[chance.cause] == max(parts.values())
            opener = plays.get((window.slot, window.since), window.seat)
            if (window.card, window.since) in draws or opener == window.seat:
                assert unseen == 0
            else:
                delay = played.header.rules.tie_window_ms + (known[window.seat] or 0)
                assert unseen == min(round(delay), window.until - window.since)


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_a_hand_is_busy_when_the_referee_would_say_so(seed: int) -> None:
    match = timeline(seed)
    played = match.rounds[0]
    moves = [e for e in played.events if isinstance(e, Play | Draw | Discard)]
    table = played.table()
    free: list[tuple[int, int, int]] = []
    for event in played.events:
        apply(table, event)
        if event in moves:
            free.append((event.seat, event.t, table.free[event.seat]))
    for chance in chances(played, lags(match)):
        for seat, since, until in free:
            if seat == chance.window.seat:
                for begin, end in chance.free:
                    assert end <= since or begin >= until or since >= until
