"""Situations: how a stack that lay there ended, what a seat chose meanwhile, and what is told."""

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
    DISCARDED,
    EDGES_MS,
    GROWN,
    HEIGHTS,
    NOTHING,
    OTHERS,
    OVER,
    OWN,
    TOOK,
    TRIED,
    Kind,
    Situation,
    add,
    by_choice,
    by_time,
    ended,
    situation_at,
    situations,
    size,
    summed,
    tally,
)
from tests.analysis.rounds import a_round
from tests.replays.matches import FILES, timeline_of

SEATS = (0, 7)
KIND = Kind(4, 2, 1, 0, 0)


def of_ann(*later: Event) -> Situation:
    """Ann's last one on slot 0, where Bea has laid a 4 as the sixth card at 2.0 s."""
    (situation,) = [
        situation
        for situation in situations(a_round(*later).rounds[0], SEATS)
        if situation.seat == 0 and situation.t == 2_000
    ]
    return situation


def grown_at(t: int) -> list[Event]:
    return [Draw(t - 150, 1, "B3c"), Play(t, 1, "B3c", 0)]


@pytest.mark.parametrize(
    ("later", "choice", "end", "ms"),
    [
        ([Play(2_700, 0, "A5a", 0, takes=7)], TOOK, OWN, 700),
        ([Play(2_200, 0, "A5a", 0, takes=7)], TOOK, OWN, 200),
        ([Discard(2_700, 0, "A2a")], DISCARDED, OVER, 700),
        ([Discard(2_300, 0, "A2a")], NOTHING, OVER, 300),  # decided on before the 4 lay there
        ([Late(2_700, 0, "A5a", 0, None, 0)], TRIED, OVER, 700),
        ([Late(2_200, 0, "A5a", 0, None, 0)], NOTHING, OVER, 200),  # for the card below
        ([*grown_at(2_500), Late(2_550, 0, "A5a", 0, None, 0)], NOTHING, GROWN, 500),
        ([*grown_at(2_500), Discard(2_900, 0, "A2a")], NOTHING, GROWN, 500),
    ],
)
def test_what_a_seat_chose_and_how_it_ended(
    later: list[Event], choice: int, end: int, ms: int
) -> None:
    situation = of_ann(*later)
    assert (situation.choice, situation.end, situation.ms) == (choice, end, ms)


def test_a_situation_is_what_lies_there_and_what_is_in_hand() -> None:
    assert of_ann().kind == Kind(top=4, height=2, hand=1, score=1, rank=0)
    assert HEIGHTS[2] <= 6 < HEIGHTS[3]


def test_what_was_gained_is_counted_in_the_ten_seconds_alone() -> None:
    later: list[Event] = [Play(2_700, 0, "A5a", 0, takes=7), Draw(12_001, 0, "A3a")]
    assert of_ann(*later).gained == 7
    assert of_ann(later[0], Draw(12_000, 0, "A3a")).gained == 8


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_whole_matches_count_each_card_for_each_seat_once(path: Path) -> None:
    timeline = timeline_of(path.stem)
    seats = len(timeline.names)
    for played in timeline.rounds:
        listed = situations(played, range(seats))
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
        assert sum(situation.choice == TOOK for situation in listed) <= taken, (
            "some did something else first"
        )
    counts = [
        cell for cells in tally(timeline, range(seats)).values() for cell, _ in cells.values()
    ]
    every = sum(len(situations(played, range(seats))) for played in timeline.rounds)
    assert size(summed(counts)) == every


def test_a_line_leads_to_the_situation_that_it_ended() -> None:
    played = timeline_of(FILES[0].stem).rounds[0]
    listed = situations(played, range(5))
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
        there = situation_at(played, seq, situation.seat, situation.seat)
        assert there is not None
        assert (there.kind, there.seq) == (situation.kind, situation.seq)


def test_a_line_without_a_stack_leads_to_the_highest() -> None:
    timeline = a_round(Discard(2_700, 0, "A2a"))
    played = timeline.rounds[0]
    there = situation_at(played, played.seqs[-1], 0, 0)
    assert there is not None
    assert there.t == 2_000
    assert situation_at(played, played.seqs[0], 0, 0) is None
    assert situation_at(played, 9_999, 0, 0) is None


# --- Shares -------------------------------------------------------------------------------

any_situation = st.builds(
    Situation,
    st.just(KIND),
    st.just(0),
    st.just(0),
    st.just(0),
    ms=st.integers(0, 20_000),
    end=st.sampled_from((OWN, OTHERS, GROWN, OVER)),
    choice=st.integers(0, NOTHING),
    gained=st.integers(-20, 40),
)


def counted(of: list[Situation]) -> list[int]:
    counts = [0] * COUNTS
    for each in of:
        add(counts, each)
    return counts


@given(st.lists(any_situation, min_size=1))
def test_shares_grow_and_leave_room_for_what_is_left(of: list[Situation]) -> None:
    own, others = ended(counted(of))
    for share in (own, others):
        assert share == sorted(share)
    assert own[-1] + others[-1] <= 1 + 1e-9


@given(st.lists(any_situation.filter(lambda situation: situation.end != OVER), min_size=1))
def test_what_no_end_of_a_round_cut_off_is_a_plain_share(of: list[Situation]) -> None:
    own, others = ended(counted(of))
    for at, ms in enumerate(EDGES_MS):
        for end, told in ((OWN, own), (OTHERS, others)):
            plain = sum(each.end == end and each.ms < ms for each in of) / len(of)
            assert told[at] == pytest.approx(plain)


@given(st.lists(any_situation, min_size=1))
def test_choices_add_up(of: list[Situation]) -> None:
    rows = by_choice([counted(of)])
    assert sum(row["situations"] for row in rows) == len(of)
    shares = [row["figures"]["share"]["value"] for row in rows]
    assert sum(shares) == pytest.approx(1, abs=0.001)
    gained = sum(list(row["figures"].values())[1]["value"] * row["situations"] for row in rows)
    assert gained == pytest.approx(sum(each.gained for each in of), abs=0.001 * len(of))


def test_intervals_hold_the_truth_though_matches_differ() -> None:
    """Each match has a rate of its own, so its situations are alike."""
    randomness, held = Random(17), 0
    for _ in range(150):
        groups = []
        for _ in range(20):
            rate = randomness.uniform(0.2, 0.6)
            ends = [OWN if randomness.random() < rate else GROWN for _ in range(40)]
            groups.append(counted([Situation(KIND, 0, 0, 0, 100, end) for end in ends]))
        own = by_time(groups)[0]["figures"]["you"]
        assert own["low"] is not None
        assert own["high"] is not None
        held += own["low"] <= 0.4 <= own["high"]
    assert 0.9 <= held / 150 <= 0.99


def test_few_matches_have_no_interval() -> None:
    of = counted([Situation(KIND, 0, 0, 0, 100, OWN)])
    (told, *_) = by_time([of] * 4)
    assert told["figures"]["you"]["value"] == 1
    assert told["figures"]["you"]["low"] is None
