"""Situations: how a stack that lay there ended, and what is told."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.events import Discard, Draw, Event, Late, Play
from games.engine.fitting import FREE
from replays.analysis.situations import (
    COUNTS,
    ENOUGH,
    GROWN,
    HEIGHTS,
    OTHERS,
    OVER,
    OWN,
    WITHIN_MS,
    Kind,
    Situation,
    add,
    by_time,
    situation_at,
    situations,
    summed,
    tally,
)
from tests.analysis.rounds import a_round
from tests.replays.matches import FILES, timeline_of

KIND = Kind(4, 2, 1)


def of_ann(*later: Event) -> Situation:
    """Ann's last one on slot 0, where Bea has laid a 4 as the sixth card at 2.0 s."""
    (situation,) = [
        situation
        for situation in situations(a_round(*later).rounds[0])
        if situation.seat == 0 and situation.t == 2_000
    ]
    return situation


def grown_at(t: int) -> list[Event]:
    return [Draw(t - 150, 1, "B3c"), Play(t, 1, "B3c", 0)]


@pytest.mark.parametrize(
    ("later", "end", "ms"),
    [
        ([Play(2_700, 0, "A5a", 0, takes=7)], OWN, 700),
        ([Play(2_200, 0, "A5a", 0, takes=7)], OWN, 200),
        ([Discard(2_700, 0, "A2a")], OVER, 700),
        ([Late(2_200, 0, "A5a", 0, None, 0)], OVER, 200),
        ([*grown_at(2_500), Discard(2_900, 0, "A2a")], GROWN, 500),
    ],
)
def test_how_a_situation_ended(later: list[Event], end: int, ms: int) -> None:
    situation = of_ann(*later)
    assert (situation.end, situation.ms) == (end, ms)


def test_a_situation_is_what_lies_there_and_what_is_in_hand() -> None:
    assert of_ann().kind == Kind(top=4, height=2, hand=1)
    assert HEIGHTS[2] <= 6 < HEIGHTS[3]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_whole_matches_count_each_card_for_each_seat_once(path: Path) -> None:
    timeline = timeline_of(path.stem)
    seats = len(timeline.names)
    for played in timeline.rounds:
        listed = situations(played)
        tables = [(event, list(table.tops)) for event, table in played.tables()]
        laid = [event for event, tops in tables if isinstance(event, Play) and tops[event.stack]]
        tops = [[FREE] * seats, *(tops for _, tops in tables)]
        taken = sum(
            isinstance(event, Play) and event.takes is not None and before[event.stack] != FREE
            for (event, _), before in zip(tables, tops, strict=False)
        )
        assert len(listed) == len(laid) * seats
        assert sum(situation.end == OWN for situation in listed) == taken
        assert sum(situation.end == OTHERS for situation in listed) == taken * (seats - 1)
    counts = [cell for cells in tally(timeline).values() for cell, _ in cells.values()]
    every = sum(len(situations(played)) for played in timeline.rounds)
    assert summed(counts)[-1] == every


def test_a_line_leads_to_the_situation_that_it_ended() -> None:
    played = timeline_of(FILES[0].stem).rounds[0]
    listed = situations(played)
    takes = {
        (event.t - situation.ms, event.seat): (situation, seq)
        for event, seq in zip(played.events, played.seqs, strict=True)
        if isinstance(event, Play)
        for situation in listed
        if situation.end == OWN
        and situation.seat == event.seat
        and situation.t + situation.ms == event.t
    }
    assert takes
    for situation, seq in takes.values():
        there = situation_at(played, seq, situation.seat)
        assert there is not None
        assert (there.kind, there.seq) == (situation.kind, situation.seq)


def test_a_line_without_a_stack_leads_to_the_highest() -> None:
    timeline = a_round(Discard(2_700, 0, "A2a"))
    played = timeline.rounds[0]
    there = situation_at(played, played.seqs[-1], 0)
    assert there is not None
    assert there.t == 2_000
    assert situation_at(played, played.seqs[0], 0) is None
    assert situation_at(played, 9_999, 0) is None


# --- Shares -------------------------------------------------------------------------------

any_situation = st.builds(
    Situation,
    st.just(KIND),
    st.just(0),
    st.just(0),
    st.just(0),
    ms=st.integers(0, 20_000),
    end=st.sampled_from((OWN, OTHERS, GROWN, OVER)),
)


def counted(of: list[Situation]) -> list[float]:
    counts = [0.0] * COUNTS
    for each in of:
        add(counts, each)
    return counts


@given(st.lists(any_situation, min_size=ENOUGH, max_size=60))
def test_a_share_is_of_those_that_no_end_of_a_round_cut_off(of: list[Situation]) -> None:
    rows = {str(row["name"]): row for row in by_time(counted(of))}
    for ms in WITHIN_MS:
        known = [each for each in of if each.end != OVER or each.ms >= ms]
        row = rows.get(f"{ms / 1_000:g} s")
        assert (row is None) == (len(known) < ENOUGH)
        if row:
            own, others = (
                sum(each.end == end and each.ms < ms for each in known) / len(known)
                for end in (OWN, OTHERS)
            )
            told = [row["figures"][who]["value"] for who in ("you", "anyone")]
            assert told == pytest.approx([own, own + others], abs=1e-4)


def test_nothing_is_told_of_fewer_than_ten() -> None:
    of = [Situation(KIND, 0, 0, 0, 1, 100, OWN)] * (ENOUGH - 1)
    assert ENOUGH == 10
    assert by_time(counted(of)) == []
    assert by_time(counted([*of, of[0]]))


def test_what_never_happened_may_happen_yet() -> None:
    own = by_time(counted([Situation(KIND, 0, 0, 0, 1, 100, GROWN)] * 30))[0]["figures"]["you"]
    assert (own["value"], own["low"]) == (0, 0)
    assert own["high"] == pytest.approx(0.138, abs=0.001)


def test_seats_at_one_stack_count_as_one_for_its_outcome() -> None:
    def interval(alike: int, count: int) -> tuple[float, float]:
        of = [Situation(KIND, 0, 0, 0, alike, 100, end) for end in (OTHERS, GROWN)]
        share = by_time(counted(of * count))[0]["figures"]["anyone"]
        return share["low"], share["high"]

    assert interval(3, 30) == interval(1, 10)


def test_intervals_hold_the_truth() -> None:
    randomness, held = Random(17), 0
    for _ in range(600):
        ends = [OWN if randomness.random() < 0.3 else GROWN for _ in range(40)]
        of = counted([Situation(KIND, 0, 0, 0, 1, 100, end) for end in ends])
        own = by_time(of)[0]["figures"]["you"]
        held += own["low"] <= 0.3 <= own["high"]
    assert 0.95 <= held / 600 <= 0.99, "wider, since situations of one match are alike"
