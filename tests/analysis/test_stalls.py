"""The longest stall: how long nobody played, and whether anybody could have."""

from itertools import pairwise

import pytest

from games.engine.cards import FACE
from games.engine.events import End, Play
from games.engine.fitting import fits
from games.engine.message import lasting, when
from games.engine.table import Table
from games.records.log import Header
from replays.analysis.so_far import SoFar
from replays.analysis.stalls import LEAST_MS, StallJson, stall_json
from replays.timeline import Timeline
from replays.training.matches import lines, plan


def timeline(seed: int) -> Timeline:
    return Timeline.of(lines(plan("roster", 77, seed)))


def stall_of(match: Timeline) -> StallJson:
    stall = stall_json(match, open_hands=True)
    assert stall
    return stall


def could(table: Table) -> set[int]:
    return {
        seat
        for seat, hand in enumerate(table.hands)
        if any(fits(table.rules, top, FACE[card]) for card in hand for top in table.tops)
    }


@pytest.mark.parametrize("seed", [3, 4, 7, 13])
def test_it_is_the_longest_time_without_a_play(seed: int) -> None:
    match, stall = timeline(seed), stall_of(timeline(seed))
    gaps = [
        (later.t - before, played.number, before)
        for played in match.rounds
        for plays in ([play for play in played.events if isinstance(play, Play | End)],)
        for before, later in zip([0, *(play.t for play in plays)], plays, strict=False)
    ]
    longest = max(gap for gap, _, _ in gaps)
    assert (longest, stall["round"], stall["t"]) in gaps
    assert stall["ms"] == longest
    ((kind, values), _) = stall["text"]["say"]
    assert values == {"time": lasting(longest), "when": when(stall["round"], stall["t"])}
    played = match.rounds[stall["round"] - 1]
    ended_by = played.events[played.seqs.index(stall["seq"])]
    assert ended_by.t == stall["t"] + longest
    assert kind == ("stall_to_end" if isinstance(ended_by, End) else "stall")


@pytest.mark.parametrize("seed", [3, 4, 7, 13])
def test_it_says_for_how_long_anybody_could_have_played(seed: int) -> None:
    match, stall = timeline(seed), stall_of(timeline(seed))
    played, since, until = match.rounds[stall["round"] - 1], stall["t"], stall["t"] + stall["ms"]
    steps = [(0, could(played.table()))]
    steps += [(event.t, could(table)) for event, table in played.tables()]
    steps.append((until, set()))
    spans = [
        (max(since, a), min(until, b), who)
        for (a, who), (b, _) in pairwise(steps)
        if max(since, a) < min(until, b)
    ]
    nobody = sum(b - a for a, b, who in spans if not who)
    most = max(sum(b - a for a, b, who in spans if seat in who) for seat in range(len(match.names)))
    kind, values = stall["text"]["say"][-1]
    if nobody == stall["ms"]:
        assert kind == "none_fitted"
    elif 2 * nobody >= stall["ms"]:
        assert (kind, values) == ("none_fitted_for", {"time": lasting(nobody)})
    else:
        assert (kind, values["time"]) == ("one_fitted_for", lasting(most))


def test_an_ordinary_pause_is_no_stall() -> None:
    match = timeline(6)
    plays = [
        play for played in match.rounds for play in played.events if isinstance(play, Play | End)
    ]
    assert max(later.t - earlier.t for earlier, later in pairwise(plays)) < LEAST_MS
    assert stall_json(match, open_hands=True) is None


def test_of_a_match_being_played_nothing_is_told_of_the_hands() -> None:
    header, *log = lines(plan("roster", 77, 3))
    assert isinstance(header, Header)
    told = SoFar(header)
    assert told.report()["stall"] is None
    for line in log:
        told.add(line)
    stall = told.report()["stall"]
    assert stall == stall_json(timeline(3), open_hands=False)
    assert stall
    assert len(stall["text"]["say"]) == 1
